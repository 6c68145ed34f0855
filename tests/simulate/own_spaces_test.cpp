// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What the default strategy finds in the spaces that redtune recorded itself (tests/spaces).
#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <limits>

#include "tuner/simulate/read_space.hpp"
#include "tuner/simulate/simulate.hpp"
#include "tuner/simulate/start.hpp"

namespace redtune::tuner {
namespace {

constexpr std::size_t evaluations = 60;
constexpr double near = 1.01;

std::vector<std::filesystem::path> recordings() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(REDTUNE_SPACES)) {
    if (entry.path().extension() == ".gz") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

bool comes_near(const ReplayedRun& run, const RecordedSpace& space, double best) {
  return std::ranges::any_of(run.evaluated, [&](std::uint32_t place) {
    const auto& cost = space.records[place].cost;
    return cost && *cost <= near * best;
  });
}

TEST(OwnSpaces, TheDefaultStrategyComesWithinAPercentOfTheOptimum) {
  ASSERT_FALSE(recordings().empty());
  for (const auto& file : recordings()) {
    const Simulation simulation = simulate(
        {read_space_file(file)}, {.strategies = {"auto"}, .runs = 100, .budget = evaluations});
    const RecordedSpace& space = simulation.spaces[0].recorded;
    double best = std::numeric_limits<double>::infinity();
    for (const Record& record : space.records) best = std::min(best, record.cost.value_or(best));
    const auto near_ones =
        std::ranges::count_if(simulation.spaces[0].results[0].runs,
                              [&](const ReplayedRun& run) { return comes_near(run, space, best); });
    EXPECT_GE(near_ones, 95) << file;
  }
}

TEST(OwnSpaces, BeginAsATuneWouldWithTheDefaultAndKnownShapes) {
  for (const auto& file : recordings()) {
    const RecordedSpace space = read_space_file(file);
    const cache::SharedRun run = read_own_run(file);
    const auto start = start_points(space, run, {});
    ASSERT_GE(start.size(), 5U) << file;
    // The recording itself began with them.
    for (std::size_t i = 0; i < start.size(); ++i) {
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
  cache::StoredTrial found_out = *fastest;
  found_out.trial.phase = "confirm";
  found_out.trial.status = "wrong_result";
  found_out.trial.time_us.reset();
  other.trials.push_back(found_out);
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
}  // namespace redtune::tuner
