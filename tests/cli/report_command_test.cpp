// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune report from the outside: which files it writes, and what of stores and logs is in them.
#include <algorithm>
#include <gtest/gtest.h>

#include "tests/cli/made_store.hpp"
#include "tuner/text/json.hpp"

namespace redtune::cli {
namespace {

namespace fs = std::filesystem;
using cache::testing::read_text;
using cache::testing::write_text;

class Report : public ::testing::Test {
 protected:
  [[nodiscard]] Said report(const Words& more) const {
    return home_.home().run_in_shell(fmt::format("cd '{}' && exec \"$@\"", home_ / "home"),
                                     with({"report"}, more));
  }
  void SetUp() override { fs::create_directories(home_ / "home"); }

  StoreHome home_;
};

TEST_F(Report, WritesAPageIntoTheCurrentFolder) {
  const Said said = report({"2"});
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(said.out, "redtune-run-2.html written\n");
  const std::string page = read_text(home_ / "home/redtune-run-2.html");
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>\n"));
  EXPECT_TRUE(page.ends_with("</html>\n"));
  EXPECT_NE(page.find("The winner is 1.2 times as fast as the default"), page.npos);
  EXPECT_NE(page.find("compile_failed: 1 trial<"), page.npos);
}

TEST_F(Report, PrintsThePageAndNothingElse) {
  const Said said = report({"2", "--out", "-"});
  EXPECT_EQ(said.code, 0);
  EXPECT_TRUE(said.out.starts_with("<!DOCTYPE html>\n"));
  EXPECT_TRUE(said.out.ends_with("</html>\n"));
  EXPECT_TRUE(fs::is_empty(home_ / "home"));
}

TEST_F(Report, WritesRowsAlone) {
  ASSERT_EQ(report({"2", "--csv", "rows.csv", "--json", "rows.json"}).code, 0);
  EXPECT_FALSE(fs::exists(home_ / "home/redtune-run-2.html"));
  EXPECT_TRUE(
      read_text(home_ / "home/rows.csv").starts_with("run,sequence,phase,status,median_us"));
  const json document = json::parse(read_text(home_ / "home/rows.json"));
  EXPECT_EQ(document.at("trials").size(), 2U);
  EXPECT_EQ(report({"2", "--json", "-"}).document(), document);
}

TEST_F(Report, TakesFinalistsAndNoiseFromTheLogOfThisRunOnly) {
  cache::Store store = cache::Store::open(home_.store_file());
  const cache::RunId id = store.begin(made_start(1 << 12));
  store.finish(id, cache::RunState::done, "contended: by another");
  const auto log = [&](const std::string& started_at, double noise) {
    const auto number = static_cast<std::int64_t>(id);
    return json{{"kind", "start"}, {"run", number}}.dump() + '\n' +
           json{{"kind", "calibration"}, {"noise_floor", noise}}.dump() + '\n' +
           R"({"kind":"result","finalists":[)"
           R"({"settings":{"block_size":"256"},"time_us":{"low":19,"median":20,"high":21}},)"
           R"({"settings":{"block_size":"64"},"time_us":{"low":9,"median":10,"high":11}}],)"
           R"("fastest":1,"winner":1,"ties":[],"passed_over":0})"
           "\nno JSON\n[1]\n" +
           json{{"kind", "time"}, {"run", number}, {"run_started_at", started_at}}.dump() + '\n';
  };
  fs::create_directories(home_ / "state/redtune");
  write_text(home_ / "state/redtune/run-20260101-000000-1.jsonl",
             log(store.run(id)->started_at, 0.01));
  write_text(home_ / "state/redtune/run-20260101-000001-1.jsonl",
             log("2020-01-01T00:00:00.000Z", 0.77));
  const Said said = report({"4", "--out", "-"});
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_TRUE(said.says("No result was published: contended: by another."));
  EXPECT_TRUE(said.says("winner, fastest, block_size=64: 10 (9 to 11)")) << said.out;
  EXPECT_TRUE(said.says("off the alignment of vectors it is faster than who would have won"));
  EXPECT_TRUE(said.says("±1 % of a time"));
  EXPECT_FALSE(said.says("±77 %"));
}

TEST_F(Report, KnowsTheLogOfASessionThatWasKilledByItsStart) {
  cache::Store store = cache::Store::open(home_.store_file());
  const cache::RunId id = store.begin(made_start(1 << 12));
  store.finish(id, cache::RunState::interrupted);
  const cache::RunSummary run = *store.run(id);
  const auto log = [&](std::uint64_t seed, double noise) {
    const tuner::Json start{{"kind", "start"},
                            {"at", run.started_at.substr(0, 19) + "Z"},
                            {"run", static_cast<std::int64_t>(id)},
                            {"problem", tuner::json_of(run.start.problem)},
                            {"strategy", run.start.strategy},
                            {"seed", seed}};
    const tuner::Json calibration{{"kind", "calibration"}, {"noise_floor", noise}};
    return start.dump() + '\n' + calibration.dump() + '\n';
  };
  fs::create_directories(home_ / "state/redtune");
  write_text(home_ / "state/redtune/run-20260101-000000-1.jsonl", log(run.start.seed, 0.01));
  write_text(home_ / "state/redtune/run-20260101-000001-1.jsonl", log(run.start.seed + 1, 0.77));
  const Said said = report({"4", "--out", "-"});
  EXPECT_TRUE(said.says("±1 % of a time")) << said.err;
  EXPECT_FALSE(said.says("±77 %"));
}

TEST_F(Report, IsMadeOfAKernelThatOnlyItsFileKnows) {
  cache::Store store = cache::Store::open(home_.store_file());
  cache::RunStart start = made_start(1 << 12);
  start.family = "row_sum";
  start.problem.op = Op::kernel;
  start.problem.custom = {"row_sum", "key"};
  start.problem.cache_mode = CacheMode::warm;
  const cache::RunId id = store.begin(start);
  store.record(id, cache::ReadPeaks{100, 200});
  store.record(id, cache::testing::sample_trial(0));
  store.publish(id, cache::testing::sample_best());
  store.finish(id, cache::RunState::done, "winner");
  const Said said = report({"4", "--out", "-"});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_TRUE(said.says("<h1>Run 4: row_sum ")) << said.err;
  EXPECT_EQ(home_.run({"log", "4"}).code, 0);
}

TEST_F(Report, OfEverythingHasEachResultThatAnswers) {
  const Said said = report({});
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(said.out, "redtune-devices.html written\n");
  const std::string page = read_text(home_ / "home/redtune-devices.html");
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>\n"));
  EXPECT_TRUE(page.ends_with("</html>\n"));
  EXPECT_NE(page.find("Invented 250"), page.npos);
  EXPECT_NE(page.find("<td class=\"m-exact\" title=\"exact\">E</td>"), page.npos);
  const json document = report({"--json", "-", "--device", "INVENTED"}).document();
  ASSERT_EQ(document.at("devices").size(), 1U);
  EXPECT_EQ(document.at("devices")[0].at("results").size(), 2U);
  const std::string rows = report({"--csv", "-"}).out;
  EXPECT_TRUE(rows.starts_with("result,run,device,platform,isa,"));
  EXPECT_EQ(std::ranges::count(rows, '\n'), 3);
}

TEST_F(Report, ShowsWhatAComparisonMeasured) {
  const auto peers = [&](const std::string& device) {
    write_text(home_ / "home/cub.json",
               json{{"machine", {{"device", device}}},
                    {"cells",
                     {"nonsense",
                      {{"op", "sum"},
                       {"type", "f32"},
                       {"accumulator", "f32"},
                       {"output", "f32"},
                       {"count", 1 << 20},
                       {"cache_mode", "cold"},
                       {"moved_bytes", 4 << 20},
                       {"stream",
                        {{"cub", {{"time_us", {{"median", 30.0}}}}},
                         {"redtune", {{"time_us", {{"median", 20.0}}}}}}}}}}}
                   .dump());
    return report({"--peers", "cub.json", "--out", "-"});
  };
  const Said said = peers("Invented 250");
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_TRUE(said.says("<td class=\"number\">1.5</td>"));
  EXPECT_TRUE(said.says("cub, stream"));
  EXPECT_TRUE(peers("<b>Other").says("cub.json is of another device, &lt;b&gt;Other"));
  write_text(home_ / "home/cub.json", "[]");
  EXPECT_TRUE(report({"--peers", "cub.json"}).says("is not what 'compare_cub --json'"));
}

TEST_F(Report, SetsTwoRunsOrDevicesSideBySide) {
  const Said runs = report({"--compare", "2", "3"});
  ASSERT_EQ(runs.code, 0) << runs.err;
  EXPECT_EQ(runs.out, "redtune-runs-2-3.html written\n");
  const std::string page = read_text(home_ / "home/redtune-runs-2-3.html");
  EXPECT_NE(page.find("Run 2 (A) and run 3 (B)"), page.npos);
  EXPECT_NE(page.find("No configuration was measured in full in both runs."), page.npos);
  const Said device = report({"--compare", "gfx90a", "Invented", "--out", "-"});
  ASSERT_EQ(device.code, 0) << device.err;
  EXPECT_TRUE(device.says("geometric mean of 2 problems tuned on both"));
}

TEST_F(Report, RefusesWhatCannotBeMeant) {
  const auto expect_refused = [&](const Words& words, const std::string& what) {
    const Said said = report(words);
    EXPECT_EQ(said.code, 2) << what;
    EXPECT_TRUE(said.says(what)) << said.err;
    EXPECT_TRUE(fs::is_empty(home_ / "home"));
  };
  expect_refused({"1", "2"}, "redtune report --compare A B");
  expect_refused({"--device", "no such"}, "known: Invented 250 (hip gfx90a:sramecc+:xnack-)");
  expect_refused({"1", "--device", "250"}, "--device is for pages of devices");
  expect_refused({"--peers", "none.json"}, "cannot read none.json");
  expect_refused({"--compare", "1"}, "--compare takes two runs or two devices");
  expect_refused({"--compare", "1", "77"}, "there is no run '77'");
  expect_refused({"--compare", "1", "Invented"}, "no device with results has '1'");
  expect_refused({"--compare", "1", "2", "--csv", "-"}, "--csv does not go with --compare");
  expect_refused({"77"}, "there is no run '77'");
  expect_refused({"two"}, "there is no run 'two'");
  expect_refused({"1", "--out", "-", "--json", "-"}, "--out and --json name the same place");
  expect_refused({"1", "--csv", ""}, "--csv '' names no file");
  EXPECT_EQ(report({"1", "--out", "none/page.html"}).code, 74);
}

}  // namespace
}  // namespace redtune::cli
