// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Configs that fail in every way there is: none of them wins, none of them ends the run.
#include <gtest/gtest.h>

#include "cli/exit_code.hpp"
#include "redtune/error.hpp"
#include "tests/tuner/fake_evaluator.hpp"

namespace redtune::tuner {
namespace {

using cli::ExitCode;

/// One of each alternative that cannot win.
const std::vector<Outcome> failures{
    CompileFailed{"no"}, LaunchFailed{"no"}, WrongResult{"no"}, Flaky{"no"},
    Crashed{"no"},       TimedOut{"no"},     Implausible{"no"},
};

/// What the program would end with.
ExitCode code_of_tune(const TuneRequest& request, Evaluator& evaluator) {
  try {
    (void)tune(request, evaluator, {});
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()), "");
    return cli::exit_code_of(error);
  }
  return ExitCode::done;
}

TEST(TuneFaults, EveryOutcomeHasAStatusOfItsOwnAndOnlyRightOnesHaveACost) {
  std::set<std::string_view> statuses;
  for (const Outcome& outcome : failures) {
    statuses.insert(status_of(outcome));
    EXPECT_FALSE(cost_of(outcome)) << status_of(outcome);
    EXPECT_EQ(detail_of(outcome), "no");
    const auto again = outcome_of(status_of(outcome), {}, 0, "no");
    ASSERT_TRUE(again.has_value()) << status_of(outcome);
    EXPECT_EQ(again->index(), outcome.index());
    EXPECT_EQ(detail_of(*again), "no");
  }
  EXPECT_FALSE(outcome_of("ok", {}, 9, "")) << "a time is missing";
  EXPECT_FALSE(outcome_of("weird", {}, 9, ""));
  EXPECT_EQ(cost_of(outcome_of("slow", Interval{5, 5, 5}, 0, "").value()), 5.0);
  EXPECT_EQ(statuses.size(), std::variant_size_v<Outcome> - 2);
  EXPECT_EQ(status_of(measured(1)), "ok");
  EXPECT_EQ(status_of(Slow{5}), "slow");
  EXPECT_EQ(cost_of(measured(3)), 3.0);
  EXPECT_EQ(cost_of(Slow{5}), 5.0);
  EXPECT_EQ(detail_of(measured(1)), "");
}

TEST(TuneFaults, WhyFiguresCannotBeHadIsKeptAndCostsNoResult) {
  FakeEvaluator evaluator([](const search::Point&) { return measured(10); });
  evaluator.no_figures = "a batch took no time";
  const TuneResult result = tune(request_for_gpu(), evaluator, {});
  EXPECT_EQ(result.figures.unknown, "a batch took no time");
  EXPECT_FALSE(result.finalists.empty());
}

TEST(TuneFaults, NoFailingConfigBecomesAFinalist) {
  const TuneRequest request = request_for_gpu();
  for (const Outcome& failure : failures) {
    const auto fails = [&](const search::Point& point) {
      return point != default_point(request) && std::hash<search::Point>{}(point) % 2 == 0;
    };
    FakeEvaluator evaluator(
        [&](const search::Point& point) { return fails(point) ? failure : measured(10); });
    const TuneResult result = tune(request, evaluator, {});
    for (const Settings& finalist : result.finalists) {
      EXPECT_FALSE(fails(request.family->point_of(finalist))) << status_of(failure);
    }
    EXPECT_GT(result.finalists.size(), 1u);
    EXPECT_GT(result.statuses.at(std::string(status_of(failure))), 0u);
    EXPECT_EQ(result.trials, 40u) << "the run ended early: " << status_of(failure);
  }
}

TEST(TuneFaults, TheDefaultWinsWhenEverythingElseFails) {
  const TuneRequest request = request_for_gpu();
  for (const Outcome& failure : failures) {
    FakeEvaluator evaluator([&](const search::Point& point) {
      return point == default_point(request) ? measured(10) : failure;
    });
    const TuneResult result = tune(request, evaluator, {});
    EXPECT_EQ(result.winner(), result.default_settings) << status_of(failure);
    EXPECT_EQ(result.finalists.size(), 1u);
    EXPECT_FALSE(result.decision.significant);
  }
}

TEST(TuneFaults, NothingIsValidWhenTheDefaultFails) {
  const TuneRequest request = request_for_gpu();
  for (const Outcome& failure : failures) {
    FakeEvaluator evaluator([&](const search::Point& point) {
      return point == default_point(request) ? failure : measured(10);
    });
    // Times that cannot be are no fault of the default.
    const ExitCode expected = std::holds_alternative<Implausible>(failure)
                                  ? ExitCode::untrustworthy
                                  : ExitCode::nothing_valid;
    EXPECT_EQ(code_of_tune(request, evaluator), expected) << status_of(failure);
  }
}

