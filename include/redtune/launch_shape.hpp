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
  /// "in", "count", "out", "partials", "slots", "counter", "run", "partial_count"
  std::string name;
  int bytes = 8;
  std::optional<std::int64_t> value = {};  ///< of numbers
  std::optional<std::size_t> offset = {};  ///< of addresses in the workspace: where there
};

struct KernelLaunch {
  std::string kernel;            ///< name expression, as for a run-time compiler
  std::int64_t grid = 1;         ///< blocks, in one dimension
  int block = 1;                 ///< threads per block
  std::size_t shared_bytes = 0;  ///< dynamic; what kernels declare themselves is not in it
  /// Whether it is launched with programmatic stream serialization in a graph as well; queued by
  /// the host it always is. The kernel waits by itself for the work ahead. Right without, too.
  bool early_start = false;
  std::vector<KernelArgument> arguments;
};

/// One reduction: its launches in order, on one stream.
struct LaunchShape {
  std::vector<KernelLaunch> launches;
  /// Device memory beside input and output, aligned to 256 bytes.
  std::size_t workspace_bytes = 0;
  /// So many bytes of it from the first on must be zero before the first launch, and are zero again
  /// after each that comes to its end.
  std::size_t zero_bytes = 0;
};

/// For count elements, 0 or more, on the device that the answer is for: by the kernel of that
/// count, which need not be that of the answer's. Throws UsageError for a negative count and for
/// settings that are not valid there.
[[nodiscard]] REDTUNE_API LaunchShape launch_shape(const Answer& answer, std::int64_t count,
                                                   const DeviceIdentity& device);

}  // namespace redtune
