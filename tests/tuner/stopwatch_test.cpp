// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Where the time of a session goes: each moment is counted once, and found again in the log.
#include "tuner/session/stopwatch.hpp"

#include <fstream>
#include <gtest/gtest.h>
#include <numeric>

#include "tests/cache/samples.hpp"
#include "tests/tuner/broken_family.hpp"
#include "tests/tuner/host_evaluator.hpp"
#include "tuner/session/journal.hpp"
#include "tuner/session/session_time.hpp"

namespace redtune::tuner {
namespace {

using cache::testing::ScratchFolder;

double sum_of(const TimeSpent& spent) {
  return std::accumulate(spent.seconds.begin(), spent.seconds.end(), 0.0);
}

/// A watch whose time passes when the test says so.
class StopwatchTest : public ::testing::Test {
 protected:
  void pass(int seconds) { now_ += std::chrono::seconds(seconds); }

  Stopwatch::Clock::time_point now_{};
  Stopwatch watch_{Activity::start_up, [this] { return now_; }};
};

TEST_F(StopwatchTest, CountsEachMomentOnce) {
  pass(1);
  {
    const auto measuring = watch_.during(Activity::measure);
    pass(2);
    {
      const auto loading = watch_.during(Activity::load);
      pass(4);
    }
    pass(8);
  }
  pass(16);
  const TimeSpent spent = watch_.spent();
  EXPECT_EQ(spent.of(Activity::start_up), 17);
  EXPECT_EQ(spent.of(Activity::measure), 10);
  EXPECT_EQ(spent.of(Activity::load), 4);
  EXPECT_EQ(spent.wall_seconds, 31);
  EXPECT_EQ(sum_of(spent), 31);
}

TEST_F(StopwatchTest, StartsAnewAfterALapHoweverThatEnds) {
  pass(1);
  const auto fail = [&] {
    const auto lap = watch_.lap();
    const auto loading = watch_.during(Activity::load);
    pass(2);
    throw Error("no such problem");
  };
  EXPECT_THROW(fail(), Error);
  pass(4);
  const TimeSpent spent = watch_.spent();
  EXPECT_EQ(spent.of(Activity::start_up), 4);
  EXPECT_EQ(spent.wall_seconds, 4);
  EXPECT_EQ(sum_of(spent), 4);
}

TEST_F(StopwatchTest, CountsWhatIsStillGoingOn) {
  const auto compiling = watch_.during(Activity::compile);
  pass(3);
  EXPECT_EQ(watch_.spent().of(Activity::compile), 3);
  pass(2);
  EXPECT_EQ(watch_.spent().of(Activity::compile), 5);
}

TEST_F(StopwatchTest, GoesOnWithWhatWasBeforeWhenSomethingFails) {
  try {
    const auto verifying = watch_.during(Activity::verify);
    pass(1);
    throw Error("wrong");
  } catch (const Error&) {
    pass(2);
  }
  EXPECT_EQ(watch_.spent().of(Activity::verify), 1);
  EXPECT_EQ(watch_.spent().of(Activity::start_up), 2);
}

TEST_F(StopwatchTest, SamplingIsCountedBesideTheActivity) {
  for (const Activity activity : {Activity::calibrate, Activity::measure, Activity::final}) {
    const auto span = watch_.during(activity);
    pass(1);
    const auto sampling = watch_.sampling();
    pass(2);
  }
  const TimeSpent spent = watch_.spent();
  EXPECT_EQ(spent.measuring_seconds, 6);
  EXPECT_EQ(spent.of(Activity::final), 3);
  EXPECT_EQ(sum_of(spent), 9);
}

TEST(Stopwatch, TellsWhatAnEvaluatorDoes) {
  const BrokenFamily family{[](const Settings&) { return std::string(); }};
  Stopwatch watch(Activity::choose);
  HostEvaluator evaluator(family, make_problem(Op::sum, DType::f32, 10000), 0, &watch);
  const search::Point points[] = {evaluator.default_point()};
  ASSERT_TRUE(cost_of(evaluator->evaluate(points).at(0).outcome));
  const TimeSpent searched = watch.spent();
  for (const Activity activity : {Activity::start_up, Activity::calibrate, Activity::compile,
                                  Activity::load, Activity::verify, Activity::measure}) {
    EXPECT_GT(searched.of(activity), 0) << activity_rows[static_cast<int>(activity)].name;
  }
  EXPECT_EQ(searched.of(Activity::final), 0);
  EXPECT_GT(searched.measuring_seconds, 0);
  EXPECT_LE(searched.measuring_seconds,
            searched.of(Activity::calibrate) + searched.of(Activity::measure));
  (void)evaluator->figures(points[0]);
  EXPECT_GT(watch.spent().of(Activity::final), 0);
  EXPECT_EQ(watch.spent().of(Activity::measure), searched.of(Activity::measure));
}

/// A run in a store, and the logs of its sessions.
class SessionTimes : public ::testing::Test {
 protected:
  /// A session that compiled for so many seconds.
  void record(double seconds, Resume resume) {
    RunLog log(folder_ / "logs");
    Journal journal(store_, start_, log, resume);
    TimeSpent spent{.wall_seconds = seconds, .measuring_seconds = seconds / 2};
    spent.of(Activity::compile) = seconds;
    journal.record(spent);
    journal.fail("stopped", cache::RunState::interrupted);
    run_ = journal.run();
    EXPECT_EQ(log.problem(), "");
  }
  [[nodiscard]] std::vector<double> compiled() const { return compiled(*store_.run(run_)); }
  [[nodiscard]] std::vector<double> compiled(const cache::RunSummary& run) const {
    std::vector<double> seconds;
    for (const TimeSpent& spent : session_times(folder_ / "logs", run)) {
      seconds.push_back(spent.of(Activity::compile));
      EXPECT_EQ(spent.wall_seconds, seconds.back());
      EXPECT_EQ(spent.measuring_seconds, seconds.back() / 2);
    }
    return seconds;
  }
  void add_lines(const std::string& lines) const {
    std::ofstream(folder_ / "logs/run-2.jsonl") << lines;
  }