TEST(TuneFaults, AFinalistThatFailsItsChallengeIsRecordedAsWrongAndOthersMoveUp) {
  const TuneRequest request = request_for_gpu();
  FakeEvaluator plain([&](const search::Point& point) {
    // The default is in the final anyway: it is none of those that move up.
    if (point == default_point(request)) return measured(11);
    return measured(10 + static_cast<double>(std::hash<search::Point>{}(point) % 1000) / 1e4);
  });
  const TuneResult before = tune(request, plain, {});
  ASSERT_GT(before.finalists.size(), 3U);
  FakeEvaluator evaluator(plain);
  for (std::size_t i = 1; i < 4; ++i) {
    evaluator.hidden_mistakes.insert(request.family->point_of(before.finalists[i]));
  }
  Watcher watcher;
  const TuneResult after = tune(request, evaluator, watcher.observer());
  EXPECT_EQ(after.finalists.size(), before.finalists.size());
  for (const Settings& finalist : after.finalists) {
    EXPECT_FALSE(evaluator.hidden_mistakes.contains(request.family->point_of(finalist)));
  }
  EXPECT_EQ(after.statuses.at("wrong_result"), 3U);
  EXPECT_EQ(after.trials, before.trials) << "the budget is the search's";
  ASSERT_EQ(watcher.trials.size(), after.trials + 3);
  const Trial& last = watcher.trials.back();
  EXPECT_EQ(detail_of(last.evaluation.outcome), "a hidden mistake");
  EXPECT_EQ(last.phase, TrialPhase::confirm);
  EXPECT_EQ(last.sequence, 2U);
}

TEST(TuneFaults, AFaultThatComesToLightInAChallengeIsChargedToWhoCausedIt) {
  const TuneRequest request = request_for_gpu();
  FakeEvaluator plain([&](const search::Point& point) {
    return measured(point == default_point(request) ? 20 : 10);
  });
  const TuneResult before = tune(request, plain, {});
  ASSERT_GT(before.finalists.size(), 2U);
  const search::Point culprit = request.family->point_of(before.finalists[1]);
  const search::Point innocent = request.family->point_of(before.finalists[2]);
  FakeEvaluator evaluator(plain);
  evaluator.stale_faults.emplace(innocent, Update{culprit, Crashed{"it came to light later"}});
  Watcher watcher;
  const TuneResult after = tune(request, evaluator, watcher.observer());
  const auto is_finalist = [&](const search::Point& point) {
    return std::ranges::count(after.finalists, request.family->settings_at(point)) == 1;
  };
  EXPECT_FALSE(is_finalist(culprit));
  EXPECT_TRUE(is_finalist(innocent));
  EXPECT_EQ(watcher.trials.back().point, culprit);
  // The copy remembers what the plain one was asked.
  const auto asked_before = std::ranges::count(plain.challenged(), innocent);
  EXPECT_EQ(std::ranges::count(evaluator.challenged(), innocent) - asked_before, 2)
      << "asked again";
}

TEST(TuneFaults, WhoLostAgainstOneThatIsFoundOutIsRacedAgain) {
  const TuneRequest request = request_for_gpu();
  FakeEvaluator plain([](const search::Point&) { return measured(10); });
  (void)tune(request, plain, {});
  const search::Point wrong = plain.asked()[1];
  const auto time_of = [&](const search::Point& point) {
    return 20 + static_cast<double>(std::hash<search::Point>{}(point) % 1000) / 100;
  };
  const FakeEvaluator* asked = nullptr;
  FakeEvaluator evaluator([&](const search::Point& point) -> Outcome {
    if (point == default_point(request)) return measured(40);
    if (point == wrong) return measured(5);
    return asked->challenged().empty() ? Outcome(Slow{time_of(point)}) : measured(time_of(point));
  });
  asked = &evaluator;
  evaluator.hidden_mistakes.insert(wrong);
  Watcher watcher;
  const TuneResult result = tune(request, evaluator, watcher.observer());
  std::map<search::Point, int> times_asked;
  double fastest_us = 40;
  for (const search::Point& point : evaluator.asked()) {
    ++times_asked[point];
    if (point != wrong) fastest_us = std::min(fastest_us, time_of(point));
  }
  std::size_t again = 0;
  for (const auto& [point, times] : times_asked) {
    if (times == 1) continue;
    ++again;
    EXPECT_EQ(times, 2);
    EXPECT_LT(time_of(point), 1.1 * fastest_us) << "who is far behind is not raced again";
  }
  EXPECT_GT(again, 0U);
  EXPECT_EQ(time_of(request.family->point_of(result.winner())), fastest_us);
  EXPECT_EQ(evaluator.asked().size(), result.trials + again) << "the budget is the search's";
  std::set<std::size_t> sequences;
  for (const Trial& trial : watcher.trials) {
    if (trial.phase != TrialPhase::search) continue;
    EXPECT_TRUE(sequences.insert(trial.sequence).second) << trial.sequence;
  }
}

