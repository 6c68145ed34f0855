// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What every loaded config of rows owes, on any device: each row's result, whatever the length, the
// number, the pitch and the place of the rows; nothing else read into it, nothing else written.
#pragma once

#include <algorithm>
#include <vector>

#include "tests/kernels/shape_contract.hpp"

namespace redtune::checks {

/// Lengths, numbers and pitches at which something changes, or nothing should. Prime lengths are
/// aligned nowhere.
[[nodiscard]] inline std::vector<Shape> shapes_of_rows(std::int64_t width) {
  std::vector<Shape> shapes;
  for (const std::int64_t count : {std::int64_t{0}, std::int64_t{1}, std::int64_t{2},
                                   std::int64_t{3}, width - 1, width, width + 1}) {
    shapes.push_back(Shape::rows(37, std::max<std::int64_t>(count, 0)));
  }
  for (const std::int64_t count : {31, 32, 33, 127, 256, 509}) {
    shapes.push_back(Shape::rows(7, count));
  }
  shapes.push_back(Shape::rows(1, 4099));
  shapes.push_back(Shape::rows(2, 4096));
  shapes.push_back(Shape::rows(521, 5));
  shapes.push_back(Shape::rows(0, 5));
  shapes.push_back(Shape::rows(9, 3, 4));
  shapes.push_back(Shape::rows(9, 64, 65));
  shapes.push_back(Shape::rows(5, 127, 128));
  shapes.push_back(Shape::rows(3, 1000, 1024));
  return shapes;
}

template <class In>
using RowsContract = ShapeContract<In>;

/// All of it, for a config; turn: places take turns from config to config.
template <class In>
void expect_rows_kept(device::Device& device, const runtime::LoadedConfig& config,
                      std::size_t turn) {
  RowsContract<In> contract(device, config);
  std::int64_t width = 1;
  for (const Setting& setting : config.choice().settings) {
    if (setting.name == "vector_width") width = std::stoll(setting.value);
  }
  for (const Shape& shape : shapes_of_rows(width)) {
    for (const std::size_t skipped : {std::size_t{0}, 1 + turn % 3}) {
      contract.expect_right(shape, skipped);
    }
    ++turn;
  }
  for (const Pattern<In>& pattern : adversarial<In>()) {
    contract.expect_right(pattern, Shape::rows(3, 33), turn++ % 3);
    contract.expect_right(pattern, Shape::rows(2, 301, 303), turn++ % 3);
  }
  contract.expect_decided(Shape::rows(40, 77), 1, {0, 1, 38, 75, 76, -1});
  contract.expect_decided(Shape::rows(7, 1031), turn % 3, {0, 1, width, 515, 1029, 1030, -1});
  contract.expect_same_bits_again(Shape::rows(5, 2003));
}

}  // namespace redtune::checks
