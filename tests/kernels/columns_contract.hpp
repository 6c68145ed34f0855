// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What every loaded config of columns owes, on any device: each column's result, whatever the
// number, the length, the pitches and the place of the columns.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "tests/kernels/shape_contract.hpp"

namespace redtune::checks {

/// Extents and pitches at which something changes, or nothing should. Odd pitches are aligned
/// nowhere.
[[nodiscard]] inline std::vector<Shape> shapes_of_columns(std::int64_t width) {
  std::vector<Shape> shapes;
  for (const std::int64_t inner : {std::int64_t{2}, std::int64_t{3}, width - 1, width, width + 1}) {
    if (inner > 1) shapes.push_back(Shape::columns(37, inner));
  }
  for (const std::int64_t count : {0, 1, 2, 5}) shapes.push_back(Shape::columns(count, 33));
  shapes.push_back(Shape::columns(7, 509));
  shapes.push_back(Shape::columns(9, 1024));
  shapes.push_back(Shape::columns(521, 5));
  shapes.push_back(Shape::columns(501, 8));
  shapes.push_back(Shape::columns(5, 0));
  // Gaps behind each line, small ones and large ones.
  shapes.push_back(Shape::columns(21, 31, 32));
  shapes.push_back(Shape::columns(21, 40, 43));
  shapes.push_back(Shape::columns(90, 3, 16));
  shapes.push_back(Shape::columns(30, 2, 101));
  // One column, whose elements are apart.
  shapes.push_back(Shape::columns(50, 1, 3));
  shapes.push_back(Shape::columns(50, 1, 64));
  // Slices, short ones and long ones, with gaps behind each and none.
  shapes.push_back({.count = 2, .outer = 37, .inner = 3});
  shapes.push_back({.count = 4, .outer = 11, .inner = 16});
  shapes.push_back({.count = 61, .outer = 3, .inner = 7});
  shapes.push_back({.count = 5, .outer = 5, .inner = 33, .outer_pitch = 5 * 33 + 2});
  shapes.push_back({.count = 9, .outer = 4, .inner = 6, .outer_pitch = 96, .count_pitch = 9});
  shapes.push_back({.count = 6, .outer = 5, .inner = 1, .outer_pitch = 0, .count_pitch = 2});
  // Slices that begin at different places of a vector, some of which need a vector more.
  for (const std::int64_t pitch : {16, 64}) {
    shapes.push_back({.count = 5,
                      .outer = 9,
                      .inner = pitch - 1,
                      .outer_pitch = 5 * pitch + 1,
                      .count_pitch = pitch});
  }
  shapes.push_back({.count = 3, .outer = 0, .inner = 5});
  return shapes;
}

[[nodiscard]] inline const std::string& setting_of(const runtime::LoadedConfig& config,
                                                   std::string_view name) {
  return std::ranges::find(config.choice().settings, name, &Setting::name)->value;
}

/// Shapes of which blocks share columns, for a config whose blocks may: lines enough for as many as
/// may share them.
[[nodiscard]] inline std::vector<Shape> shared_columns(const runtime::LoadedConfig& config,
                                                       std::int64_t width) {
  std::vector<Shape> shapes;
  for (const Shape& shape : config.choice().family->edge_shapes(
           config.choice().settings, config.choice().problem, config.choice().limits)) {
    const bool is_narrow = shape.inner == 2 || shape.inner == width + 1;
    if (is_narrow && config.plan(shape).value_of("parts") > 1) shapes.push_back(shape);
  }
  return shapes;
}

/// All of it, for a config; turn: places take turns from config to config.
template <class In>
void expect_columns_kept(device::Device& device, const runtime::LoadedConfig& config,
                         std::size_t turn) {
  ShapeContract<In> contract(device, config);
  const std::int64_t width = std::stoll(setting_of(config, "vector_width"));
  for (const Shape& shape : shapes_of_columns(width)) {
    const std::size_t misplaced = 1 + turn++ % 3;
    contract.expect_right(shape, turn % 2 == 0 ? 0 : misplaced);
  }
  if (setting_of(config, "way") != "tiles") {
    const std::vector<Shape> shared = shared_columns(config, width);
    EXPECT_FALSE(shared.empty()) << to_string(config.choice().settings);
    for (const Shape& shape : shared) contract.expect_right(shape, turn++ % 3);
  }
  for (const Pattern<In>& pattern : adversarial<In>()) {
    contract.expect_right(pattern, Shape::columns(33, 5), turn++ % 3);
    contract.expect_right(pattern, {.count = 15, .outer = 2, .inner = 7, .count_pitch = 8},
                          turn++ % 3);
  }
  contract.expect_decided(Shape::columns(77, 41), 1, {0, 1, 38, 75, 76, -1});
  contract.expect_decided(Shape::columns(1031, 3), turn % 3, {0, width, 1030});
  contract.expect_decided({.count = 19, .outer = 9, .inner = 10}, turn % 3, {0, 9, 17, 18, -1});
  contract.expect_same_bits_again(Shape::columns(2003, 9));
}

}  // namespace redtune::checks
