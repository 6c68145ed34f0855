// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Runs that are stopped, killed or not alone: nothing that was found is lost.
#include <gtest/gtest.h>

#include "tests/cli/run_redtune.hpp"

namespace redtune::tuner::cli {
namespace {

/// Longer than any test wants to wait.
Words long_tune() {
  return {"tune", "--device", "host", "--count", "1000", "--budget", "2000", "--jobs", "2",
          "--force-noisy"};
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
  EXPECT_EQ(home.run({"query", "--device", "host", "--count", "1000", "--min-match", "exact"}).code,
            0);

  // The same search goes on; a budget of one batch more is enough to see it.
  const Said later = home.run(quick_tune({"--budget", "12"}));
  EXPECT_EQ(later.code, 0) << later.err;
  EXPECT_NE(later.err.find("continuing"), std::string::npos) << later.err << later.out;
  EXPECT_GE(replayed_trials(home), 2u);
}

TEST(Interrupt, KilledRunsAreShownAndContinued) {
  const Home home;
  Running first(home, long_tune());
  ASSERT_TRUE(await_trials(home, 2));
  EXPECT_EQ(first.end_with(SIGKILL).code, -SIGKILL);
  EXPECT_EQ(runs_of(home)[0].at("state"), "interrupted");
  const Said later = home.run(quick_tune({"--budget", "12"}));
  EXPECT_EQ(later.code, 0) << later.err;
  EXPECT_NE(later.err.find("continuing"), std::string::npos) << later.err;
  EXPECT_GE(replayed_trials(home), 2u);
  EXPECT_EQ(runs_of(home)[0].at("state"), "done");
}

TEST(Interrupt, TwoSearchesInOneStoreLoseNothing) {
  const Home home;
  Running first(home, quick_tune());
  // Of another session, which does not see the lease of this one.
  std::filesystem::create_directory(home / "other");
  const Said second = home.run(quick_tune({"--op", "max"}),
                               {"XDG_RUNTIME_DIR=" + (home / "other").string()});
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
}  // namespace redtune::tuner::cli
