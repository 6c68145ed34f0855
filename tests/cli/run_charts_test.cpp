// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Charts of a run: what lies where, and what those hear who see nothing.
#include "cli/plot/run_charts.hpp"

#include <gtest/gtest.h>
#include <regex>

namespace redtune::cli {
namespace {

/// The numbers that a pattern finds, in order.
std::vector<double> found_in(const std::string& svg, const std::string& pattern) {
  const std::regex expression(pattern);
  std::vector<double> found;
  for (auto at = std::sregex_iterator(svg.begin(), svg.end(), expression);
       at != std::sregex_iterator(); ++at) {
    found.push_back(std::stod((*at)[1]));
  }
  return found;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

TEST(Axis, HasRoundTicksWithin) {
  EXPECT_EQ(Axis(0, 10, Scale::linear, 0, 100).ticks(5), (std::vector<double>{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(Axis(1, 1000, Scale::logarithmic, 0, 100).ticks(5),
            (std::vector<double>{1, 10, 100, 1000}));
  for (const double high : {1.001, 1.5, 7.0, 9.0, 80.0, 1e3, 1e9}) {
    for (const Scale scale : {Scale::linear, Scale::logarithmic}) {
      const auto ticks = Axis(1, high, scale, 0, 100).ticks(5);
      EXPECT_GE(ticks.size(), 2U) << high;
      EXPECT_LE(ticks.size(), 8U) << high;
      for (const double tick : ticks) {
        EXPECT_GE(tick, 1) << high;
        EXPECT_LE(tick, high * (1 + 1e-9)) << high;
      }
    }
  }
}

TEST(Axis, PutsALonelyValueInTheMiddle) {
  for (const Scale scale : {Scale::linear, Scale::logarithmic}) {
    EXPECT_NEAR(Axis(7, 7, scale, 0, 100).at(7), 50, 3);
  }
  EXPECT_EQ(Axis(0, 0, Scale::linear, 0, 100).at(0), 50);
}

TEST(Axis, GivesTheSameLengthToEqualRatios) {
  const Axis axis(1, 1000, Scale::logarithmic, 0, 300);
  EXPECT_NEAR(axis.at(10), 100, 1e-9);
  EXPECT_NEAR(axis.at(100), 200, 1e-9);
}

TEST(IntervalChart, ShadesTiesAndTellsAllInWords) {
  IntervalChart chart{"finalists", "µs", {}};
  chart.rows.push_back({"winner", "a=1", "10 µs", {9, 10, 11}, true, false});
  chart.rows.push_back({"", "a=2", "10.2 µs", {9.5, 10.2, 11}, true, false});
  chart.rows.push_back({"default", "", "14 µs", {13, 14, 15}, false, true});
  const std::string svg = svg_of(chart, {"f"});
  EXPECT_EQ(found_in(svg, R"re(<rect class="tie" x="([0-9]))re").size(), 2U);
  const auto points = found_in(svg, R"re(<circle class="point" cx="([0-9.]+))re");
  ASSERT_EQ(points.size(), 2U);
  EXPECT_LT(points[0], points[1]);
  EXPECT_TRUE(has(svg, "winner, a=1: 10 (9 to 11), tied;")) << svg;
  EXPECT_TRUE(has(svg, "<title id=\"f-title\">finalists</title>"));
  EXPECT_TRUE(has(svg, "aria-labelledby=\"f-title f-desc\""));
  EXPECT_FALSE(has(svg, "<style>")) << "the page has it";
}

TEST(ProgressChart, GoesDownOnlyWhereATrialThatCountsIsBetter) {
  const ProgressChart chart{
      "best", "evaluations", "µs", {{1, 20}, {2, 30}, {3, 12, false}, {4, 15}, {5, 16}}};
  const std::string svg = svg_of(chart, {"b"});
  std::smatch line;
  ASSERT_TRUE(std::regex_search(svg, line, std::regex(R"re(class="best" d="([^"]*))re")));
  EXPECT_EQ(found_in(line[1], "V([0-9.]+)").size(), 1U) << line[1];
  EXPECT_TRUE(has(svg, "The best, 15, was found at 4 of 5.")) << svg;
}

TEST(ProgressChart, OfManyTrialsHasADotForAPixel) {
  ProgressChart chart{"best", "evaluations", "µs", {}};
  for (int i = 1; i <= 100'000; ++i) {
    chart.points.push_back({static_cast<double>(i), 10.0 + i % 7});
  }
  EXPECT_LT(svg_of(chart).size(), 60'000U);
}

TEST(ProgressChart, HasRoomForTheLastNumberOfItsAxis) {
  ProgressChart chart{"t", "evaluations", "us", {}};
  for (int i = 0; i <= 10'000; ++i) chart.points.push_back({1.0 * i, 10});
  const std::string drawing = svg_of(chart);
  const auto end = drawing.find("\">10000</text>");
  ASSERT_NE(end, drawing.npos);
  const auto begin = drawing.rfind("x=\"", end) + 3;
  EXPECT_LE(std::stod(drawing.substr(begin)), 400 - 5 * 4.0);
}

TEST(ProgressChart, OfNothingAndOfOneTrialHasNoNumberThatIsNone) {
  for (const std::vector<TrialPoint>& points :
       {std::vector<TrialPoint>{}, {{1, 5}}, {{0, 5}}, {{3, 5, false}}, {{2, 5}, {2, 5}}}) {
    const std::string svg = svg_of(ProgressChart{"t", "x", "y", points, 5.0, "default"});
    EXPECT_FALSE(std::regex_search(svg, std::regex(R"re(["M ,HV-](nan|inf))re"))) << svg;
    EXPECT_TRUE(svg.ends_with("</svg>\n"));
  }
}

TEST(StripChart, PutsSlowerValuesFurtherRight) {
  StripChart chart{.title = "loads", .axis = "µs", .rows = {}, .low = 10, .high = 40};
  chart.rows.push_back({"1", "4.00×", 40.0, {40, 40.01}, true, false});
  chart.rows.push_back({"2", "1.00×", 10.0, {10, 25}, false, true});
  chart.rows.push_back({"4", "not measured", {}, {}, false, false});
  const std::string svg = svg_of(chart, {"s"});
  const auto points = found_in(svg, R"re(<circle class="point[^"]*" cx="([0-9.]+))re");
  ASSERT_EQ(points.size(), 2U);
  EXPECT_GT(points[0], points[1] + 100);
  EXPECT_TRUE(has(svg, "1 (default): 4.00×; 2 (winner): 1.00×; 4: not measured;")) << svg;
}

TEST(Markup, LeavesNothingThatBeginsATagOrEndsAQuote) {
  EXPECT_EQ(markup("<a b='c'>&\"\n\x1b"), "&lt;a b=&#39;c&#39;&gt;&amp;&quot;\\n\\x1b");
  EXPECT_EQ(markup_lines("<\n>"), "&lt;&#10;&gt;");
}

TEST(Shortened, CountsCharactersAndNotBytes) {
  EXPECT_EQ(shortened("größer", 6), "größer");
  EXPECT_EQ(shortened("größer", 4), "grö…");
  EXPECT_EQ(shortened("", 3), "");
}

}  // namespace
}  // namespace redtune::cli
