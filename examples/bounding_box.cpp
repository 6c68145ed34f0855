// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The box around a million points, in one pass, by an operator of this program's own: its
// accumulator has four members. Usage: bounding_box [DEVICE]
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <redtune/reducer.hpp>
#include <vector>

namespace {

struct Point {
  float x;
  float y;
};

/// What a result is in memory: the members of the operator's accumulator.
struct Box {
  float low_x;
  float high_x;
  float low_y;
  float high_y;
};

/// A point is an element of 64 bits.
const redtune::CustomOp bounding_box{"bounding_box", R"(
struct custom {
  struct accumulator { float low_x, high_x, low_y, high_y; };
  static accumulator identity() {
    const float infinite = 1 / 0.0f;
    return {infinite, -infinite, infinite, -infinite};
  }
  static accumulator combine(accumulator a, accumulator b) {
    return {fmin(a.low_x, b.low_x), fmax(a.high_x, b.high_x),
            fmin(a.low_y, b.low_y), fmax(a.high_y, b.high_y)};
  }
  static accumulator transform(element point) {
    const float x = bits_to_float(u32(point));
    const float y = bits_to_float(u32(point >> 32));
    return {x, x, y, y};
  }
};
)"};

}  // namespace

int main(int argc, char** argv) try {
  std::vector<std::uint64_t> points(1'000'000);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto step = static_cast<float>(i % 1000);
    const Point point{step / 8, 500 - step};
    std::memcpy(&points[i], &point, sizeof(point));
  }

  // Of many clouds: Shape::rows(clouds, points) in the place of the count, and launch().
  const auto count = static_cast<std::int64_t>(points.size());
  redtune::Reducer reducer(redtune::make_problem(bounding_box, redtune::DType::u64, count),
                           {.device = argc > 1 ? argv[1] : "auto"});
  const auto box = reducer.reduce<Box>(std::span<const std::uint64_t>(points));
  std::cout << "x from " << box.low_x << " to " << box.high_x << ", y from " << box.low_y << " to "
            << box.high_y << '\n'
            << "match: " << to_string(reducer.answer().match) << '\n';
} catch (const redtune::Error& error) {
  std::cerr << error.what() << '\n';
  return EXIT_FAILURE;
}
