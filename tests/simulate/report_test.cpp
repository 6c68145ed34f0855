// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What is shown of a simulation: its curves and its document.
#include "cli/simulate/report.hpp"

#include <gtest/gtest.h>
#include <regex>
#include <set>

#include "tests/simulate/made_space.hpp"

namespace redtune::cli {
namespace {

using namespace search;

Json document_of(std::vector<RecordedSpace> spaces, SimulationTerms terms) {
  return Json::parse(json_of(simulate(std::move(spaces), terms)).dump());
}

// The document holds what is needed to score every run again.
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

std::size_t times(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(SimulationChart, CurvesAreOptimumOverBestMeanOverRunsAndSpaces) {
  Simulation simulation{.terms = {.strategies = {"grid"}, .runs = 2}, .spaces = {}};
  simulation = simulate({nine()}, simulation.terms);
  simulation.spaces[0].results[0].runs[0].evaluated = {3, 1, 5};
  simulation.spaces[0].results[0].runs[1].evaluated = {7, 8, 0, 2};
  const LineChart chart = chart_of(simulation);
  ASSERT_EQ(chart.curves.size(), 1u);
  EXPECT_EQ(chart.curves[0].name, "grid");
  ASSERT_EQ(chart.curves[0].values.size(), 3u);  // as far as both go
  EXPECT_DOUBLE_EQ(chart.curves[0].values[0], (1.0 / 4 + 1.0 / 8) / 2);
  EXPECT_DOUBLE_EQ(chart.curves[0].values[1], (1.0 / 2 + 1.0 / 8) / 2);
  EXPECT_DOUBLE_EQ(chart.curves[0].values[2], (1.0 / 2 + 1.0) / 2);
}

TEST(SimulationChart, SmallSpacesEndAtTheirOptimum) {
  std::vector<RecordedSpace> spaces;
  spaces.push_back(nine());
  spaces.push_back(noise_space());
  const LineChart chart =
      chart_of(simulate(std::move(spaces), {.strategies = {"grid"}, .runs = 2}));
  EXPECT_GE(chart.curves[0].values.size(), 200u);
  EXPECT_GT(chart.curves[0].values.back(), 0.9);
}

TEST(LineChart, DrawsEveryCurveWithItsName) {
  const std::string svg = svg_of(
      LineChart{"a < b", "x & y", "z", {{"one", {0.2, 0.5, 1}}, {"<two>", {0.3, 0.4, 0.9}}}});
  EXPECT_EQ(times(svg, "<polyline"), 4u);    // a line and its mark in the legend
  EXPECT_EQ(times(svg, "&lt;two&gt;"), 2u);  // in the legend and in the description
  EXPECT_EQ(times(svg, "a &lt; b"), 2u);
  EXPECT_EQ(times(svg, "prefers-color-scheme: dark"), 1u);
  EXPECT_EQ(times(svg, "nan"), 0u);
}

TEST(LineChart, HigherIsBetterAndFurtherIsLater) {
  const std::string svg = svg_of(LineChart{"", "", "", {{"", {0.5, 1}}}});
  std::smatch found;
  ASSERT_TRUE(std::regex_search(
      svg, found, std::regex(R"re(points="([0-9.]+),([0-9.]+) ([0-9.]+),([0-9.]+))re")));
  EXPECT_LT(std::stod(found[1]), std::stod(found[3]));
  EXPECT_GT(std::stod(found[2]), std::stod(found[4]));
}

TEST(LineChart, DrawsNothingAndASinglePoint) {
  EXPECT_EQ(times(svg_of(LineChart{"t", "", "", {}}), "nan"), 0u);
  EXPECT_EQ(times(svg_of(LineChart{"t", "", "", {{"a", {1.0}}}}), "nan"), 0u);
}

TEST(LineChart, TellsManyCurvesApart) {
  LineChart chart{"", "", "", {}};
  for (int i = 0; i < 15; ++i) chart.curves.push_back({std::to_string(i), {0.1, 0.2}});
  std::set<std::string> strokes;
  const std::string svg = svg_of(chart);
  const std::regex stroke(R"re(<polyline (class=.*?) points)re");
  for (auto at = std::sregex_iterator(svg.begin(), svg.end(), stroke); at != std::sregex_iterator();
       ++at) {
    strokes.insert((*at)[1]);
  }
  EXPECT_EQ(strokes.size(), 15u);
}

}  // namespace
}  // namespace redtune::cli
