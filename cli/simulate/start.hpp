// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a search of redtune's own begins with, for replays of what 'redtune tune --record' wrote.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <future>
#include <map>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "cache/keys/shared_run.hpp"
#include "search/point.hpp"
#include "search/replay/recorded_space.hpp"
#include "search/space.hpp"
#include "search/strategy.hpp"

namespace redtune::cli {

/// The run that a file holds. Throws UsageError that names the file for one that is not redtune's.
[[nodiscard]] cache::SharedRun read_own_run(const std::filesystem::path& file);

/// The same with the axes of its family, as 'redtune tune' searches it. Throws UsageError for one
/// that another version recorded, of which this one does not know a value.
[[nodiscard]] search::RecordedSpace in_family_axes(const search::RecordedSpace& space,
                                                   const cache::SharedRun& run);

/// The default, the winners of the runs among others that 'redtune tune' would begin with, and the
/// family's known shapes, each once and as far as they were recorded. space: read from the file of
/// the run.
[[nodiscard]] std::vector<search::Point> start_points(const search::RecordedSpace& space,
                                                      const cache::SharedRun& run,
                                                      std::span<const cache::SharedRun> others);

/// What 'redtune tune' begins with where nothing was tuned before: known shapes, and guided by what
/// ships with redtune, of which the recording itself is left out. space: in family axes, begun with
/// known shapes.
[[nodiscard]] search::StrategyOptions shipped_start(const search::RecordedSpace& space,
                                                    const cache::SharedRun& run);

/// What runs of 'redtune tune' begin with when it has tuned the other spaces before: each of these
/// is searched by `auto` with as many evaluations as a tune has, from known shapes on, once for
/// each run. May be asked on many threads.
class TunedBefore {
 public:
  /// spaces: in family axes, begun with known shapes.
  TunedBefore(std::vector<search::RecordedSpace> spaces, std::vector<cache::SharedRun> recordings,
              std::uint64_t seed);

  [[nodiscard]] search::StrategyOptions operator()(std::size_t space, std::size_t run);

 private:
  using Tuned = std::shared_future<cache::SharedRun>;
  [[nodiscard]] cache::SharedRun tune(std::size_t space, std::size_t run) const;
  [[nodiscard]] Tuned tuned(std::size_t space, std::size_t run);

  std::vector<search::RecordedSpace> spaces_;
  std::vector<search::Space> searched_;
  std::vector<cache::SharedRun> recordings_;
  std::uint64_t seed_;
  std::mutex mutex_;
  std::map<std::pair<std::size_t, std::size_t>, Tuned> tuned_;
};

}  // namespace redtune::cli
