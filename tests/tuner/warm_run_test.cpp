// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Runs that begin with stored winners: when they are tried, and that a run that is gone on with
// keeps to what it began with.
#include <functional>
#include <gtest/gtest.h>
#include <thread>

#include "search/registry.hpp"
#include "tests/tuner/neighbours.hpp"
#include "tuner/session/predict.hpp"

namespace redtune::tuner {
namespace {

using cache::testing::ScratchFolder;

TEST_F(WarmStart, IsTriedAfterTheDefaultAndBeforeTheKnownShapesByEveryStrategy) {
  const std::vector<StoredBest> winners =
      nearest({result(of_count(1 << 20), config(40)), result(of_count(1 << 10), config(50))});
  for (const auto& strategy : search::strategies()) {
    request.strategy = strategy.name;
    request.start.clear();
    FakeEvaluator without([](const search::Point&) { return measured(10); });
    (void)tune(request, without, {});
    for (const StoredBest& winner : winners) request.start.push_back(winner.best.settings);
    FakeEvaluator with([](const search::Point&) { return measured(10); });
    (void)tune(request, with, {});
    std::vector<search::Point> begin{default_point(request)};
    for (const search::Point& point : points_of(winners)) begin.push_back(point);
    ASSERT_EQ(begin.size(), 3U);
    begin.push_back(without.asked().at(1));  // the first of the known shapes
    EXPECT_EQ(std::vector(with.asked().begin(), with.asked().begin() + 4), begin) << strategy.name;
  }
}

/// A store that learns, and a run in it.
class WarmStartOfARun : public WarmStart {
 protected:
  WarmStartOfARun() {
    start.problem = request.problem;
    request.strategy = "hill_climbing";
    request.isa = start.device.device_class.isa;
    publish(1 << 20, 40);
    publish(1 << 10, 50);
  }
  void publish(std::int64_t count, std::size_t number) {
    cache::RunStart other = start;
    other.problem.count = count;
    cache::Best best = cache::testing::sample_best();
    best.settings = config(number);
    const cache::RunId run = store.begin(other);
    store.publish(run, best);
    store.finish(run, cache::RunState::done);
  }
  [[nodiscard]] std::vector<StoredBest> winners(const Journal& journal) const {
    return winners_for(store, journal, *request.family, request.limits)
        .value_or(std::vector<StoredBest>{});
  }
  /// Tries so many configs and gives up; all points that the strategy came by.
  std::vector<search::Point> run(Journal& journal, const std::vector<StoredBest>& from,
                                 std::size_t trials) {
    TuneRequest now = request;
    for (const StoredBest& winner : from) now.start.push_back(winner.best.settings);
    Known known = journal.known(*request.family);
    now.known = std::move(known.trials);
    now.next_sequence = known.next_sequence;
    now.budget = {.evaluations = trials};
    FakeEvaluator evaluator([](const search::Point& point) {
      return measured(10 + static_cast<double>(std::hash<search::Point>{}(point) % 100));
    });
    TuneObserver observer;
    std::vector<search::Point> points;
    observer.on_trial = [&](const Trial& trial, const Progress&) {
      points.push_back(trial.point);
      journal.record(trial);
    };
    (void)tune(now, evaluator, observer);
    journal.fail("the device went away");
    return points;
  }

