// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The JSON document holds what is needed to score every run again.
#include <gtest/gtest.h>

#include "cli/simulate/report.hpp"
#include "tests/simulate/made_space.hpp"

namespace redtune::cli {
namespace {

using namespace search;

Json document_of(std::vector<RecordedSpace> spaces, SimulationTerms terms) {
  return Json::parse(json_of(simulate(std::move(spaces), terms)).dump());
}

TEST(SimulationDocument, HoldsEveryEvaluation) {
  RecordedSpace space = make_recorded_space(
      {{"n", "w"}, {{{2.0, "b"}, {.cost = 4}}, {{0.5, "a"}, {.cost = 2}}, {{2.0, "a"}, {}}}});
  const Json document = document_of({space}, {.strategies = {"random"}, .runs = 3});
  EXPECT_EQ(document["format"], "redtune simulation 1");
  const Json& axes = document["spaces"][0]["axes"];
  EXPECT_EQ(axes[0]["values"], Json::parse("[0.5, 2]"));
  EXPECT_EQ(axes[1], Json::parse(R"({"name":"w","kind":"categorical","values":["a","b"]})"));
  ASSERT_EQ(document["results"][0]["runs"].size(), 3u);
  for (const Json& run : document["results"][0]["runs"]) {
    ASSERT_EQ(run["indices"].size(), 3u);  // the whole space
    Json best;
    for (std::size_t i = 0; i < 3; ++i) {
      const Json expected = run["indices"][i] == Json{1, 1}   ? Json(4)
                            : run["indices"][i] == Json{0, 0} ? Json(2)
                                                              : Json();
      EXPECT_EQ(run["cost"][i], expected) << run;
      if (!expected.is_null() && (best.is_null() || expected < best)) best = expected;
      EXPECT_EQ(run["best"][i], best) << run;
    }
    EXPECT_FALSE(run.contains("told"));
    EXPECT_FALSE(run.contains("seconds"));
  }
}

TEST(SimulationDocument, HoldsScoresAndNullWhereThereIsNone) {
  const Json document = document_of({nine()}, {.strategies = {"grid", "random"}, .runs = 4});
  EXPECT_TRUE(document["results"][1]["score"].is_number());
  EXPECT_EQ(document["means"][1]["strategy"], "random");
  EXPECT_EQ(document["means"][1]["score"], document["results"][1]["score"]);
  EXPECT_EQ(document["spaces"][0]["scored_evaluations"], Json::parse("[1, 4]"));
  EXPECT_EQ(document["terms"]["budget"], Json());
  const Json cut = document_of({nine()}, {.strategies = {"grid"}, .runs = 4, .budget = 2});
  EXPECT_EQ(cut["results"][0]["score"], Json());
  EXPECT_EQ(cut["results"][0]["found"]["25"], Json());
}

TEST(SimulationDocument, TellsNoiseAndSecondsWhereTheyCount) {
  RecordedSpace space = nine();
  for (Record& record : space.records) {
    record.seconds = 3;
    record.launches = {1, 3};
  }
  const Json document = document_of(
      {space},
      {.strategies = {"grid"}, .runs = 1, .noise = Noise::replay, .unit = CostUnit::seconds});
  const Json& run = document["results"][0]["runs"][0];
  ASSERT_EQ(run["told"].size(), 9u);
  EXPECT_EQ(run["seconds"][0], 3);
  for (std::size_t i = 0; i < 9; ++i) {
    const double factor = run["told"][i].get<double>() / run["cost"][i].get<double>();
    EXPECT_TRUE(factor == 0.5 || factor == 1.5) << factor;
  }
}

}  // namespace
}  // namespace redtune::cli
