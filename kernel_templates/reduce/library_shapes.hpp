// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The shapes in which rocPRIM launches its device-wide reduction, so that a search has tried what a
// caller of the vendor's library would get.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "redtune/dtype.hpp"

namespace redtune::kernels {

struct LibraryShape {
  int block_size = 0;
  int items_per_thread = 0;

  bool operator==(const LibraryShape&) const = default;
};

/// What rocPRIM's table has for a processor, by the type that is folded: a sum of i8 in i64 has the
/// shape of i64.
struct LibraryRow {
  std::string_view processor;  ///< of an ISA name, without features
  LibraryShape f64, f32, f16;  ///< f16: of any floating type of 2 bytes
  LibraryShape i64, i32, i16, i8;
};

[[nodiscard]] std::span<const LibraryRow> library_rows();

/// The shapes for accumulators of a type on a device of this ISA, each once: that of the tuned
/// table, and that of versions without one. None for ISAs that rocPRIM is not for.
[[nodiscard]] std::vector<LibraryShape> library_shapes(std::string_view isa, DType acc);

}  // namespace redtune::kernels
