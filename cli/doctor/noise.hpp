// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// By how much times of the same thing differ on a device, measured as a run of tune does before it
// searches.
#pragma once

#include <string>
#include <vector>

#include "cli/report/doctor_report.hpp"

namespace redtune::cli {

struct NoiseOrder {
  std::string device;                       ///< as it is typed
  std::vector<std::string> device_worker;   ///< command of a process that owns a device
  std::vector<std::string> compile_worker;  ///< command of a process that compiles
};

/// Holds the device's lease meanwhile. That the noise is too much to tune is a problem, as is a
/// device that fails; that somebody else holds the lease is a remark.
[[nodiscard]] Section examine_noise(const NoiseOrder& order);

}  // namespace redtune::cli
