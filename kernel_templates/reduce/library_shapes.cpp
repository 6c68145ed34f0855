// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/reduce/library_shapes.hpp"

#include <algorithm>
#include <array>

namespace redtune::kernels {
namespace {

// Figures of rocPRIM's tuned configurations, rocprim/device/detail/config/device_reduce.hpp as of
// 2025: threads of a block, elements of a thread, for each of them a block is launched.
constexpr std::array<LibraryRow, 9> rows = {{
    {"gfx906", {128, 4}, {256, 4}, {256, 8}, {256, 16}, {256, 4}, {256, 8}, {128, 16}},
    {"gfx908", {256, 16}, {256, 4}, {128, 8}, {256, 16}, {256, 4}, {128, 8}, {256, 16}},
    {"gfx90a", {256, 16}, {128, 8}, {64, 16}, {256, 4}, {128, 8}, {64, 16}, {128, 16}},
    {"gfx942", {256, 16}, {128, 16}, {256, 16}, {256, 16}, {256, 8}, {256, 16}, {128, 16}},
    {"gfx1030", {256, 8}, {256, 2}, {256, 4}, {256, 1}, {256, 2}, {256, 4}, {128, 16}},
    {"gfx1100", {256, 4}, {256, 8}, {256, 16}, {256, 4}, {256, 8}, {256, 16}, {256, 16}},
    {"gfx1200", {256, 16}, {256, 16}, {256, 16}, {256, 16}, {256, 16}, {256, 16}, {256, 16}},
    {"gfx1201", {256, 16}, {256, 16}, {256, 16}, {256, 16}, {256, 16}, {256, 16}, {256, 16}},
    // What the table has for processors that it does not know.
    {"gfx", {256, 16}, {256, 4}, {128, 8}, {256, 16}, {256, 4}, {128, 8}, {256, 16}},
}};

/// Versions without tuned figures have the same for all processors: rocprim/device/
/// device_reduce_config.hpp of 5.3.
LibraryShape untuned(DType acc) {
  return {256, size_of(acc) == 8 ? 8 : 16};
}

LibraryShape shape_of(const LibraryRow& row, DType acc) {
  const bool is_floating = info(acc).kind == DTypeKind::floating;
  switch (size_of(acc)) {
    case 8:
      return is_floating ? row.f64 : row.i64;
    case 4:
      return is_floating ? row.f32 : row.i32;
    case 2:
      return is_floating ? row.f16 : row.i16;
    default:
      return row.i8;
  }
}

}  // namespace

std::span<const LibraryRow> library_rows() {
  return rows;
}

std::vector<LibraryShape> library_shapes(std::string_view isa, DType acc) {
  if (!isa.starts_with(rows.back().processor)) return {};
  const auto found = std::ranges::find(rows, isa.substr(0, isa.find(':')), &LibraryRow::processor);
  std::vector<LibraryShape> shapes{shape_of(found == rows.end() ? rows.back() : *found, acc)};
  if (untuned(acc) != shapes[0]) shapes.push_back(untuned(acc));
  return shapes;
}

}  // namespace redtune::kernels
