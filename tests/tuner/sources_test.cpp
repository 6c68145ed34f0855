// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Which trials of which runs guide a search.
#include "tuner/session/sources.hpp"

#include <algorithm>
#include <chrono>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

#include "tests/tuner/neighbours.hpp"
#include "tuner/shipped/shipped_trials.hpp"

namespace redtune::tuner {
namespace {

class Sources : public WarmStart {
 protected:
  [[nodiscard]] std::vector<cache::Trial> trials(std::size_t count, double first_us = 1) const {
    std::vector<cache::Trial> all;
    for (std::size_t i = 0; i < count; ++i) {
      const double us = first_us + static_cast<double>(i);
      cache::Trial& trial = all.emplace_back();
      trial.sequence = static_cast<std::int64_t>(i);
      trial.settings = config(i);
      trial.phase = "search";
      trial.status = "ok";
      trial.time_us = Interval{us, us, us};
      trial.samples = 9;
    }
    return all;
  }
  [[nodiscard]] auto source(const Question& other, std::span<const cache::Trial> of) const {
    return source_of(asked_question(), other, of, *request.family);
  }
  cache::RunId store_run(const Problem& problem, double first_us, bool ends = true) {
    cache::RunStart start = cache::testing::sample_start();
    start.problem = problem;
    const cache::RunId run = store.begin(start);
    for (const cache::Trial& trial : trials(9, first_us)) store.record(run, trial);
    if (ends) store.finish(run, cache::RunState::done, "winner");
    return run;
  }

