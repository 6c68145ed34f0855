// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Rows and columns in one run: each is tuned once and published when it is decided, and what was
// broken off is gone on with.
#include <gtest/gtest.h>
#include <map>

#include "tests/cli/run_redtune.hpp"

namespace redtune::cli {
namespace {

using States = std::map<std::string, std::size_t>;

States states_in(const Said& said) {
  States states;
  const json document = said.document();
  for (const json& one : document.at("problems")) ++states[one.at("state").get<std::string>()];
  return states;
}

Words tune(const Words& more) {
  return with({"tune", "--device", "host", "--budget", "4", "--jobs", "2", "--force-noisy",
               "--strategy", "random", "--json"},
              more);
}

/// Of shapes of floats what the store has, tuned for each.
std::size_t tuned_in(const Home& home, const std::vector<Words>& shapes) {
  std::size_t found = 0;
  for (const Words& shape : shapes) {
    const Said said = home.run(with({"query", "--device", "host", "--min-match", "exact"}, shape));
    found += said.code == 0 ? 1 : 0;
  }
  return found;
}

TEST(TuneShapes, OfAFileAreTunedOnceAndKnownAfterwards) {
  const Home home;
  cache::testing::write_text(home / "w.toml",
                             "[[problem]]\nop = 'sum'\ntype = 'f32'\ncount = 5000\n"
                             "[[problem]]\nop = 'sum'\ntype = 'f32'\nshape = '30x8..32:4'\n"
                             "axis = -1\n"
                             "[[problem]]\nop = 'sum'\ntype = 'f32'\nrow_lengths = 7\n"
                             "total = 500\n"
                             "[[problem]]\nop = 'sum'\ntype = 'f32'\nshape = ['40x9', '3x40x9']\n"
                             "axis = -2\n");
  const Words words = tune({"--workload", (home / "w.toml").string()});
  const Said first = home.run(words);
  ASSERT_EQ(first.code, 0) << first.err;
  EXPECT_EQ(states_in(first), (States{{"tuned", 6}})) << first.err;
  EXPECT_EQ(tuned_in(home, {{"--count", "5000"},
                            {"--shape", "30x8", "--axis", "1"},
                            {"--shape", "30x32", "--axis", "1"},
                            {"--shape", "71x7", "--axis", "1"},
                            {"--shape", "40x9", "--axis", "0"},
                            {"--shape", "3x40x9", "--axis", "1"}}),
            6U);
  const Said again = home.run(words);
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(states_in(again), (States{{"known", 6}}));
  EXPECT_EQ(home.logs().size(), 6U) << "nothing was tuned again";
  const json list = home.run(with(words, {"--list"})).document();
  EXPECT_EQ(list.at("known"), 6);
  EXPECT_EQ(list.at("to_tune"), 0);
}

TEST(TuneShapes, ThatAreBrokenOffAreGoneOnWith) {
  const Home home;
  // The first is the one in the middle, which a run of few trials has tuned soon.
  const Words words = tune({"--row-lengths", "2^2..2^10:16", "--total", "2^16"});
  ASSERT_EQ(home.run(with({"tune", "--device", "host", "--budget", "4", "--jobs", "2",
                           "--force-noisy", "--strategy", "random"},
                          {"--shape", "2^10x64", "--axis", "1"}))
                .code,
            0);
  Running running(home, with(words, {"--budget", "2000"}));
  ASSERT_TRUE(await_trials(home, 2, 2));
  const Said broken = running.end_with(SIGINT);
  EXPECT_EQ(broken.code, 130) << broken.err;
  EXPECT_EQ(broken.document().at("known"), 1) << broken.out;
  EXPECT_EQ(broken.document().at("not_reached"), 1) << broken.out;
  const Said rest = home.run(words);
  EXPECT_EQ(rest.code, 0) << rest.err;
  EXPECT_EQ(states_in(rest), (States{{"known", 1}, {"tuned", 2}})) << rest.out;
  EXPECT_EQ(states_in(home.run(words)), (States{{"known", 3}}));
}

TEST(TuneShapes, ThatDoNotFitCostNoOther) {
  const Home home;
  const Said said = home.run(tune({"--shape", "2^32x2^13,30x8", "--axis", "1"}));
  EXPECT_EQ(said.code, 2) << said.err;
  EXPECT_EQ(states_in(said), (States{{"tuned", 1}, {"failed", 1}})) << said.out;
}

TEST(TuneShapes, AreListedWithWhatIsKnownAndHowLongTheRestTakes) {
  const Home home;
  ASSERT_EQ(home.run({"tune", "--device", "host", "--budget", "4", "--force-noisy", "--shape",
                      "30x8", "--axis", "1"})
                .code,
            0);
  const Words words{"tune", "--device", "host",    "--list", "--shape", "30x8,31x9", "--axis",
                    "1",    "--op",     "sum,max", "--type", "f32,f16", "--budget",  "4"};
  const Said shown = home.run(words);
  EXPECT_TRUE(shown.says("8 problems on ")) << shown.out;
  EXPECT_TRUE(shown.says(": 1 known, 7 to tune\nlikely ")) << shown.out;
  EXPECT_TRUE(shown.says("sum f32 30x[8] cold")) << shown.out;
  EXPECT_TRUE(shown.says("1 run like it")) << shown.out;
  EXPECT_TRUE(shown.says("max f16 31x[9] cold")) << shown.out;
}

}  // namespace
}  // namespace redtune::cli
