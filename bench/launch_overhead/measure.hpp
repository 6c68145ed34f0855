// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a launch and a construction cost on a device, beside what the driver takes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "redtune/interval.hpp"

namespace redtune::bench {

/// A device as --device names it; "null" for the one that does nothing.
struct Target {
  std::string device;    ///< as Reducer takes it
  std::string platform;  ///< whose driver is called bare
};

/// Each with two turns of each side.
inline constexpr int rounds = 401;

/// One reduction of few elements, or one kernel of a user's, in nanoseconds: medians of the rounds,
/// and the two between which the true median lies with a chance of at least 95 %.
struct LaunchCost {
  std::string settings;
  int driver_launches = 1;             ///< of one launch by the library
  std::optional<Interval> bare;        ///< all of them alone; nothing where no driver is known
  Interval reducer;                    ///< a Reducer's in a workspace that the caller made
  std::optional<Interval> above_bare;  ///< the differences within rounds
};

/// Of a Reducer of rows: which of the tuned shapes is the nearest is asked in every launch.
struct RowsCost {
  std::size_t tuned_shapes = 0;  ///< each with a config of its own
  LaunchCost launch;             ///< of other extents each time
  double near_share = 0;         ///< of the launches that had a tuned shape near
};

struct ConstructionCost {
  std::size_t classes = 0;  ///< with a config of their own
  double compiled_ms = 0;   ///< the first, which compiles
  double from_disk_ms = 0;  ///< median of those that find everything compiled
  double open_ms = 0;       ///< of these, to open the device
};

/// Of writing down what is asked for: a Reducer of what nobody has tuned, with that turned on and
/// off. Intervals as of LaunchCost, of the differences within rounds.
struct WantedCost {
  Interval launch_without;  ///< nanoseconds
  Interval launch_with;
  Interval launch_more;
  Interval made_without;  ///< microseconds, to make one
  Interval made_with;     ///< of a question that this process has not asked yet
  Interval made_more;
  double first_more = 0;    ///< of the first question of the process, which is written at once
  double longest_more = 0;  ///< of all, than the median without: some are written at once, too
  std::size_t questions = 0;
};

[[nodiscard]] std::vector<LaunchCost> measure_launches(const Target& target,
                                                       const std::filesystem::path& folder);
[[nodiscard]] RowsCost measure_rows(const Target& target, const std::filesystem::path& folder);
/// A kernel of a user's, of 100 sizes that were prepared, in turn.
[[nodiscard]] LaunchCost measure_kernel(const Target& target, const std::filesystem::path& folder);
/// In a process that has asked for nothing yet.
[[nodiscard]] WantedCost measure_wanted(const Target& target, const std::filesystem::path& folder);
/// Of a Reducer with ten size classes that were tuned, each with another config.
[[nodiscard]] ConstructionCost measure_construction(const Target& target,
                                                    const std::filesystem::path& folder);

}  // namespace redtune::bench
