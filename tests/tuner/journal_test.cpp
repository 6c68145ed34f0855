// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A run is kept while it goes on, can be continued, and outlives a disk that fills up.
#include "tuner/session/journal.hpp"

#include <csignal>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "runtime/space_key.hpp"
#include "tests/cache/samples.hpp"
#include "tests/tuner/fake_evaluator.hpp"

namespace redtune::tuner {
namespace {

using cache::testing::in_child;
using cache::testing::ScratchFolder;

cache::RunStart start_of(const TuneRequest& request) {
  cache::RunStart start = cache::testing::sample_start();
  start.problem = request.problem;
  start.space_key = runtime::space_key(*request.family);
  start.seed = request.seed;
  return start;
}

Outcome some_outcome(const search::Point& point) {
  const std::size_t kind = std::hash<search::Point>{}(point) % 10;
  if (kind == 0) return WrongResult{"expected 7, got 8"};
  if (kind == 1) return Slow{100};
  return measured(10 + static_cast<double>(kind) / 10);
}

/// The default is always right.
FakeEvaluator evaluator_for(const TuneRequest& request) {
  return FakeEvaluator([at = default_point(request)](const search::Point& point) {
    return point == at ? measured(20) : some_outcome(point);
  });
}

TuneResult tune_into(Journal& journal, const TuneRequest& request) {
  FakeEvaluator evaluator = evaluator_for(request);
  TuneObserver observer;
  observer.on_trial = [&](const Trial& trial, const Progress&) { journal.record(trial); };
  return tune(request, evaluator, observer);
}

TEST(Journal, KeepsEveryTrialAndTheWinner) {
  const TuneRequest request = request_for_gpu();
  cache::Store store = cache::Store::in_memory();
  RunLog log(std::nullopt);
  Journal journal(store, start_of(request), log);
  const TuneResult result = tune_into(journal, request);
  journal.publish(result, request.problem);

  EXPECT_EQ(journal.problem(), "");
  const auto run = store.run(journal.run());
  ASSERT_TRUE(run.has_value());
  EXPECT_EQ(run->state, cache::RunState::done);
  EXPECT_EQ(run->note, "winner");
  const auto trials = store.trials(journal.run());
  ASSERT_EQ(trials.size(), result.trials);
  for (const cache::Trial& trial : trials) {
    const Outcome outcome =
        trial.sequence == 0 ? measured(20) : some_outcome(request.family->point_of(trial.settings));
    EXPECT_EQ(trial.status, status_of(outcome));
    EXPECT_EQ(trial.detail, detail_of(outcome));
    EXPECT_EQ(trial.time_us.has_value(), cost_of(outcome).has_value());
  }
  const auto best = store.best(cache::question_of(start_of(request)));
  ASSERT_TRUE(best.has_value());
  EXPECT_EQ(best->best.settings, result.winner());
  EXPECT_EQ(best->best.default_us, result.decision.times_us[0].median);
  EXPECT_EQ(best->best.gain, result.decision.gain);
}

TEST(Journal, KeepsWhatTheDeviceCanRead) {
  const ScratchFolder folder;
  cache::Store store = cache::Store::in_memory();
  RunLog log(folder / "logs");
  Journal journal(store, start_of(request_for_gpu()), log);
  Probe probe;
  probe.read.gbps = 4000;
  probe.cached_read.gbps = 12000;
  journal.record(probe);
  EXPECT_EQ(journal.problem(), "");
  EXPECT_EQ(store.peaks(journal.run()), (cache::ReadPeaks{4000, 12000}));
  EXPECT_NE(cache::testing::read_text(log.file()).find("\"kind\":\"probe\""), std::string::npos);
}

TEST(Journal, SaysThatTheDefaultWasKept) {
  const TuneRequest request = request_for_gpu();
  cache::Store store = cache::Store::in_memory();
  RunLog log(std::nullopt);
  Journal journal(store, start_of(request), log);
  FakeEvaluator evaluator([](const search::Point&) { return measured(10); });
  journal.publish(tune(request, evaluator, {}), request.problem);
  const auto best = store.best(cache::question_of(start_of(request)));
  ASSERT_TRUE(best.has_value());
  EXPECT_EQ(best->best.reason, "no significant gain");
  EXPECT_EQ(best->best.gain, (Interval{1, 1, 1}));
  EXPECT_EQ(best->best.settings, request.family->default_settings(request.problem, request.limits));
}

TEST(Journal, LetsALaterRunContinueWhereOneFailed) {
  TuneRequest request = request_for_gpu();
  cache::Store store = cache::Store::in_memory();
  RunLog log(std::nullopt);
  Journal journal(store, start_of(request), log);
  (void)tune_into(journal, request);
  journal.fail("the device went away");
  EXPECT_EQ(store.run(journal.run())->note, "the device went away");

  request.known = known_outcomes(store, start_of(request), *request.family);
  std::size_t right = 0;
  for (const auto& [point, outcome] : request.known) {
    EXPECT_TRUE(cost_of(outcome)) << "failures are tried again";
    ++right;
  }
  FakeEvaluator evaluator = evaluator_for(request);
  const TuneResult result = tune(request, evaluator, {});
  EXPECT_EQ(evaluator.asked().size(), result.trials - right);
  for (const search::Point& point : evaluator.asked()) EXPECT_FALSE(cost_of(some_outcome(point)));

  cache::RunStart other = start_of(request);
  other.seed = 2;
  EXPECT_TRUE(known_outcomes(store, other, *request.family).empty()) << "of another seed";
  other = start_of(request);
  other.problem.count += 1;
  EXPECT_TRUE(known_outcomes(store, other, *request.family).empty()) << "of another problem";
}

TEST(Journal, FindsNothingToContinueAfterARunThatWasDone) {
  const TuneRequest request = request_for_gpu();
  cache::Store store = cache::Store::in_memory();
  RunLog log(std::nullopt);
  Journal journal(store, start_of(request), log);
  journal.publish(tune_into(journal, request), request.problem);
  EXPECT_TRUE(known_outcomes(store, start_of(request), *request.family).empty());
}

/// What a child sees when no file may grow beyond so many bytes: 0 when all is as it should be.
int tune_with_limited_files(const std::filesystem::path& folder, std::size_t bytes) {
  std::signal(SIGXFSZ, SIG_IGN);  // the write fails instead, as on a full disk
  const TuneRequest request = request_for_gpu();
  cache::Store store = cache::Store::open(folder / "results.db");
  RunLog log(folder / "logs");
  const rlimit limit{bytes, bytes};
  setrlimit(RLIMIT_FSIZE, &limit);
  Journal journal(store, start_of(request), log);
  const TuneResult result = tune_into(journal, request);
  journal.publish(result, request.problem);
  if (result.trials != 40 || !result.decision.significant) return 1;
  if (journal.problem().empty()) return 2;
  if (log.problem().empty()) return 3;
  return 0;
}

TEST(Journal, KeepsTheRunGoingWhenTheDiskIsFullAndNamesTheProblem) {
  for (const std::size_t bytes : {0u, 1u, 4096u, 8192u}) {
    const ScratchFolder folder;
    EXPECT_EQ(in_child([&] { return tune_with_limited_files(folder / "", bytes); }), 0) << bytes;
    // What was there before stays readable.
    EXPECT_NO_THROW((void)cache::Store::open(folder / "results.db").runs()) << bytes;
  }
}

}  // namespace
}  // namespace redtune::tuner