TEST(TuneFaults, NothingIsValidWhenTheDefaultFailsItsChallenge) {
  const TuneRequest request = request_for_gpu();
  FakeEvaluator evaluator([](const search::Point&) { return measured(10); });
  evaluator.hidden_mistakes.insert(default_point(request));
  EXPECT_EQ(code_of_tune(request, evaluator), ExitCode::nothing_valid);
}

TEST(TuneFaults, ASlowDefaultIsStillTimedAgainstTheBest) {
  const TuneRequest request = request_for_gpu();
  FakeEvaluator evaluator([&](const search::Point& point) -> Outcome {
    if (point == default_point(request)) return Slow{100};
    return measured(10);
  });
  const TuneResult result = tune(request, evaluator, {});
  EXPECT_NE(result.winner(), result.default_settings);
  EXPECT_NEAR(result.decision.gain.median, 10, 0.1);
}

TEST(TuneFaults, SlowConfigsAreNoFinalists) {
  const TuneRequest request = request_for_gpu();
  FakeEvaluator evaluator([&](const search::Point& point) -> Outcome {
    if (point == default_point(request)) return measured(10);
    return Slow{1};
  });
  EXPECT_EQ(tune(request, evaluator, {}).finalists.size(), 1u);
}

TEST(TuneFaults, AConfigThatIsFastInSearchOnlyDoesNotWin) {
  // A lucky search: the final's rounds say that all configs are equal.
  const TuneRequest request = request_for_gpu();
  int calls = 0;
  FakeEvaluator evaluator([&](const search::Point& point) {
    const bool in_search = ++calls <= 40;
    return measured(in_search && point != default_point(request) ? 5 : 10);
  });
  const TuneResult result = tune(request, evaluator, {});
  EXPECT_EQ(result.winner(), result.default_settings);
  EXPECT_FALSE(result.decision.significant);
}

TEST(TuneFaults, AFinalistThatFailsInTheFinalIsOutAndTheFinalBeginsAgain) {
  const TuneRequest request = request_for_gpu();
  FakeEvaluator evaluator([](const search::Point&) { return measured(10); });
  const TuneResult before = tune(request, evaluator, {});
  const search::Point late = request.family->point_of(before.finalists.at(2));
  evaluator.late_mistakes = {late};
  FakeEvaluator again(evaluator);
  const TuneResult after = tune(request, again, {});
  for (const Settings& finalist : after.finalists) {
    EXPECT_NE(request.family->point_of(finalist), late);
  }
  EXPECT_EQ(after.statuses.at("crashed"), 1U);
  evaluator.late_mistakes = {default_point(request)};
  EXPECT_EQ(code_of_tune(request, evaluator), ExitCode::nothing_valid);
}

TEST(TuneFaults, WhatIsFoundOutDuringTheSearchCannotWin) {
  const TuneRequest request = request_for_gpu();
  FakeEvaluator evaluator([](const search::Point&) { return measured(10); });
  const TuneResult before = tune(request, evaluator, {});
  const search::Point suspect = request.family->point_of(before.finalists.at(1));
  FakeEvaluator again([](const search::Point&) { return measured(10); });
  TuneObserver observer;
  observer.on_trial = [&](const Trial& trial, const Progress&) {
    if (trial.sequence == 39) again.next_updates = {{suspect, Crashed{"it was you"}}};
  };
  const TuneResult after = tune(request, again, observer);
  for (const Settings& finalist : after.finalists) {
    EXPECT_NE(request.family->point_of(finalist), suspect);
  }
}

TEST(TuneFaults, SaysWhoElseUsedTheDevice) {
  FakeEvaluator evaluator([](const search::Point&) { return measured(10); });
  evaluator.others = "4711 (python)";
  EXPECT_EQ(tune(request_for_gpu(), evaluator, {}).disturbance, "4711 (python)");
}

TEST(TuneFaults, AMeasurementThatReactsToNothingEndsTheRun) {
  class Inert final : public Evaluator {
   public:
    [[nodiscard]] std::vector<Evaluation> evaluate(std::span<const search::Point> points) override {
      return std::vector<Evaluation>(points.size(), Evaluation{measured(10)});
    }
    [[nodiscard]] std::variant<Rounds, Update> confirm(std::span<const search::Point>,
                                                       const FinalLimits&) override {
      ADD_FAILURE() << "confirmed what is inert";
      return Rounds{};
    }
    [[nodiscard]] Figures figures(const search::Point&) override { return {}; }
  };
  Inert evaluator;
  EXPECT_EQ(code_of_tune(request_for_gpu(), evaluator), ExitCode::untrustworthy);
}

TEST(TuneFaults, AnUnknownStrategyIsTheCallersMistake) {
  TuneRequest request = request_for_gpu();
  request.strategy = "gird";
  FakeEvaluator evaluator([](const search::Point&) { return measured(1); });
  EXPECT_EQ(code_of_tune(request, evaluator), ExitCode::usage);
}

}  // namespace
}  // namespace redtune::tuner
