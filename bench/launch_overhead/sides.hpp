// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What is measured in turns: sides that launch, their clock, and how large what they launch is.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/compare/statistics.hpp"
#include "bench/launch_overhead/measure.hpp"
#include "bench/launch_overhead/turns.hpp"
#include "redtune/problem.hpp"

namespace redtune::bench {

inline constexpr std::int64_t tuned_count = std::int64_t{1} << 20;
/// What is launched is short where it really runs.
inline constexpr std::int64_t real_count = 4096;

/// Launches of a turn. A real queue must never be full: then the device is measured, not the way to
/// it.
[[nodiscard]] inline int launches_on(const Target& target) {
  return target.platform == "null" ? 10'000 : 100;
}

[[nodiscard]] inline Problem sum_of(const Shape& shape) {
  return make_problem(Op::sum, DType::f32, shape);
}
[[nodiscard]] inline Problem sum_of(std::int64_t count) {
  return sum_of(Shape{.count = count});
}

using Clock = std::chrono::steady_clock;

[[nodiscard]] inline double nanoseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::nano>(Clock::now() - begin).count();
}

/// How one side launches, so many times, and waits for it.
struct Side {
  std::function<void()> launch;
  std::function<void()> synchronize;
};

/// Nanoseconds of one of so many launches; waiting for them is not in it.
[[nodiscard]] inline Turn timed(Side side, int launches) {
  return [side = std::move(side), launches] {
    const auto begin = Clock::now();
    side.launch();
    const double time = nanoseconds_since(begin) / launches;
    side.synchronize();
    return time;
  };
}

template <class Value>
[[nodiscard]] Interval median_over(const std::vector<Round>& all, const Value& value_of) {
  std::vector<double> values;
  for (const Round& round : all) values.push_back(std::invoke(value_of, round));
  return compare::median_of(std::move(values));
}

}  // namespace redtune::bench
