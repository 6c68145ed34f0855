// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How a configuration is launched for a count, for those who launch kernels themselves: which
// instantiations, with which grids and arguments. Needs no GPU, only its identity.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "redtune/device_identity.hpp"
#include "redtune/export.hpp"
#include "redtune/find_best.hpp"

namespace redtune {

struct KernelArgument {
  std::string name;  ///< "in", "count", "out", "partials", "counter", "run", "partial_count"
  int bytes = 8;
  std::optional<std::int64_t> value = {};  ///< of numbers; the addresses are the caller's
};

struct KernelLaunch {
  std::string kernel;            ///< name expression, as for a run-time compiler
  std::int64_t grid = 1;         ///< blocks, in one dimension
  int block = 1;                 ///< threads per block
  std::size_t shared_bytes = 0;  ///< dynamic; what kernels declare themselves is not in it
  std::vector<KernelArgument> arguments;
};

/// One reduction: its launches in order, on one stream.
struct LaunchShape {
  std::vector<KernelLaunch> launches;
  /// Device memory beside input and output: counter_bytes, zero before the first launch and zero
  /// again after each, then the partials.
  std::size_t workspace_bytes = 0;
  std::size_t counter_bytes = 0;
};

/// For count elements, 0 or more, on the device that the answer is for. Throws UsageError for a
/// negative count and for settings that are not valid there.
[[nodiscard]] REDTUNE_API LaunchShape launch_shape(const Answer& answer, std::int64_t count,
                                                   const DeviceIdentity& device);

}  // namespace redtune