  ScratchFolder folder_;
  cache::RunStart start_ = cache::testing::sample_start();
  cache::Store store_ = cache::Store::in_memory();
  cache::RunId run_{};
};

TEST_F(SessionTimes, AreOfAllSessionsOfTheRunAndOfNoOther) {
  record(1.25, Resume::no);
  record(2.5, Resume::yes);
  EXPECT_EQ(compiled(), (std::vector{1.25, 2.5}));
  record(5, Resume::no);
  EXPECT_EQ(compiled(), std::vector{5.0});
}

TEST_F(SessionTimes, ComeInTheirOrderAlsoOfManyInOneSecond) {
  std::vector<double> seconds;
  for (int i = 1; i <= 12; ++i) {
    record(i, i == 1 ? Resume::no : Resume::yes);
    seconds.push_back(i);
  }
  // As if the clock had stood still.
  const auto logs = run_logs_in(folder_ / "logs");
  ASSERT_EQ(logs.size(), 12U);
  for (std::size_t i = 0; i < logs.size(); ++i) {
    const std::string number = i == 0 ? "" : "_" + std::to_string(i + 1);
    std::filesystem::rename(logs[i], folder_ / ("logs/run-20261122-101501-77" + number + ".jsonl"));
  }
  EXPECT_EQ(compiled(), seconds);
}

TEST(RunLogs, AreInOrderOfTimeProcessAndNumber) {
  const ScratchFolder folder;
  const std::vector<std::string> names{
      "run-20261122-101501-77.jsonl",    "run-20261122-101501-77_2.jsonl",
      "run-20261122-101501-77_10.jsonl", "run-20261122-101501-777.jsonl",
      "run-20261122-101502-8.jsonl",     "run-20261123-000000-77_2.jsonl"};
  for (const std::string& name : names) std::ofstream(folder / name) << "{}\n";
  std::ofstream(folder / "run-20261122-101501-77.t4.json.gz") << "no log";
  std::vector<std::string> found;
  for (const auto& file : run_logs_in(folder / "")) found.push_back(file.filename());
  EXPECT_EQ(found, names);
  EXPECT_TRUE(run_logs_in(folder / "nowhere").empty());
}

TEST_F(SessionTimes, OfARunWithThisNumberInAnotherStoreAreLeftOut) {
  record(1, Resume::no);
  cache::RunSummary other = *store_.run(run_);
  other.started_at = "2001-02-03T04:05:06.789Z";
  EXPECT_EQ(compiled(other), std::vector<double>{});
}

TEST_F(SessionTimes, LeaveOutWhatCannotBeRead) {
  record(1, Resume::no);
  const SessionTime good{.run = run_, .run_started_at = store_.run(run_)->started_at};
  const auto line_without = [&](const auto& spoil) {
    Json record = json_of(good);
    record["kind"] = "time";
    spoil(record);
    return record.dump() + '\n';
  };
  add_lines("\"time\"\n[\"time\"]\n{\"kind\":\"time\"\n" +
            line_without([](Json& record) { record.erase("seconds"); }) +
            line_without([](Json& record) { record["seconds"] = 1; }) +
            line_without([](Json& record) { record["seconds"].erase("rest"); }) +
            line_without([](Json& record) { record["seconds"]["rest"] = -1; }) +
            line_without([](Json& record) { record["seconds"]["rest"] = "1"; }) +
            line_without([](Json& record) { record["wall_seconds"] = nullptr; }) +
            line_without([](Json& record) { record["measuring_seconds"] = true; }) +
            line_without([](Json& record) { record["run"] = "1"; }) +
            line_without([](Json& record) { record["kind"] = "times"; }));
  EXPECT_EQ(compiled(), std::vector{1.0});
  add_lines(line_without([](Json&) {}));
  EXPECT_EQ(compiled().size(), 2U);
}

TEST_F(SessionTimes, WithoutAFolderAreNone) {
  record(1, Resume::no);
  EXPECT_TRUE(session_times(folder_ / "none", *store_.run(run_)).empty());
}

}  // namespace
}  // namespace redtune::tuner
