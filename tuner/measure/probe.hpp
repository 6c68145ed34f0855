// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a device can do at best, measured: reading memory and cache, copying, launching. All
// bandwidths are in GB/s, 1e9 bytes a second.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "device/device.hpp"
#include "tuner/compile/compile_pool.hpp"

namespace redtune::tuner {

/// The best of several shapes over one buffer.
struct Bandwidth {
  double gbps = 0;          ///< median of the samples; 0: not measured
  double fastest_gbps = 0;  ///< of the fastest sample of any shape
  std::int64_t bytes = 0;   ///< read by one pass; by a copy read and written together
  int passes = 1;           ///< over the buffer, in one launch
  std::string shape;        ///< that won, for people
  std::size_t shapes = 0;   ///< that were tried
  std::size_t samples = 0;
};

struct Probe {
  Bandwidth read;         ///< of a buffer far larger than the last-level cache, as memory allows
  Bandwidth cached_read;  ///< of a quarter of the last-level cache; 0 where its size is unknown
  Bandwidth copy;         ///< bytes read and written
  /// An empty kernel of one block, one of many in a row: in a graph, and each queued by the host.
  /// 0: not measured.
  double graph_launch_us = 0;
  double stream_launch_us = 0;
  /// Whether the device's times are its own, and not the host's clock read again.
  bool has_own_clock = false;
  double seconds = 0;  ///< that probing took
};

/// quick: the reads alone, from fewer shapes and samples, in about a second. full: everything, in
/// about five.
enum class ProbeLevel { quick, full };

/// What a level needs of kernels::probe_text(), compiled in one program.
[[nodiscard]] CompileUnit probe_unit(ProbeLevel level, const Limits& limits);

/// compiler: of the device, for any text. Throws DeviceError when the kernels do not compile or
/// run, OutOfMemory when there is no memory for a buffer, and ImplausibleSample when no time can be
/// believed.
[[nodiscard]] Probe probe(device::Device& device, const CompilePool& compiler, ProbeLevel level);

}  // namespace redtune::tuner
