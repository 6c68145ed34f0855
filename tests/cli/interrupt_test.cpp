// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Runs that are stopped, killed or not alone: nothing that was found is lost.
#include <algorithm>
#include <gtest/gtest.h>

#include "cache/store/store.hpp"
#include "tests/cli/run_redtune.hpp"

namespace redtune::cli {
namespace {

/// Longer than any test wants to wait.
Words long_tune() {
  return {"tune",     "--device", "host",   "--count", "1000",
          "--budget", "2000",     "--jobs", "2",       "--force-noisy"};
}

/// What was tried before, of the newest run.
std::size_t replayed_trials(const Home& home) {
  std::size_t count = 0;
  for (const json& line : lines_of(home.logs().back())) {
    if (line.value("replayed", false)) ++count;
  }
  return count;
}

json runs_of(const Home& home) {
  return home.run({"log", "--json"}).document().at("runs");
}

TEST(Interrupt, FinishesTheBatchPublishesAndIsContinuedLater) {
  const Home home;
  Running first(home, long_tune());
  ASSERT_TRUE(await_trials(home, 2));
  const Said said = first.end_with(SIGINT);
  EXPECT_EQ(said.code, 130) << said.err;
  EXPECT_NE(said.out.find("interrupted"), std::string::npos) << said.out;
  EXPECT_EQ(runs_of(home)[0].at("state"), "interrupted");
  // Unless a busy machine let nothing be told.
  EXPECT_EQ(home.run({"query", "--device", "host", "--count", "1000", "--min-match", "exact"}).code,
            said.says("not published (nothing was told apart)") ? 4 : 0)
      << said.err;

  // The same search goes on; a budget of one batch more is enough to see it.
  const Said later = home.run(quick_tune({"--budget", "12"}));
  EXPECT_EQ(later.code, 0) << later.err;
  EXPECT_NE(later.err.find("continuing"), std::string::npos) << later.err << later.out;
  EXPECT_GE(replayed_trials(home), 2u);
}

/// As by "> file 2>&1".
TEST(Interrupt, LinesInOneFileAreWholeAndInTheOrderInWhichTheyWereSaid) {
  const Home home;
  Words both{"/bin/sh", "-c", "exec \"$@\" 2>&1", "sh"};
  const Words redtune = home.command(long_tune(), {});
  both.insert(both.end(), redtune.begin(), redtune.end());
  Running tune(Running::WholeCommand{}, home, both);
  ASSERT_TRUE(await_trials(home, 2));
  const Said said = tune.end_with(SIGINT);
  EXPECT_EQ(said.code, 130) << said.out;
  const Words lines = lines_in(said.out);
  const auto begins_with = [&](const std::string& text) {
    return std::ranges::find_if(lines,
                                [&](const std::string& line) { return line.starts_with(text); });
  };
  const auto result = begins_with("tried ");
  const auto log = begins_with("redtune: info: log: ");
  ASSERT_NE(result, lines.end()) << said.out;
  ASSERT_NE(log, lines.end()) << said.out;
  EXPECT_LT(begins_with("redtune: info: run 1"), result) << said.out;
  for (auto line = lines.begin(); line != lines.end(); ++line) {
    const auto name = line->find("redtune: ");
    EXPECT_TRUE(name == 0 || name == std::string::npos) << *line;
    EXPECT_TRUE(name == 0 || line < log) << "of the result: " << *line;
  }
}

TEST(Interrupt, KilledRunsAreShownAndContinued) {
  const Home home;
  Running first(home, long_tune());
  // The log is written before the store: of three trials two are kept for sure.
  ASSERT_TRUE(await_trials(home, 3));
  EXPECT_EQ(first.end_with(SIGKILL).code, -SIGKILL);
  EXPECT_EQ(runs_of(home)[0].at("state"), "interrupted");
  const Said later = home.run(quick_tune({"--budget", "12"}));
  EXPECT_EQ(later.code, 0) << later.err;
  EXPECT_NE(later.err.find("continuing"), std::string::npos) << later.err;
  EXPECT_GE(replayed_trials(home), 2u);
  EXPECT_EQ(runs_of(home)[0].at("state"), "done");
}

TEST(Interrupt, AFreshRunIsGoneOnWithByTheSameWordsWithoutFresh) {
  const Home home;
  ASSERT_EQ(home.run(quick_tune()).code, 0);
  Words fresh = long_tune();
  fresh.emplace_back("--fresh");
  Running second(home, fresh);
  ASSERT_TRUE(await_trials(home, 2, 2));
  kill(second.id(), SIGTERM);  // once: it would end with a final
  const Said said = second.end_with(SIGTERM);
  EXPECT_EQ(said.code, 130) << said.err;
  if (said.says("nothing was published")) {
    EXPECT_TRUE(said.says("The same command without --fresh goes on from here")) << said.err;
  }
  const Said later = home.run(quick_tune({"--budget", "12"}));
  EXPECT_EQ(later.code, 0) << later.err;
  EXPECT_TRUE(later.says("continuing run 2")) << later.err << later.out;
  EXPECT_TRUE(home.run(quick_tune()).says("was tuned on"));
}

/// All that was measured, the default apart, is left out by another problem before the run goes on.
TEST(Interrupt, GoesOnWithoutWhatIsLeftOutSince) {
  const Home home;
  Running first(home, long_tune());
  ASSERT_TRUE(await_trials(home, 8));
  EXPECT_EQ(first.end_with(SIGKILL).code, -SIGKILL);
  std::size_t left_out = 0;
  {
    auto store = cache::Store::open(home / "data/redtune/results-v1.db");
    const auto runs = store.runs();
    ASSERT_EQ(runs.size(), 1U);
    const auto trials = store.trials(runs[0].id);
    for (const cache::Trial& trial : trials) {
      if (trial.sequence == 0 || trial.status != "ok") continue;  // the first is the default
      store.exclude({.question = cache::question_of(runs[0].start),
                     .settings = trial.settings,
                     .scope = cache::ExclusionScope::device,
                     .status = "timed_out",
                     .detail = "hung on another problem"});
      ++left_out;
    }
  }
  ASSERT_GT(left_out, 0U);
  const Said later = home.run(quick_tune({"--budget", "12"}));
  EXPECT_EQ(later.code, 0) << later.err;
  EXPECT_TRUE(later.says("continuing run 1")) << later.err;
}

TEST(Interrupt, TwoSearchesInOneStoreLoseNothing) {
  const Home home;
  Running first(home, quick_tune());
  // Of another session, which does not see the lease of this one.
  std::filesystem::create_directory(home / "other");
  const Said second =
      home.run(quick_tune({"--op", "max"}), {"XDG_RUNTIME_DIR=" + (home / "other").string()});
  const Said waited = first.wait();
  EXPECT_EQ(second.code, 0) << second.err;
  EXPECT_EQ(waited.code, 0) << waited.err;
  const json runs = runs_of(home);
  ASSERT_EQ(runs.size(), 2u);
  for (const json& run : runs) {
    EXPECT_EQ(run.at("state"), "done");
    EXPECT_EQ(run.at("trials"), 6);
  }
  for (const char* op : {"sum", "max"}) {
    EXPECT_EQ(home.run({"query", "--device", "host", "--count", "1000", "--op", op, "--min-match",
                        "exact"})
                  .code,
              0)
        << op;
  }
}

}  // namespace
}  // namespace redtune::cli
