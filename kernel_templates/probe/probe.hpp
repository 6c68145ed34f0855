// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The kernels that find out what a device can do at best: their text, the shapes worth trying, and
// how they are launched.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernel_templates/reduce/config.hpp"
#include "redtune/limits.hpp"

namespace redtune::kernels {

/// One way to read or copy.
struct ProbeShape {
  int block_size = 256;     ///< threads per block
  int loads = 4;            ///< vectors a thread has in flight
  int blocks_per_unit = 8;  ///< blocks launched per compute unit
  TileOrder tile_order = TileOrder::strided;
  Load load = Load::cached;  ///< of the stores of a copy as well

  auto operator<=>(const ProbeShape&) const = default;
};

/// For people: "block_size=256 loads=4 blocks_per_unit=8 tile_order=strided load=cached".
[[nodiscard]] std::string to_string(const ProbeShape& shape);

/// What is measured with the kernels: reads of memory, reads inside a cache, copies.
enum class ProbeKind { read, cached_read, copy };

/// The shapes worth trying on a device of these limits, the most promising first; never none.
[[nodiscard]] std::vector<ProbeShape> probe_shapes(ProbeKind kind, const Limits& limits);

/// The whole device program, for a run-time compiler.
[[nodiscard]] const std::string& probe_text();
/// The instantiation for a shape, as a name expression.
[[nodiscard]] std::string probe_name(ProbeKind kind, const ProbeShape& shape, const Limits& limits);
/// The instantiation that does nothing, launched with the smallest block of the device.
[[nodiscard]] std::string empty_probe_name(const Limits& limits);

/// Blocks to launch for so many words of 4 bytes; at least 1.
[[nodiscard]] std::int64_t probe_grid(const ProbeShape& shape, std::int64_t words,
                                      const Limits& limits);

}  // namespace redtune::kernels
