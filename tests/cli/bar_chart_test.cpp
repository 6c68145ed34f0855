// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Bars are as long as the logarithm of their values says, and what people write stays text.
#include <gtest/gtest.h>
#include <regex>

#include "cli/plot/charts.hpp"

namespace redtune::cli {
namespace {

std::vector<double> widths_of(const std::string& svg) {
  static const std::regex bar(R"re(<rect [^>]*width="([0-9.]+)")re");
  std::vector<double> widths;
  for (auto at = std::sregex_iterator(svg.begin(), svg.end(), bar); at != std::sregex_iterator();
       ++at) {
    widths.push_back(std::stod((*at)[1]));
  }
  return widths;
}

std::size_t times(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(BarChart, GrowsByTheSameLengthForEachPowerOfTen) {
  const auto widths =
      widths_of(svg_of({"title", "axis", {{"a", 3, ""}, {"b", 30, ""}, {"c", 3000, ""}}}));
  ASSERT_EQ(widths.size(), 3u);
  EXPECT_GT(widths[0], 0);
  const double decade = widths[1] - widths[0];
  EXPECT_GT(decade, 50);
  EXPECT_NEAR(widths[2] - widths[1], 2 * decade, 0.3);
}

TEST(BarChart, ShowsABarForTheLeastValueAndForALonelyOne) {
  for (const double value : {1e-3, 1.0, 10.0, 1e6, 12345.0}) {
    const auto widths = widths_of(svg_of({"title", "axis", {{"only", value, "label"}}}));
    ASSERT_EQ(widths.size(), 1u);
    EXPECT_GT(widths[0], 1) << value;
    EXPECT_LT(widths[0], 500) << value;
  }
}

TEST(BarChart, KeepsTextAsText) {
  const std::string svg = svg_of({"<a> & \"b\"", "axis", {{"x<y", 1, "</svg>"}}});
  EXPECT_EQ(times(svg, "</svg>"), 1u);
  EXPECT_NE(svg.find("&lt;a&gt; &amp; &quot;b&quot;"), std::string::npos);
  EXPECT_NE(svg.find("x&lt;y"), std::string::npos);
}

TEST(BarChart, OfNothingIsAnEmptyDrawing) {
  const std::string svg = svg_of(BarChart{"title", "axis", {}});
  EXPECT_TRUE(widths_of(svg).empty());
  EXPECT_NE(svg.find("</svg>"), std::string::npos);
}

TEST(BarChart, HasColoursForLightAndDarkAndNoBackground) {
  const std::string svg = svg_of({"title", "axis", {{"a", 1, ""}}});
  EXPECT_NE(svg.find("prefers-color-scheme: dark"), std::string::npos);
  EXPECT_EQ(times(svg, "<rect "), 1u);
}

}  // namespace
}  // namespace redtune::cli
