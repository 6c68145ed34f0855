// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The CUDA driver, libcuda, opened at run time: machines without it get a reason and not a failure
// to start.
#pragma once

#include <cuda.h>
#include <string>

namespace redtune::device::cuda {

/// The driver's functions that redtune calls, by the names of the driver API without "cu".
struct Driver {
#define REDTUNE_CUDA_CALL(name) decltype(&cu##name) name;
#include "device/cuda/driver_calls.def"
#undef REDTUNE_CUDA_CALL
};

/// Null when the driver cannot be opened; then driver_problem() says why. Does not start it.
[[nodiscard]] const Driver* find_driver();

/// One line: why there is no driver, and what to do about it; empty when there is one.
[[nodiscard]] const std::string& driver_problem();

/// Of a process that found the driver.
[[nodiscard]] inline const Driver& driver() {
  return *find_driver();
}

/// 13000 for a driver that serves CUDA 13.0; 0 when there is no driver.
[[nodiscard]] int driver_version();

}  // namespace redtune::device::cuda
