// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What blocks noted of themselves, told by launches, and by windows of neighbouring launches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace redtune::bench {

/// As the kernel writes it: nanoseconds of the device's clock, and a compute unit.
struct BlockNote {
  std::uint64_t begin;
  std::uint64_t ready;  ///< it had waited for the launch before
  std::uint64_t end;
  std::uint64_t unit;
};

struct LaunchNote {
  std::uint64_t begin = 0;  ///< of the first block
  std::uint64_t ready = 0;  ///< when the first block had waited
  std::uint64_t end = 0;    ///< of the last one
  std::size_t units = 0;    ///< different ones that blocks ran on
  std::size_t most = 0;     ///< blocks on one unit
};

/// At least one block.
[[nodiscard]] LaunchNote launch_of(std::span<const BlockNote> blocks);

/// The most launches between begin and end at one time.
[[nodiscard]] std::size_t most_in_flight(const std::vector<LaunchNote>& launches);

/// Medians over the launches of a window, in blocks and microseconds.
struct WindowFacts {
  std::size_t in_flight = 0;
  double units = 0;
  double most = 0;
  double work_us = 0;   ///< from the first block that had waited to the end of the last
  double lead_us = 0;   ///< a launch begins so long before the end of the one before
  double lead2_us = 0;  ///< and of the one before that
};

/// At least three launches, in their order.
[[nodiscard]] WindowFacts facts_of(const std::vector<LaunchNote>& launches);

/// At least one value; of an even number the larger of the middle two.
[[nodiscard]] double median_of(std::vector<double> values);

}  // namespace redtune::bench
