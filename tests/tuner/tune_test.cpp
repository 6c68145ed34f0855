// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The loop over a formula instead of a GPU: what it finds, what it costs, what it tells.
#include "tuner/session/tune.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <thread>

#include "kernel_templates/reduce/library_shapes.hpp"
#include "search/registry.hpp"
#include "tests/tuner/fake_evaluator.hpp"
#include "tuner/session/asks.hpp"
#include "tuner/tuner.hpp"

namespace redtune::tuner {
namespace {

/// Microseconds that grow with the distance from one place of the space.
FakeEvaluator::Formula bowl_around(const search::Point& best) {
  return [best](const search::Point& point) {
    double us = 10;
    for (std::size_t axis = 0; axis < point.size(); ++axis) {
      const double off = static_cast<double>(point[axis]) - static_cast<double>(best[axis]);
      us += off * off;
    }
    return measured(us);
  };
}

FakeEvaluator::Formula flat() {
  return [](const search::Point&) { return measured(10); };
}

/// A valid config far from the default.
search::Point far_from_default(const TuneRequest& request) {
  const search::Space space = request.family->space(request.problem, request.limits);
  return space[space.size() - 1];
}

TEST(Tune, FindsTheOnlyOptimumWhenItTriesEverything) {
  TuneRequest request = request_for_gpu();
  request.budget = {};
  const search::Point best = far_from_default(request);
  FakeEvaluator evaluator(bowl_around(best));
  const TuneResult result = tune(request, evaluator, {});
  EXPECT_EQ(result.winner(), request.family->settings_at(best));
  EXPECT_TRUE(result.decision.significant);
  EXPECT_EQ(result.trials, result.space_size);
  EXPECT_FALSE(result.interrupted);
}

TEST(Tune, TriesWhatTheVendorsLibraryDoesHoweverSmallTheBudget) {
  for (const kernels::LibraryRow& row : kernels::library_rows()) {
    for (const DType type : {DType::f32, DType::f64, DType::i8}) {
      TuneRequest request = request_for_gpu();
      request.problem = make_problem(Op::sum, type, 1 << 20);
      request.isa = row.processor;
      request.strategy = "hill_climbing";
      request.budget = {.evaluations = 3};
      FakeEvaluator evaluator(flat());
      (void)tune(request, evaluator, {});
      for (const auto& shape : kernels::library_shapes(row.processor, request.problem.acc)) {
        EXPECT_TRUE(std::ranges::any_of(
            evaluator.asked(),
            [&](const search::Point& point) {
              const std::string config = to_string(request.family->settings_at(point));
              return config.find(fmt::format("block_size={} items_per_thread={} ", shape.block_size,
                                             shape.items_per_thread)) != std::string::npos;
            }))
            << row.processor << ' ' << to_string(type);
      }
    }
  }
}

TEST(Tune, FindsTheOptimumOfABowlByClimbingWithFewTrials) {
  TuneRequest request = request_for_gpu();
  request.strategy = "hill_climbing";
  request.budget = {.evaluations = 400};
  const search::Point best = far_from_default(request);
  FakeEvaluator evaluator(bowl_around(best));
  EXPECT_EQ(tune(request, evaluator, {}).winner(), request.family->settings_at(best));
}

TEST(Tune, KeepsTheDefaultWhenNothingIsBetter) {
  for (const double noise : {0.0, 0.02}) {
    const TuneRequest request = request_for_gpu();
    FakeEvaluator evaluator(flat(), noise);
    const TuneResult result = tune(request, evaluator, {});
    EXPECT_FALSE(result.decision.significant);
    EXPECT_EQ(result.winner(), result.default_settings);
    EXPECT_EQ(result.finalists.front(), result.default_settings);
  }
}

TEST(Tune, TimesTheDefaultAndAtMostEightOthersInTheFinal) {
  Watcher watcher;
  FakeEvaluator evaluator(flat());
  const TuneResult result = tune(request_for_gpu(), evaluator, watcher.observer());
  EXPECT_EQ(watcher.finals, std::vector<std::size_t>{9});
  EXPECT_EQ(result.finalists.size(), 9u);
  EXPECT_EQ(result.decision.times_us.size(), 9u);
}

TEST(Tune, SpendsItsEvaluationsAndNoMoreForEveryStrategy) {
  for (const auto& strategy : search::strategies()) {
    for (const std::size_t budget : {1u, 2u, 7u, 8u, 9u, 50u}) {
      TuneRequest request = request_for_gpu();
      request.strategy = strategy.name;
      request.budget = {.evaluations = budget};
      request.asks.ahead = budget % 3;
      FakeEvaluator evaluator(flat());
      const TuneResult result = tune(request, evaluator, {});
      EXPECT_EQ(result.trials, budget) << strategy.name;
      ASSERT_EQ(evaluator.asked().size(), budget) << strategy.name;
      EXPECT_EQ(evaluator.asked().front(), default_point(request)) << strategy.name;
      const std::set<search::Point> different(evaluator.asked().begin(), evaluator.asked().end());
      EXPECT_EQ(different.size(), budget) << strategy.name;
    }
  }
}

TEST(Tune, TriesFirstWhatItAsksForBeforeAnyResult) {
  for (const auto& strategy : search::strategies()) {
    for (const search::AskSizes sizes :
         {search::AskSizes{usual_batch}, {usual_batch, 2}, {4, 1, 9}}) {
      TuneRequest request = request_for_gpu();
      request.strategy = strategy.name;
      request.budget = {.evaluations = 40};
      request.asks = sizes;
      request.sources = {search::SourceTask{}};
      const auto first = asked_at_first(request);
      EXPECT_EQ(first.size(), sizes.asked_at_first()) << strategy.name;
      FakeEvaluator evaluator(flat());
      (void)tune(request, evaluator, {});
      ASSERT_EQ(evaluator.asked().size(), 40u) << strategy.name;
      EXPECT_TRUE(std::ranges::equal(std::span(first).first(sizes.batch),
                                     std::span(evaluator.asked()).first(sizes.batch)))
          << strategy.name;
      for (std::size_t i = 0; i < (sizes.ahead + 1) * sizes.batch; ++i) {
        EXPECT_GE(std::ranges::count(first, evaluator.asked()[i]), 1) << strategy.name;
      }
    }
  }
}

TEST(Tune, AsksForFewAtFirstWhereNobodyGuides) {
  TuneRequest request = request_for_gpu();
  request.asks = {.batch = 4, .ahead = 2, .first = 32};
  EXPECT_EQ(asked_at_first(request).size(), 12u);
  request.sources = {search::SourceTask{}};
  EXPECT_EQ(asked_at_first(request).size(), 32u);
}

TEST(CompiledTogether, AreBatchesAndFewAtFirst) {
  const std::vector<search::Point> points(70);
  const auto sizes = [&](std::size_t count, std::size_t batch) {
    std::vector<std::size_t> counts;
    for (const auto& some : compiled_together(std::span(points).first(count), batch)) {
      counts.push_back(some.size());
    }
    return counts;
  };
  using Sizes = std::vector<std::size_t>;
  EXPECT_EQ(sizes(0, 8), Sizes{});
  EXPECT_EQ(sizes(10, 4), (Sizes{4, 4, 2}));
  EXPECT_EQ(sizes(24, 8), (Sizes{8, 8, 8}));
  EXPECT_EQ(sizes(70, 64), (Sizes{8, 62}));
}

TEST(AskSizes, AreSmallWhereASearchIsBrief) {
  const search::Budget usual = search::parse_budget("auto");
  const search::Budget brief = search::parse_budget("brief");
  EXPECT_EQ(ask_sizes(usual, true), (search::AskSizes{.batch = 8, .ahead = 2}));
  EXPECT_EQ(ask_sizes(usual, false), (search::AskSizes{.batch = 8}));
  EXPECT_EQ(ask_sizes(brief, true), (search::AskSizes{.batch = 4, .ahead = 2, .first = 32}));
  EXPECT_EQ(ask_sizes(brief, false), (search::AskSizes{.batch = 4}));
}

TEST(Tune, EndsOnceItIsSettledWhereItsBudgetSaysSo) {
  TuneRequest request = request_for_gpu();
  request.budget = {.evaluations = 100};
  FakeEvaluator evaluator(flat());
  EXPECT_EQ(tune(request, evaluator, {}).trials, 100U);
  request.budget.until_settled = true;
  EXPECT_EQ(tune(request, evaluator, {}).trials, 64 + 8U) << "at the end of eight";
  request.sources = {{.observations = {{default_point(request), 10}}}};
  EXPECT_EQ(tune(request, evaluator, {}).trials, 32U);
}

TEST(Tune, TriesOnlyConfigsWithTheValuesItIsRestrictedTo) {
  TuneRequest request = request_for_gpu();
  request.budget = {};
  const auto value_of = [](const Settings& settings, const std::string& name) {
    return std::ranges::find(settings, name, &Setting::name)->value;
  };
  const Settings usual = request.family->settings_at(default_point(request));
  const std::string other = value_of(usual, "block_size") == "64" ? "128" : "64";
  for (const Settings& only :
       {Settings{{"block_size", other}, {"load", "cached"}},
        Settings{{"block_size", value_of(usual, "block_size")}, {"block_size", other}}}) {
    request.only = only;
    FakeEvaluator evaluator(flat());
    const TuneResult result = tune(request, evaluator, {});
    EXPECT_GT(result.trials, 1u);
    EXPECT_EQ(result.trials, result.space_size);
    EXPECT_EQ(result.only, only);
    for (const search::Point& point : evaluator.asked()) {
      EXPECT_TRUE(fits(request.family->settings_at(point), only));
    }
    EXPECT_EQ(result.default_settings, request.family->settings_at(evaluator.asked().front()));
    EXPECT_EQ(result.default_settings == usual, fits(usual, only)) << "else it is the nearest";
  }
}

TEST(Tune, RefusesARestrictionThatNothingMeets) {
  TuneRequest request = request_for_gpu();
  const auto refused = [&](const Settings& only, const std::string& hint) {
    request.only = only;
    FakeEvaluator evaluator(flat());
    try {
      (void)tune(request, evaluator, {});
      ADD_FAILURE() << to_string(only);
    } catch (const UsageError& error) {
      EXPECT_NE(std::string(error.what()).find(hint), std::string::npos) << error.what();
    }
    EXPECT_TRUE(evaluator.asked().empty());
  };
  refused({{"blocksize", "64"}}, "did you mean 'block_size'?");
  refused({{"block_size", "65"}}, "one of 1, 2, 4");
  refused({{"finish", "single_block"}, {"blocks_per_unit", "4"}}, "no config");
}

TEST(Tune, StopsWhenItsTimeIsSpent) {
  using namespace std::chrono_literals;
  TuneRequest request = request_for_gpu();
  request.budget = {.time = 100ms};
  FakeEvaluator evaluator([](const search::Point&) {
    std::this_thread::sleep_for(5ms);
    return measured(10);
  });
  const TuneResult result = tune(request, evaluator, {});
  EXPECT_GE(result.trials, 1u);
  EXPECT_LE(result.trials, 28u) << "20 fit the time, and the batch at its end may be finished";
}

TEST(Tune, TriesTheSamePointsForTheSameSeed) {
  const auto points = [](std::uint64_t seed) {
    TuneRequest request = request_for_gpu();
    request.strategy = "random";
    request.seed = seed;
    FakeEvaluator evaluator(flat());
    (void)tune(request, evaluator, {});
    return evaluator.asked();
  };
  EXPECT_EQ(points(5), points(5));
  EXPECT_NE(points(5), points(6));
}

TEST(Tune, TriesTheCallersStartRightAfterTheDefault) {
  TuneRequest request = request_for_gpu();
  const search::Point wanted = far_from_default(request);
  const Settings impossible = parse_settings("block_size=1 items_per_thread=1 vector_width=16");
  request.start = {impossible, request.family->settings_at(wanted)};
  FakeEvaluator evaluator(flat());
  (void)tune(request, evaluator, {});
  EXPECT_EQ(evaluator.asked().at(0), default_point(request));
  EXPECT_EQ(evaluator.asked().at(1), wanted) << "what cannot run here was not left out";
}

TEST(Tune, DecidesWithWhatItHasWhenItIsStopped) {
  std::atomic<bool> stop = false;
  TuneRequest request = request_for_gpu();
  request.budget = {};
  request.stop = &stop;
  FakeEvaluator evaluator(flat());
  TuneObserver observer;
  observer.on_trial = [&](const Trial& trial, const Progress&) { stop = trial.sequence >= 4; };
  const TuneResult result = tune(request, evaluator, observer);
  EXPECT_TRUE(result.interrupted);
  EXPECT_EQ(result.trials, 5u) << "the trial at work is finished";
  EXPECT_EQ(result.winner(), result.default_settings);
}

TEST(Tune, SaysThatNothingWasToldApartWhereNoiseIsAll) {
  std::atomic<bool> stop = false;
  TuneRequest request = request_for_gpu();
  TuneObserver observer;
  observer.on_trial = [&](const Trial& trial, const Progress&) { stop = trial.sequence >= 12; };
  const auto undecided = [&](double noise) {
    stop = false;
    FakeEvaluator evaluator(flat(), noise);
    const TuneResult result = tune(request, evaluator, observer);
    EXPECT_EQ(result.is_undecided, !result.why_not_published().empty());
    EXPECT_EQ(result.leaves_standing(), result.is_undecided && request.standing.has_value());
    return result.is_undecided;
  };
  EXPECT_FALSE(undecided(3)) << "a whole search found nothing better than the default";
  request.stop = &stop;
  EXPECT_TRUE(undecided(0.2));
  EXPECT_FALSE(undecided(0.0001)) << "the default is as good as any";
  request.standing = request.family->settings_at(far_from_default(request));
  EXPECT_TRUE(undecided(0.2));
  EXPECT_TRUE(undecided(0.0001)) << "the stored answer was not tried";
  request.standing.reset();
  observer.on_trial = [&](const Trial&, const Progress&) { stop = true; };
  EXPECT_TRUE(undecided(0.0001)) << "nothing but the default was tried";
}

TEST(Tune, EndsOnceAConfigIsGoodEnough) {
  TuneRequest request = request_for_gpu();
  FakeEvaluator all(flat());
  (void)tune(request, all, {});
  const search::Point fast = all.asked()[7];
  const auto formula = [&](const search::Point& point) { return measured(point == fast ? 5 : 10); };
  FakeEvaluator evaluator(formula);
  request.good_enough_us = 5.5;
  EXPECT_EQ(tune(request, evaluator, {}).trials, 8u);
  EXPECT_LT(evaluator.asked().size(), all.asked().size());
  request.good_enough_us = 1;
  FakeEvaluator patient(formula);
  EXPECT_EQ(tune(request, patient, {}).trials, 40u);
}

TEST(Tune, ReadsWhatIsGoodEnough) {
  const Problem problem = make_problem(Op::sum, DType::f32, 1 << 20);
  EXPECT_DOUBLE_EQ(good_enough_us("25us", problem), 25);
  EXPECT_DOUBLE_EQ(good_enough_us("1.5ms", problem), 1500);
  EXPECT_DOUBLE_EQ(good_enough_us("800ns", problem), 0.8);
  EXPECT_NEAR(good_enough_us("1000GB/s", problem), 4.194, 0.01);
  for (const char* wrong : {"", "25", "us", "-1us", "0us", "nanus", "25 us", "25us2", "1e999us"}) {
    EXPECT_THROW((void)good_enough_us(wrong, problem), UsageError) << wrong;
  }
}

TEST(Tune, TellsWhatItTriesAndHowManyFailed) {
  TuneRequest request = request_for_gpu();
  std::size_t number = 0;
  FakeEvaluator evaluator([&](const search::Point&) -> Outcome {
    return ++number == 3 ? Outcome(CompileFailed{"no"}) : measured(10);
  });
  Watcher watcher;
  std::vector<Settings> tried;
  TuneObserver observer = watcher.observer();
  observer.on_candidate = [&](const Settings& settings, const Progress&) {
    tried.push_back(settings);
  };
  (void)tune(request, evaluator, observer);
  ASSERT_EQ(tried.size(), watcher.trials.size());
  for (std::size_t i = 0; i < tried.size(); ++i) EXPECT_EQ(tried[i], watcher.trials[i].settings);
  EXPECT_EQ(watcher.steps.back().most_trials, 40u);
  EXPECT_EQ(watcher.steps.back().failed, 1u);
  EXPECT_FALSE(watcher.steps.front().seconds_left);
  EXPECT_TRUE(watcher.steps.back().seconds_left);
}

/// All that a search asks for; what it measured first is known to the request from then on.
std::vector<search::Point> know_thirty(TuneRequest& request) {
  FakeEvaluator first(flat());
  (void)tune(request, first, {});
  for (std::size_t i = 0; i < 30; ++i) request.known.emplace(first.asked()[i], measured(10));
  return first.asked();
}

TEST(Tune, DoesNotEvaluateWhatIsKnownButLearnsFromIt) {
  TuneRequest request = request_for_gpu();
  const std::vector<search::Point> asked = know_thirty(request);
  const search::Point best = asked[17];
  request.known[best] = measured(5);
  const auto formula = [&](const search::Point& point) { return measured(point == best ? 5 : 10); };
  FakeEvaluator second(formula);
  Watcher watcher;
  const TuneResult result = tune(request, second, watcher.observer());
  EXPECT_EQ(second.asked(), std::vector(asked.begin() + 30, asked.end()));
  EXPECT_EQ(result.trials, 40u);
  EXPECT_EQ(result.winner(), request.family->settings_at(best));
  for (const Trial& trial : watcher.trials) EXPECT_EQ(trial.replayed, trial.sequence < 30);
}

/// With another budget a strategy asks for others, and what was paid for is not lost.
TEST(Tune, TakesInWhatIsKnownAndWasNotAskedForAgain) {
  TuneRequest request = request_for_gpu();
  const std::vector<search::Point> asked = know_thirty(request);
  const search::Point best = asked[25];
  request.known[best] = measured(5);
  request.budget = {.evaluations = 8};
  const auto formula = [&](const search::Point& point) { return measured(point == best ? 5 : 10); };
  FakeEvaluator second(formula);
  Watcher watcher;
  const TuneResult result = tune(request, second, watcher.observer());
  EXPECT_TRUE(second.asked().empty()) << "all is known";
  EXPECT_EQ(result.trials, 30U);
  EXPECT_EQ(result.winner(), request.family->settings_at(best));
  std::set<search::Point> told;
  for (const Trial& trial : watcher.trials) {
    EXPECT_TRUE(trial.replayed);
    EXPECT_TRUE(told.insert(trial.point).second) << "twice";
  }
}

TEST(Tune, RacesNobodyAgainstWhatAnEarlierRunFoundOut) {
  TuneRequest request = request_for_gpu();
  const std::vector<search::Point> asked = know_thirty(request);
  const search::Point wrong = asked[17];
  request.disqualified.emplace(wrong, WrongResult{"a hidden mistake"});
  FakeEvaluator second(flat());
  const TuneResult result = tune(request, second, {});
  EXPECT_EQ(second.assumed.size(), 29U);
  EXPECT_FALSE(second.assumed.contains(wrong));
  for (const Settings& finalist : result.finalists) {
    EXPECT_NE(request.family->point_of(finalist), wrong);
  }
}

TEST(Tune, GivesADefaultThatFailedAnotherChance) {
  TuneRequest request = request_for_gpu();
  request.known.emplace(default_point(request), Implausible{"a time of 0"});
  request.next_sequence = 1;
  FakeEvaluator evaluator(flat());
  Watcher watcher;
  EXPECT_NO_THROW((void)tune(request, evaluator, watcher.observer()));
  EXPECT_EQ(evaluator.asked().front(), default_point(request));
  EXPECT_EQ(watcher.trials.front().sequence, 1U);
}

TEST(Tune, ReportsEveryTrialOnceInOrder) {
  TuneRequest request = request_for_gpu();
  FakeEvaluator evaluator(bowl_around(far_from_default(request)));
  Watcher watcher;
  const TuneResult result = tune(request, evaluator, watcher.observer());
  ASSERT_EQ(watcher.trials.size(), result.trials);
  double best = 1e9;
  for (std::size_t i = 0; i < watcher.trials.size(); ++i) {
    const Trial& trial = watcher.trials[i];
    EXPECT_EQ(trial.sequence, i);
    EXPECT_EQ(trial.point, evaluator.asked()[i]);
    EXPECT_EQ(trial.settings, request.family->settings_at(trial.point));
    EXPECT_EQ(watcher.steps[i].trials, i + 1);
    best = std::min(best, *cost_of(trial.evaluation.outcome));
    EXPECT_EQ(watcher.steps[i].best_us, best);
    EXPECT_TRUE(watcher.steps[i].default_us.has_value());
  }
  EXPECT_EQ(watcher.steps.back().share, 1);
  EXPECT_EQ(result.statuses, (std::map<std::string, std::size_t>{{"ok", 40}}));
}

}  // namespace
}  // namespace redtune::tuner