  cache::RunStart start = cache::testing::sample_start();
  cache::Store store = cache::Store::in_memory();
  RunLog log{std::nullopt};
};

TEST_F(WarmStartOfARun, IsWhatTheStoreKnows) {
  const Journal journal(store, start, log, Resume::yes);
  EXPECT_EQ(points_of(winners(journal)), (std::vector{request.family->point_of(config(40)),
                                                      request.family->point_of(config(50))}));
}

TEST_F(WarmStartOfARun, StaysAsItWasWhenTheRunIsGoneOnWith) {
  // Of 2, 16 and 24 trials: within the winners, behind them.
  for (const std::size_t trials : {2U, 16U, 24U}) {
    ++start.seed;
    std::vector<search::Point> straight;
    std::vector<StoredBest> began;
    {
      Journal journal(store, start, log, Resume::no);
      began = winners(journal);
      straight = run(journal, began, 40);
    }
    {
      Journal journal(store, start, log, Resume::no);
      ASSERT_EQ(winners(journal), began);
      (void)run(journal, began, trials);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));  // the store's times have so much
    publish(1 << 23, 60 + trials);                              // nearer than what was known
    Journal journal(store, start, log, Resume::yes);
    ASSERT_TRUE(journal.is_resumed());
    EXPECT_EQ(winners(journal), began);
    EXPECT_EQ(run(journal, winners(journal), 40), straight) << trials;
  }
}

TEST_F(WarmStartOfARun, IsNoneWhereTheRunBeganWithout) {
  {
    Journal journal(store, start, log, Resume::no);
    (void)run(journal, {}, 5);
  }
  const Journal journal(store, start, log, Resume::yes);
  ASSERT_TRUE(journal.is_resumed());
  EXPECT_EQ(winners_for(store, journal, *request.family, request.limits), std::nullopt);
}

/// Guided by others a search tries winners and shapes among points of its own.
TEST_F(WarmStartOfARun, StaysAsItWasWhereTheSearchWasGuided) {
  request.strategy = "auto";
  for (std::size_t i = 0; i < 40; ++i) {
    request.sources.resize(1);
    request.sources[0].observations.push_back(
        {request.family->point_of(config(i)), 1 + static_cast<double>(i % 7)});
  }
  for (const std::size_t trials : {3U, 16U}) {
    ++start.seed;
    std::vector<StoredBest> began;
    {
      Journal journal(store, start, log, Resume::no);
      began = winners(journal);
      ASSERT_EQ(began.size(), 2U);
      const auto points = run(journal, began, trials);
      ASSERT_NE(std::vector(points.begin() + 1, points.begin() + 3), points_of(began));
    }
    const Journal journal(store, start, log, Resume::yes);
    ASSERT_TRUE(journal.is_resumed());
    EXPECT_EQ(winners_for(store, journal, *request.family, request.limits), began) << trials;
  }
}

TEST_F(WarmStartOfARun, StandsInTheFirstLineOfItsLog) {
  const ScratchFolder folder;
  RunLog file(folder / "logs");
  Journal journal(store, start, file, Resume::yes);
  journal.record_start(winners(journal));
  const Json line = Json::parse(cache::testing::read_text(file.file()));
  EXPECT_EQ(line.at("kind"), "start");
  const Json& rows = line.at("warm_start");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].at("problem").at("count"), 1 << 20);
  EXPECT_EQ(rows[0].at("result"), 1);
  EXPECT_EQ(rows[0].at("device"), start.device.name);
  EXPECT_EQ(rows[0].at("settings"), json_of(config(40)));
  EXPECT_EQ(rows[1].at("problem").at("count"), 1 << 10);
}

TEST_F(WarmStartOfARun, ItsWinnerIsToldWithItsTrials) {
  const Question asked = cache::question_of(start);
  EXPECT_TRUE(told_problems(store, asked).empty()) << "nothing was tried";
  start.problem.count = 1 << 21;
  const cache::RunId run = store.begin(start);
  store.record(run, cache::testing::sample_trial(0));
  auto told = told_problems(store, asked);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].winner, std::nullopt);
  cache::Best best = cache::testing::sample_best();
  best.settings = config(60);
  store.publish_and_finish(run, best, cache::RunState::done, "");
  told = told_problems(store, asked);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].problem, start.problem);
  EXPECT_EQ(told[0].winner, best.settings);

  cache::RunStart other = start;
  other.device.toolchain.driver = "another";
  const cache::RunId elsewhere = store.begin(other);
  store.record(elsewhere, cache::testing::sample_trial(0));
  cache::Best of_other = best;
  of_other.settings = config(61);
  store.publish_and_finish(elsewhere, of_other, cache::RunState::done, "");
  EXPECT_EQ(told_problems(store, asked)[0].winner, best.settings) << "of its own toolchain";
  EXPECT_EQ(told_problems(store, cache::question_of(other))[0].winner, of_other.settings);
}

}  // namespace
}  // namespace redtune::tuner
