// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A run is kept while it goes on, can be continued, and outlives a disk that fills up.
#include "tuner/session/journal.hpp"

#include <csignal>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "cache/store/sqlite.hpp"
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

/// An empty store, a log that goes nowhere, and what is tuned.
class JournalTest : public ::testing::Test {
 protected:
  TuneRequest request = request_for_gpu();
  const cache::RunStart start = start_of(request);
  cache::Store store = cache::Store::in_memory();
  RunLog log{std::nullopt};
};

TEST_F(JournalTest, KeepsEveryTrialAndTheWinner) {
  Journal journal(store, start, log, Resume::yes);
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

TEST_F(JournalTest, KeepsWhatTheDeviceCanRead) {
  const ScratchFolder folder;
  RunLog file(folder / "logs");
  Journal journal(store, start, file, Resume::yes);
  Probe probe;
  probe.read.gbps = 4000;
  probe.cached_read.gbps = 12000;
  journal.record(probe);
  EXPECT_EQ(journal.problem(), "");
  EXPECT_EQ(store.peaks(journal.run()), (cache::ReadPeaks{4000, 12000}));
  EXPECT_NE(cache::testing::read_text(file.file()).find("\"kind\":\"probe\""), std::string::npos);
}

TEST_F(JournalTest, SaysThatTheDefaultWasKept) {
  Journal journal(store, start, log, Resume::yes);
  FakeEvaluator evaluator([](const search::Point&) { return measured(10); });
  journal.publish(tune(request, evaluator, {}), request.problem);
  const auto best = store.best(cache::question_of(start_of(request)));
  ASSERT_TRUE(best.has_value());
  EXPECT_EQ(best->best.reason, "no significant gain");
  EXPECT_EQ(best->best.gain, (Interval{1, 1, 1}));
  EXPECT_EQ(best->best.settings, request.family->default_settings(request.problem, request.limits));
}

TEST_F(JournalTest, SaysWhyAFasterConfigWasPassedOver) {
  Journal journal(store, start, log, Resume::yes);
  TuneResult result = tune_into(journal, request);
  result.decision.passed_over = std::exchange(result.decision.winner, 0);
  result.decision.significant = false;
  result.decision.displaced_us.assign(result.finalists.size(), 20);
  journal.publish(result, request.problem);
  const auto best = store.best(cache::question_of(start_of(request)));
  ASSERT_TRUE(best.has_value());
  EXPECT_EQ(best->best.reason, "as fast, and faster off the alignment of vectors");
  EXPECT_EQ(best->best.gain, (Interval{1, 1, 1}));
  const auto measurement = nlohmann::json::parse(best->best.measurement);
  EXPECT_EQ(measurement.at("passed_over"), result.decision.passed_over);
  EXPECT_EQ(measurement.at("displaced_us").size(), result.finalists.size());
}

TEST_F(JournalTest, GoesOnWithARunThatFailedAndDoublesNothing) {
  request.budget = {.evaluations = 20};
  {
    Journal journal(store, start, log, Resume::yes);
    EXPECT_FALSE(journal.is_resumed());
    (void)tune_into(journal, request);
    journal.fail("the device went away");
    EXPECT_EQ(store.run(journal.run())->note, "the device went away");
  }
  Journal journal(store, start, log, Resume::yes);
  ASSERT_TRUE(journal.is_resumed());
  Known known = journal.known(*request.family);
  EXPECT_EQ(known.trials.size(), 20U) << "failures are known as well";
  request.known = known.trials;
  request.next_sequence = known.next_sequence;
  EXPECT_EQ(known.next_sequence, 20U);
  request.budget = {.evaluations = 40};
  FakeEvaluator evaluator = evaluator_for(request);
  TuneObserver observer;
  observer.on_trial = [&](const Trial& trial, const Progress&) { journal.record(trial); };
  const TuneResult result = tune(request, evaluator, observer);
  EXPECT_EQ(evaluator.asked().size(), 20U);
  EXPECT_EQ(journal.problem(), "");
  std::set<std::int64_t> sequences;
  std::set<Settings> configs;
  for (const cache::Trial& trial : store.trials(journal.run())) {
    sequences.insert(trial.sequence);
    configs.insert(trial.settings);
  }
  EXPECT_EQ(store.trials(journal.run()).size(), 40U);
  EXPECT_EQ(sequences.size(), 40U);
  EXPECT_EQ(*sequences.rbegin(), 39);
  EXPECT_EQ(configs.size(), 40U);
  EXPECT_EQ(store.runs().size(), 1U);
}

TEST_F(JournalTest, LeavesOutTrialsOfValuesThatAreGone) {
  request.budget = {.evaluations = 8};
  {
    Journal journal(store, start, log, Resume::yes);
    const TuneResult result = tune_into(journal, request);
    for (const TrialPhase phase : {TrialPhase::search, TrialPhase::confirm}) {
      store.record(journal.run(),
                   {.sequence = phase == TrialPhase::search ? 8 : 0,
                    .settings = parse_settings("finish=slots block_size=128 slot_wait=pause"),
                    .phase = std::string(to_string(phase)),
                    .status = "timed_out"});
    }
    ASSERT_EQ(result.trials, 8U);
    journal.fail("the device went away");
  }
  const Journal journal(store, start, log, Resume::yes);
  ASSERT_TRUE(journal.is_resumed());
  const Known known = journal.known(*request.family);
  EXPECT_EQ(known.trials.size(), 8U);
  EXPECT_EQ(known.tried.size(), 8U);
  EXPECT_TRUE(known.disqualified.empty());
  EXPECT_EQ(known.next_sequence, 9U) << "their rows are there";
}

TEST_F(JournalTest, BeginsANewRunForAnotherSeedOrProblemAndWhenItIsToldTo) {
  cache::RunStart other_seed = start;
  other_seed.seed = 2;
  cache::RunStart other_problem = start;
  other_problem.problem.count += 1;
  Journal(store, start, log, Resume::yes).fail("no");
  EXPECT_FALSE(Journal(store, start, log, Resume::no).is_resumed());
  EXPECT_FALSE(Journal(store, other_seed, log, Resume::yes).is_resumed());
  EXPECT_FALSE(Journal(store, other_problem, log, Resume::yes).is_resumed());
}

TEST_F(JournalTest, FindsNothingToContinueAfterARunThatWasDone) {
  Journal journal(store, start, log, Resume::yes);
  journal.publish(tune_into(journal, request), request.problem);
  EXPECT_FALSE(Journal(store, start, log, Resume::yes).is_resumed());
}

TEST_F(JournalTest, PublishesNothingThatWasDisturbed) {
  Journal journal(store, start, log, Resume::yes);
  TuneResult result = tune_into(journal, request);
  result.disturbance = "4711 (python)";
  journal.publish(result, request.problem);
  EXPECT_FALSE(store.best(cache::question_of(start)).has_value());
  const auto run = store.run(journal.run());
  EXPECT_NE(run->note.find("4711"), std::string::npos);
  EXPECT_EQ(run->state, cache::RunState::done);
  RunLog later(std::nullopt);
  EXPECT_FALSE(Journal(store, start, later, Resume::yes).is_resumed());
}

TEST_F(JournalTest, PublishesNothingThatWasNotToldApartOrIsOfSomeConfigsAlone) {
  const auto note_after = [&](bool is_interrupted, const auto& change) {
    Journal journal(store, start, log, Resume::no);
    TuneResult result = tune_into(journal, request);
    result.interrupted = is_interrupted;
    change(result);
    journal.publish(result, request.problem);
    EXPECT_FALSE(store.best(cache::question_of(start)).has_value());
    const auto run = store.run(journal.run());
    EXPECT_EQ(run->state, is_interrupted ? cache::RunState::interrupted : cache::RunState::done);
    return run->note;
  };
  for (const bool is_interrupted : {true, false}) {
    EXPECT_EQ(note_after(is_interrupted, [](TuneResult& one) { one.is_undecided = true; }),
              "nothing was told apart");
    EXPECT_EQ(note_after(is_interrupted,
                         [](TuneResult& one) {
                           one.only = {{"load", "cached"}};
                         }),
              "only among load=cached");
  }
}

TEST_F(JournalTest, KeepsWhatMustNotBeTriedAgain) {
  const Settings settings = request.family->default_settings(request.problem, request.limits);
  {
    Journal journal(store, start, log, Resume::yes);
    EXPECT_FALSE(journal.excluded(settings));
    journal.exclude(settings, cache::ExclusionScope::device, TimedOut{"it never ends"});
    EXPECT_TRUE(journal.excluded(settings));
  }
  const Journal journal(store, start, log, Resume::no);
  const auto outcome = journal.excluded(settings);
  ASSERT_TRUE(outcome.has_value());
  EXPECT_EQ(status_of(*outcome), "timed_out");
  EXPECT_EQ(detail_of(*outcome), "excluded: it never ends");
}

TEST_F(JournalTest, LeavesOutWhatWasAtWorkTwiceWhenTheMachineWentDown) {
  const ScratchFolder folder;
  const std::filesystem::path file = folder / "results.db";
  const Settings settings =
      request.family->settings_at(request.family->space(request.problem, request.limits)[7]);
  for (int downs = 0; downs < 3; ++downs) {
    cache::Store on_disk = cache::Store::open(file);
    Journal journal(on_disk, start, log, Resume::no);
    EXPECT_EQ(journal.excluded(settings).has_value(), downs == 2) << downs;
    journal.intend({&settings, 1}, cache::IntentStage::launch);
    // As if it had been written before this machine was started.
    cache::Database(file).execute("UPDATE intent SET boot = 'the one before'");
  }
}

TEST_F(JournalTest, HoldsNothingAgainstWhatAKilledProcessWasAtWorkWith) {
  const ScratchFolder folder;
  const std::filesystem::path file = folder / "results.db";
  const Settings settings = request.family->settings_at(default_point(request));
  for (int kills = 0; kills < 4; ++kills) {
    cache::Store on_disk = cache::Store::open(file);
    Journal journal(on_disk, start, log, Resume::no);
    EXPECT_FALSE(journal.excluded(settings).has_value());
    journal.intend({&settings, 1}, cache::IntentStage::launch);
    cache::Database(file).execute("UPDATE intent SET pid = 999999999");
  }
}

/// What a child sees when no file may grow beyond so many bytes: 0 when all is as it should be.
int tune_with_limited_files(const std::filesystem::path& folder, std::size_t bytes) {
  std::signal(SIGXFSZ, SIG_IGN);  // the write fails instead, as on a full disk
  const TuneRequest request = request_for_gpu();
  cache::Store store = cache::Store::open(folder / "results.db");
  RunLog log(folder / "logs");
  const rlimit limit{bytes, bytes};
  setrlimit(RLIMIT_FSIZE, &limit);
  const cache::RunStart start = start_of(request);
  Journal journal(store, start, log, Resume::yes);
  const TuneResult result = tune_into(journal, request);
  journal.publish(result, request.problem);
  if (result.trials != 40 || !result.decision.significant) return 1;
  if (journal.problem().empty()) return 2;
  if (log.problem().empty()) return 3;
  return journal.has_run() ? 4 : 0;
}

TEST_F(JournalTest, KeepsTheRunGoingWhenTheDiskIsFullAndNamesTheProblem) {
  for (const std::size_t bytes : {0u, 1u, 4096u, 8192u}) {
    const ScratchFolder folder;
    EXPECT_EQ(in_child([&] { return tune_with_limited_files(folder / "", bytes); }), 0) << bytes;
    // What was there before stays readable.
    EXPECT_NO_THROW((void)cache::Store::open(folder / "results.db").runs()) << bytes;
  }
}

}  // namespace
}  // namespace redtune::tuner
