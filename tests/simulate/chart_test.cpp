// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Curves hold what was found, and a drawing holds all curves.
#include <gtest/gtest.h>
#include <regex>
#include <set>

#include "cli/simulate/report.hpp"
#include "tests/simulate/made_space.hpp"

namespace redtune::cli {
namespace {

using namespace search;

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
  EXPECT_EQ(times(svg, "<polyline"), 4u);  // a line and its mark in the legend
  EXPECT_EQ(times(svg, "&lt;two&gt;"), 1u);
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
  const std::regex stroke(R"re(<polyline (stroke=.*?) points)re");
  for (auto at = std::sregex_iterator(svg.begin(), svg.end(), stroke); at != std::sregex_iterator();
       ++at) {
    strokes.insert((*at)[1]);
  }
  EXPECT_EQ(strokes.size(), 15u);
}

}  // namespace
}  // namespace redtune::cli
