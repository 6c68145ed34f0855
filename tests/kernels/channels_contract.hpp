// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What every loaded config of channels owes, on any device: each channel's result, whatever the
// batch, the lengths, the number, the pitches and the place of the array; nothing else read into
// it, nothing else written.
#pragma once

#include <algorithm>
#include <vector>

#include "tests/kernels/shape_contract.hpp"

namespace redtune::checks {

/// Extents and pitches at which something changes, or nothing should. Prime lengths are aligned
/// nowhere.
[[nodiscard]] inline std::vector<Shape> shapes_of_channels(std::int64_t width) {
  std::vector<Shape> shapes;
  for (const std::int64_t count :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{2}, width - 1, width, width + 1}) {
    shapes.push_back(Shape::channels(5, 37, std::max<std::int64_t>(count, 0)));
  }
  for (const std::int64_t count : {31, 33, 127, 256}) {
    shapes.push_back(Shape::channels(3, 7, count));
  }
  shapes.push_back(Shape::channels(1, 5, 33));
  shapes.push_back(Shape::channels(2, 1, 4099));
  shapes.push_back(Shape::channels(2, 2, 4096));
  shapes.push_back(Shape::channels(521, 2, 5));
  shapes.push_back(Shape::channels(67, 3, 49));
  shapes.push_back(Shape::channels(4, 0, 5));
  shapes.push_back({.count = 3, .outer = 9, .outer_pitch = 4, .batch = 6});
  shapes.push_back({.count = 64, .outer = 9, .batch = 3, .batch_pitch = 577});
  shapes.push_back({.count = 127, .outer = 5, .outer_pitch = 128, .batch = 4, .batch_pitch = 700});
  shapes.push_back({.count = 300, .outer = 1, .batch = 9, .batch_pitch = 301});
  return shapes;
}

template <class In>
using ChannelsContract = ShapeContract<In>;

/// All of it, for a config; turn: places take turns from config to config.
template <class In>
void expect_channels_kept(device::Device& device, const runtime::LoadedConfig& config,
                          std::size_t turn) {
  ChannelsContract<In> contract(device, config);
  std::int64_t width = 1;
  for (const Setting& setting : config.choice().settings) {
    if (setting.name == "vector_width") width = std::stoll(setting.value);
  }
  for (const Shape& shape : shapes_of_channels(width)) {
    for (const std::size_t skipped : {std::size_t{0}, 1 + turn % 3}) {
      contract.expect_right(shape, skipped);
    }
    ++turn;
  }
  for (const Pattern<In>& pattern : adversarial<In>()) {
    contract.expect_right(pattern, Shape::channels(4, 3, 33), turn++ % 3);
    contract.expect_right(
        pattern, {.count = 101, .outer = 2, .outer_pitch = 103, .batch = 3, .batch_pitch = 207},
        turn++ % 3);
  }
  contract.expect_decided(Shape::channels(7, 40, 11), 1, {0, 1, 10, 11, 38, 75, 76, -1});
  contract.expect_decided(Shape::channels(3, 7, 517), turn % 3,
                          {0, 1, width, 516, 517, 1034, 1549, 1550, -1});
  contract.expect_same_bits_again(Shape::channels(11, 5, 203));
}

}  // namespace redtune::checks