  cache::Store store = cache::Store::in_memory();
};

TEST_F(Sources, AreTheTimesOfConfigsThatRan) {
  auto all = trials(11);
  all[2].time_us.reset();
  all[2].status = "compile_failed";
  all[3].settings = {{"of_another_version", "1"}};
  all[10].settings = parse_settings("finish=slots slot_wait=pause");  // a value of another version
  cache::Trial disqualified = all[4];
  disqualified.phase = "confirm";
  disqualified.time_us.reset();
  all.push_back(disqualified);
  all.push_back(trials(12)[11]);
  const auto found = source(of_count(1 << 20), all);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->observations.size(), 8U);
  EXPECT_NEAR(found->nearness, 1.0 / 9, 1e-6) << "a factor of two in count, four times";
}

TEST_F(Sources, AreNoneOfTheSameQuestionNorOfTooFewTrials) {
  EXPECT_TRUE(source(of_count(1 << 20), trials(8)).has_value());
  EXPECT_FALSE(source(of_count(1 << 20), trials(7)).has_value());
  EXPECT_FALSE(source(asked_question(), trials(8)).has_value());
  Question other = of_count(1 << 20);
  other.device_class.platform = "cuda";
  EXPECT_FALSE(source(other, trials(8)).has_value());
}

TEST_F(Sources, OfAStoreAreTheLatestRunsOfTheNearestQuestions) {
  const auto sum_of = [](std::int64_t count) { return make_problem(Op::sum, DType::f32, count); };
  store_run(sum_of(1 << 10), 500);
  for (const int log2 : {16, 17, 18}) store_run(sum_of(std::int64_t{1} << log2), 50.0 + log2);
  store_run(sum_of(1 << 23), 100);
  store_run(sum_of(1 << 23), 200);
  store_run(sum_of(1 << 21), 300);
  store_run(sum_of(1 << 22), 400, false);
  store_run(make_problem(Op::sum, DType::u32, 1 << 24), 600);
  store_run(asked_question().problem, 700);
  RunLog log{std::nullopt};
  const cache::RunStart start = cache::testing::sample_start();
  const auto let_the_clock_tick = [] { std::this_thread::sleep_for(std::chrono::milliseconds(3)); };
  let_the_clock_tick();
  const Journal journal(store, start, log, Resume::no);
  let_the_clock_tick();
  store_run(sum_of(1 << 25), 800);  // later
  const auto found = sources_for(store, journal, *request.family);
  std::vector<double> cheapest;
  for (const search::SourceTask& one : found) {
    double least = 1e9;
    for (const auto& [point, cost] : one.observations) least = std::min(least, *cost);
    cheapest.push_back(least);
  }
  EXPECT_EQ(cheapest, (std::vector<double>{200, 600, 300, 68, 67, 66}));
  EXPECT_EQ(describe(found), "guided by 54 trials of 6 problems like this one");
  EXPECT_EQ(describe(std::span(found).first(1)), "guided by 9 trials of 1 problem like this one");
}

/// A run here tells more of a problem than what ships of it, but not one that was cut short.
TEST_F(Sources, OfAStoreReplaceWhatShipsWhereTheyTellEnough) {
  const ShippedTrials& shipped = shipped_trials().front();
  cache::RunStart start = cache::testing::sample_start();
  start.device.device_class = shipped.question.device_class;
  start.problem = shipped.question.problem;
  const auto run_of = [&](std::size_t count) {
    const cache::RunId run = store.begin(start);
    for (const cache::Trial& trial : trials(count)) store.record(run, trial);
    store.finish(run, cache::RunState::done, "winner");
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
  };
  const auto sizes = [&] {
    RunLog log{std::nullopt};
    cache::RunStart asked = start;
    asked.problem.count = start.problem.count * 2;
    const Journal journal(store, asked, log, Resume::no);
    std::vector<std::size_t> observed;
    for (const auto& one : sources_for(store, journal, *request.family)) {
      observed.push_back(one.observations.size());
    }
    return observed;
  };
  std::vector<std::size_t> expected(most_sources, 160);
  run_of(3);
  EXPECT_EQ(sizes(), expected);
  run_of(9);
  expected.front() = 9;
  EXPECT_EQ(sizes(), expected);
}

/// As many runs here as sources, near and far, beside what ships: the nearest of all, of equally
/// near ones those of here.
TEST_F(Sources, OfWhatShipsAreThoseThatAreNearer) {
  cache::RunStart start = cache::testing::sample_start();
  start.device.device_class = shipped_trials().front().question.device_class;
  const auto sum_of = [](int log2, CacheMode mode) {
    return make_problem(Op::sum, DType::f32, std::int64_t{1} << log2, mode);
  };
  start.problem = sum_of(19, CacheMode::warm);
  const Question asked = cache::question_of(start);
  std::vector<Question> told;
  std::vector<search::SourceTask> all;
  for (const int log2 : {21, 23, 25, 27, 29, 31}) {
    start.problem = sum_of(log2, CacheMode::warm);
    const cache::RunId run = store.begin(start);
    for (const cache::Trial& trial : trials(9)) store.record(run, trial);
    store.finish(run, cache::RunState::done, "winner");
    told.push_back(cache::question_of(start));
    all.push_back(source_of(asked, told.back(), trials(9), *request.family).value());
  }
  const auto is_told = [&](const Question& shipped) {
    return std::ranges::any_of(told,
                               [&](const Question& one) { return one.problem == shipped.problem; });
  };
  for (auto& one : shipped_sources(asked, *request.family, is_told)) all.push_back(std::move(one));
  keep_nearest(all);
  const auto found = sources_ahead(store, asked, std::nullopt, *request.family);
  ASSERT_EQ(found.size(), most_sources);
  std::size_t of_here = 0;
  for (std::size_t i = 0; i < most_sources; ++i) {
    EXPECT_EQ(found[i].observations, all[i].observations) << i;
    EXPECT_EQ(found[i].nearness, all[i].nearness) << i;
    of_here += found[i].observations.size() == 9 ? 1 : 0;
  }
  EXPECT_GT(of_here, 0U);
  EXPECT_LT(of_here, most_sources) << "some of what ships is nearer";
}

}  // namespace
}  // namespace redtune::tuner
