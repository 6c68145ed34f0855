// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune tune --list: what would be tuned, what is known, how long the rest takes; nothing is
// done.
#include <gtest/gtest.h>

#include "cache/store/store.hpp"
#include "tests/cli/run_redtune.hpp"

namespace redtune::cli {
namespace {

Words list(const Words& more) {
  return with({"tune", "--device", "host", "--list"}, more);
}

/// The problems of a list, by their count.
std::map<std::int64_t, json> by_count(const Said& said) {
  std::map<std::int64_t, json> problems;
  const json document = said.document();
  for (const json& one : document.at("problems")) {
    problems[one.at("problem").at("count").get<std::int64_t>()] = one;
  }
  return problems;
}

TEST(TuneList, ShowsWhatIsKnownWhatGoesOnAndWhatIsToBeTuned) {
  const Home home;
  ASSERT_EQ(home.run(quick_tune()).code, 0);
  {
    cache::Store store = cache::Store::open(home / "data/redtune/results-v1.db");
    cache::RunStart start = store.runs().at(0).start;
    start.problem = make_problem(Op::sum, DType::f32, 2000);
    store.finish(store.begin(start), cache::RunState::interrupted);
  }
  const Words words = list({"--count", "1000..4000", "--budget", "6"});
  const Said said = home.run(with(words, {"--json"}));
  ASSERT_EQ(said.code, 0) << said.err;
  const auto problems = by_count(said);
  ASSERT_EQ(problems.size(), 3u) << said.out;
  EXPECT_EQ(problems.at(1000).at("state"), "known");
  EXPECT_EQ(problems.at(2000).at("state"), "goes_on");
  EXPECT_EQ(problems.at(2000).at("run"), 2);
  EXPECT_EQ(problems.at(4000).at("state"), "to_tune");
  EXPECT_EQ(problems.at(4000).at("runs_like_it"), 1);
  EXPECT_GT(problems.at(4000).at("likely_s").get<double>(), 0);
  EXPECT_EQ(problems.at(4000).at("budget"), "6");

  const Said shown = home.run(words);
  EXPECT_EQ(shown.code, 0) << shown.err;
  EXPECT_TRUE(shown.says("the command line, 3 problems on ")) << shown.out;
  EXPECT_TRUE(shown.says(": 1 known, 1 goes on, 1 to tune\nlikely ")) << shown.out;
  EXPECT_TRUE(shown.says("goes on (run 2)")) << shown.out;

  EXPECT_EQ(home.run(with(words, {"--json", "--fresh"})).document().at("to_tune"), 3);
  EXPECT_EQ(home.logs().size(), 1u) << "nothing was tuned";
  EXPECT_EQ(home.run({"log", "--json"}).document().at("runs").size(), 2u);
}

TEST(TuneList, IsOfTheStandardSetWhereNothingIsNamed) {
  const Home home;
  const Said said = home.run(list({}));
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_TRUE(said.says("the standard set of the host, ")) << said.out;
  EXPECT_TRUE(said.says("sum f32 2^20 cold")) << said.out;
  EXPECT_TRUE(home.logs().empty());
  EXPECT_FALSE(std::filesystem::exists(home / "data/redtune/results-v1.db"));
}

TEST(TuneList, IsOfAFile) {
  const Home home;
  cache::testing::write_text(
      home / "w.toml",
      "budget = '200'\n[[problem]]\nop = 'sum,bit_or'\ntype = ['f32', 'i32']\ncount = 1000\n");
  const Said said = home.run(list({"--workload", (home / "w.toml").string(), "--json"}));
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(said.document().at("problems").size(), 3u);
  EXPECT_EQ(said.document().at("likely_unknown"), 3);
  EXPECT_TRUE(said.says("left out, for they do not go together: bit_or of f32 (")) << said.err;
}

TEST(TuneList, SaysWhatDoesNotFit) {
  const Home home;
  const Said said = home.run(list({"--count", "2^10,2^40", "--json"}));
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(said.document().at("does_not_fit"), 1);
  EXPECT_EQ(said.document().at("to_tune"), 1);
}

TEST(TuneList, IsOfOneProblemToo) {
  const Home home;
  const Said said = home.run(list({"--op", "max", "--count", "1000"}));
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_TRUE(said.says("max f32 1000 cold")) << said.out;
  EXPECT_TRUE(home.logs().empty());
}

}  // namespace
}  // namespace redtune::cli
