// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A search begins with what was found for problems like it, and says so.
#include <algorithm>
#include <gtest/gtest.h>

#include "cache/files/paths.hpp"
#include "cache/store/store.hpp"
#include "runtime/resolve.hpp"
#include "tests/cli/run_redtune.hpp"
#include "tuner/text/json.hpp"

namespace redtune::cli {
namespace {

const std::string beginning = "beginning with the winner of 1 problem like this one: ";

Words tune_of(const std::string& count, const Words& more = {}) {
  return with({"tune", "--device", "host", "--count", count, "--budget", "4", "--force-noisy"},
              more);
}

/// The settings of a run's trials, in order.
std::vector<json> tried(const std::filesystem::path& log) {
  std::vector<json> all;
  for (const json& line : lines_of(log)) {
    if (line.at("kind") == "trial") all.push_back(line.at("settings"));
  }
  return all;
}

/// As if something had won that no search begins with: on a busy host anything wins.
json let_another_win(const Home& home, std::int64_t next_count) {
  const auto file = home / ("data/redtune/" + std::string(cache::store_name));
  cache::Store store = cache::Store::open(file);
  const cache::RunStart start = store.runs().at(0).start;
  cache::Best best = store.best(cache::question_of(start)).value().best;
  const kernels::Family& family = kernels::find_family(start.family);
  const search::Space space =
      family.space(make_problem(Op::sum, DType::f32, next_count), runtime::limits_of(start.device));
  best.settings = family.settings_at(space[space.size() - 1]);
  const cache::RunId run = store.begin(start);
  store.publish(run, best);
  store.finish(run, cache::RunState::done);
  return tuner::json_of(best.settings);
}

TEST(WarmStart, BeginsWithTheWinnerOfAnotherCountUnlessToldNotTo) {
  const Home home;
  const Said first = home.run(tune_of("2^16"));
  ASSERT_EQ(first.code, 0) << first.err;
  EXPECT_FALSE(first.says("beginning with")) << first.err;
  EXPECT_EQ(lines_of(home.logs().at(0)).at(0).at("warm_start"), json::array());
  const json winner = let_another_win(home, 1 << 18);

  const Said cold = home.run(tune_of("2^18", {"--no-warm-start"}));
  ASSERT_EQ(cold.code, 0) << cold.err;
  EXPECT_FALSE(cold.says("beginning with")) << cold.err;
  EXPECT_NE(tried(home.logs().at(1)).at(1), winner);
  EXPECT_EQ(lines_of(home.logs().at(1)).at(0).at("warm_start"), json::array());

  const json standing = home.run({"query", "--device", "host", "--count", "2^18", "--json"})
                            .document()
                            .at("settings");

  const Said warm = home.run(tune_of("2^18", {"--seed", "2", "--fresh"}));
  ASSERT_EQ(warm.code, 0) << warm.err;
  EXPECT_TRUE(warm.says(beginning + "sum f32 2^16 cold\n")) << warm.err;
  const auto trials = tried(home.logs().at(2));
  ASSERT_GE(trials.size(), 4U);
  // The answer from before is tried beyond the budget where the search did not come to it.
  const bool came_to_it =
      std::find(trials.begin(), trials.begin() + 4, standing) != trials.begin() + 4;
  ASSERT_EQ(trials.size(), came_to_it ? 4U : 5U);
  EXPECT_TRUE(came_to_it || trials[4] == standing);
  EXPECT_EQ(trials[0], tried(home.logs().at(1)).at(0)) << "the default comes first";
  EXPECT_EQ(trials[1], winner);
  const json start = lines_of(home.logs().at(2)).at(0);
  ASSERT_EQ(start.at("warm_start").size(), 1U);
  EXPECT_EQ(start.at("warm_start")[0].at("problem").at("count"), 1 << 16);
  EXPECT_EQ(start.at("warm_start")[0].at("settings"), winner);
}

TEST(WarmStart, IsGuidedByTheTrialsOfOthersWhereTheStrategyHasAModel) {
  const Home home;
  ASSERT_EQ(home.run(tune_of("2^10", {"--budget", "12"})).code, 0);
  const auto guided = [&](const Words& more) {
    const Said said = home.run(tune_of("2^12", more));
    EXPECT_EQ(said.code, 0) << said.err;
    return said.says("guided by 12 trials of 1 problem like this one\n");
  };
  EXPECT_TRUE(guided({"--seed", "1"}));
  EXPECT_TRUE(guided({"--seed", "1", "--fresh", "--strategy", "surrogate"}));
  EXPECT_FALSE(guided({"--seed", "1", "--fresh", "--strategy", "hill_climbing"}));
  EXPECT_FALSE(guided({"--seed", "1", "--fresh", "--no-warm-start"}));
}

TEST(WarmStart, IsTheSameWhenTheRunIsGoneOnWith) {
  const Home home;
  ASSERT_EQ(home.run(tune_of("2^10", {"--budget", "2"})).code, 0);
  const json winner = let_another_win(home, 1 << 12);
  Running running(home, tune_of("2^12", {"--budget", "2000"}));
  ASSERT_TRUE(await_trials(home, 3));
  EXPECT_EQ(running.end_with(SIGKILL).code, -SIGKILL);
  const std::vector<json> before = tried(home.logs().back());
  ASSERT_GE(before.size(), 3U);
  EXPECT_EQ(before[1], winner);

  const Said later = home.run(tune_of("2^12", {"--budget", "3", "--no-warm-start"}));
  ASSERT_EQ(later.code, 0) << later.err;
  EXPECT_TRUE(later.says("continuing")) << later.err;
  const std::vector<json> after = tried(home.logs().back());
  // As many as the budget allows come as they came before; what else was measured is not lost.
  ASSERT_GE(after.size(), before.size());
  EXPECT_TRUE(std::equal(before.begin(), before.begin() + 3, after.begin()));
  for (const json& one : before) {
    EXPECT_EQ(std::count(after.begin(), after.end(), one), 1) << one;
  }
}

}  // namespace
}  // namespace redtune::cli
