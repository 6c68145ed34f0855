// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What the default strategy finds in the spaces that redtune recorded itself (tests/spaces).
#include <algorithm>
#include <filesystem>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <span>

#include "cli/simulate/start.hpp"
#include "kernel_templates/reduce/rules.hpp"
#include "runtime/resolve.hpp"
#include "search/replay/read_space.hpp"
#include "search/replay/simulate.hpp"
#include "tuner/session/sources.hpp"

namespace redtune::cli {
namespace {

using namespace search;
using tuner::keep_nearest;
using tuner::source_of;

constexpr std::size_t evaluations = 60;
constexpr std::size_t few_evaluations = 15;
constexpr double near = 1.01;

std::vector<std::filesystem::path> recordings() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(REDTUNE_SPACES)) {
    if (entry.path().extension() == ".gz") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

std::filesystem::path recording(const std::string& name) {
  return std::filesystem::path(REDTUNE_SPACES) / (name + "_H200.t4.json.gz");
}

bool comes_near(std::span<const std::uint32_t> evaluated, const RecordedSpace& space, double best) {
  return std::ranges::any_of(evaluated, [&](std::uint32_t place) {
    const auto& cost = space.records[place].cost;
    return cost && *cost <= near * best;
  });
}

/// Runs of the default strategy on a space that come within a percent of its optimum in so many.
std::size_t near_runs(const SimulatedSpace& simulated, std::size_t after) {
  const RecordedSpace& space = simulated.recorded;
  double best = std::numeric_limits<double>::infinity();
  for (const Record& record : space.records) best = std::min(best, record.cost.value_or(best));
  const auto is_near = [&](const ReplayedRun& run) {
    return comes_near(std::span(run.evaluated).first(after), space, best);
  };
  return static_cast<std::size_t>(std::ranges::count_if(simulated.results[0].runs, is_near));
}

struct Recordings {
  std::vector<RecordedSpace> spaces;  ///< in family axes, begun with known shapes
  std::vector<cache::SharedRun> runs;
};

bool may_stream(const cache::SharedRun& run) {
  return kernels::may_stream(run.start.problem, runtime::limits_of(run.start.device));
}

/// Without the configs that have left the family's space since: loads of large inputs past the
/// cache.
RecordedSpace as_offered_now(RecordedSpace space, const cache::SharedRun& run) {
  if (may_stream(run)) return space;
  const auto load = static_cast<std::size_t>(
      std::ranges::find(space.axes, "load", &RecordedAxis::name) - space.axes.begin());
  RecordedSpace now = space;
  now.points.clear();
  now.records.clear();
  for (std::size_t i = 0; i < space.points.size(); ++i) {
    if (to_text(space.axes[load].values[space.points[i][load]]) == "streaming") continue;
    now.points.push_back(space.points[i]);
    now.records.push_back(space.records[i]);
  }
  return now;
}

Recordings read_all() {
  Recordings all;
  for (const auto& file : recordings()) {
    all.runs.push_back(read_own_run(file));
    const RecordedSpace recorded = in_family_axes(read_space_file(file), all.runs.back());
    all.spaces.push_back(as_offered_now(recorded, all.runs.back()));
    all.spaces.back().start = start_points(all.spaces.back(), all.runs.back(), {});
  }
  return all;
}

/// 20 runs on each space. docs/explanation/search.md has the numbers of 100.
Simulation begun(Recordings all, const KnownBefore& known_before) {
  return simulate(std::move(all.spaces),
                  {.strategies = {"auto"}, .runs = 20, .budget = evaluations}, known_before);
}

/// As many as thin.py takes of a recording for what ships, chosen as there.
std::vector<cache::Trial> thinned(const cache::SharedRun& run) {
  constexpr std::size_t each = 80;
  std::vector<cache::Trial> all;
  for (const auto& [trial, at] : run.trials) {
    if (trial.time_us) all.push_back(trial);
  }
  std::ranges::sort(all, {}, [](const cache::Trial& trial) { return trial.time_us->median; });
  std::vector<cache::Trial> some(all.begin(), all.begin() + each);
  for (std::size_t i = 0; i < each; ++i) some.push_back(all[each + i * (all.size() - each) / each]);
  return some;
}

/// The recording that is searched has no part in what guides the search.
TEST(OwnSpaces, GuidedByTrialsOfTheOthersTheDefaultStrategyComesWithinAPercentOfTheOptimum) {
  Recordings all = read_all();
  std::vector<search::StrategyOptions> begins;
  for (std::size_t i = 0; i < all.spaces.size(); ++i) {
    begins.push_back({.start = all.spaces[i].start});
    const cache::Question asked = cache::question_of(all.runs[i].start);
    for (std::size_t j = 0; j < all.spaces.size(); ++j) {
      if (i == j) continue;
      const auto source = source_of(asked, cache::question_of(all.runs[j].start),
                                    thinned(all.runs[j]), kernels::find_family(asked.family));
      ASSERT_TRUE(source.has_value());
      begins.back().sources.push_back(*source);
    }
    keep_nearest(begins.back().sources);
  }
  const Simulation simulation =
      begun(std::move(all), [&](std::size_t space, std::size_t) { return begins[space]; });
  for (const SimulatedSpace& space : simulation.spaces) {
    EXPECT_GE(near_runs(space, evaluations), 19U) << space.recorded.name;
    EXPECT_GE(near_runs(space, few_evaluations), 19U) << space.recorded.name;
  }
}

/// 24 seconds.
TEST(FullOwnSpaces, WhereTheOthersWereTunedBeforeItComesWithinAPercentOfTheOptimum) {
  Recordings all = read_all();
  TunedBefore tuned_before(all.spaces, all.runs, 1);
  const Simulation simulation = begun(std::move(all), std::ref(tuned_before));
  std::size_t sum = 0;
  for (const SimulatedSpace& space : simulation.spaces) {
    const std::size_t found = near_runs(space, evaluations);
    EXPECT_GE(found, 17U) << space.recorded.name;
    sum += found;
  }
  EXPECT_GE(sum, 20 * simulation.spaces.size() * 19 / 20);
}

/// Whatever is known of others.
TEST(OwnSpaces, OfLargeInputsItComesWithinAPercentOfTheOptimumKnowingNothing) {
  const Simulation simulation =
      simulate({read_space_file(recording("sum_f32_2p28"))},
               {.strategies = {"auto"}, .runs = 100, .budget = evaluations});
  EXPECT_GE(near_runs(simulation.spaces[0], evaluations), 95U);
}

TEST(OwnSpaces, BeginAsATuneWouldWithTheDefaultAndKnownShapes) {
  for (const auto& file : recordings()) {
    const RecordedSpace space = read_space_file(file);
    const cache::SharedRun run = read_own_run(file);
    const auto start = start_points(space, run, {});
    ASSERT_GE(start.size(), 5U) << file;
    // The recording itself began with them; of large inputs with some of the same past the cache,
    // and with runs of tiles.
    for (std::size_t i = 0; i < start.size(); ++i) {
      const Settings& begun = run.trials[i].trial.settings;
      const bool is_past_cache =
          std::ranges::find(begun, Setting{"load", "streaming"}) != begun.end();
      if (is_past_cache && !may_stream(run)) {
        for (std::size_t axis = 0; axis < space.axes.size(); ++axis) {
          const std::string& name = space.axes[axis].name;
          const auto known = std::ranges::find(begun, name, &Setting::name);
          ASSERT_NE(known, begun.end()) << name << " in " << file;
          const std::string value = name == "load"         ? "cached"
                                    : name == "tile_order" ? "strided"
                                                           : known->value;
          EXPECT_EQ(to_text(space.axes[axis].values[start[i][axis]]), value) << name << ", " << i;
        }
        continue;
      }
      const auto place = std::ranges::find(space.points, start[i]) - space.points.begin();
      EXPECT_EQ(space.records[static_cast<std::size_t>(place)].cost,
                run.trials[i].trial.time_us->median / 1e3)
          << file << ", start " << i;
    }
  }
}

TEST(OwnSpaces, BeginWithNoWinnerThatWasFoundOut) {
  const auto file = recordings().front();
  const RecordedSpace space = read_space_file(file);
  const cache::SharedRun run = read_own_run(file);
  cache::SharedRun other = run;
  other.start.problem.count *= 2;
  const auto best = start_points(space, run, {&other, 1}).at(1);
  const auto fastest = std::ranges::min_element(
      other.trials, {}, [](const auto& one) { return one.trial.time_us->median; });
  cache::StoredTrial disqualified = *fastest;
  disqualified.trial.phase = "confirm";
  disqualified.trial.status = "wrong_result";
  disqualified.trial.time_us.reset();
  other.trials.push_back(disqualified);
  EXPECT_NE(start_points(space, run, {&other, 1}).at(1), best);
}

TEST(OwnSpaces, BeginWithTheWinnersOfOthersRightAfterTheDefault) {
  const auto file = recordings().front();
  const RecordedSpace space = read_space_file(file);
  const cache::SharedRun run = read_own_run(file);
  cache::SharedRun other = run;  // the same for another count
  other.start.problem.count *= 2;
  const auto cold = start_points(space, run, {});
  const auto warm = start_points(space, run, {&other, 1});
  ASSERT_EQ(warm.size(), cold.size() + 1);
  EXPECT_EQ(warm[0], cold[0]);
  EXPECT_EQ(warm[2], cold[1]);
  const auto place = std::ranges::find(space.points, warm[1]) - space.points.begin();
  for (const Record& record : space.records) {
    EXPECT_GE(record.cost.value_or(1e9), space.records[static_cast<std::size_t>(place)].cost);
  }
}

}  // namespace
}  // namespace redtune::cli
