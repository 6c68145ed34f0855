// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Numbers, lines, tables and charts for a terminal.
#include "cli/report/screen_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

namespace redtune::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(ScreenText, HasThreeDigitsAndAUnit) {
  EXPECT_EQ(us_text(0.85), "850 ns");
  EXPECT_EQ(us_text(0.9996), "1.00 us");
  EXPECT_EQ(us_text(27.72), "27.7 us");
  EXPECT_EQ(us_text(9.996), "10.0 us");
  EXPECT_EQ(us_text(99.96), "100 us");
  EXPECT_EQ(us_text(999.4), "999 us");
  EXPECT_EQ(us_text(999.6), "1.00 ms");
  EXPECT_EQ(us_text(13214.32), "13.2 ms");
  EXPECT_EQ(us_text(2.4e6), "2.40 s");
  EXPECT_EQ(three_digits(0), "0");
  EXPECT_EQ(three_digits(0.0012345), "0.00123");
  EXPECT_EQ(three_digits(123456), "123000");
  EXPECT_EQ(x_times_text(24.53), "24.5x");
}

std::size_t longest_line(const std::string& text) {
  std::size_t longest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) longest = std::max(longest, width_of(line));
  return longest;
}

TEST(ScreenText, BreaksLinesAtWords) {
  std::string text;
  for (int i = 0; i < 60; ++i) text += "word ";
  const std::string lines = wrapped(text, 4);
  EXPECT_LE(longest_line(lines), screen_columns);
  EXPECT_THAT(lines, HasSubstr("\n    word"));
  EXPECT_EQ(wrapped("a\nb"), "a\\nb\n") << "what is in a text makes no line";
}

TEST(ScreenText, BreaksTheLastColumnOfATable) {
  std::string settings;
  for (int i = 0; i < 20; ++i) settings += "block_size=256 ";
  const std::string table =
      screen_table({{"n", "µs", "config"}, {"1", "10.5", settings}, {"20", "9", "x"}});
  EXPECT_LE(longest_line(table), screen_columns);
  EXPECT_THAT(table, HasSubstr(" 1  10.5  block_size=256"));
  EXPECT_THAT(table, HasSubstr("20     9  x\n"));
  EXPECT_THAT(table, HasSubstr("\n          block_size=256"));
}

TEST(ScreenText, DrawsTheBestSoFar) {
  const std::string chart =
      screen_chart({{100, true}, {50, false}, {20, true}, {80, true}}, 100.0, "default");
  EXPECT_THAT(chart, HasSubstr("100 us |##-- default")) << chart;
  EXPECT_THAT(chart, HasSubstr("20.0 us |  ##")) << chart;
  EXPECT_EQ(screen_chart({{100, false}}, {}, ""), "");
  EXPECT_EQ(screen_chart({}, {}, ""), "");
  EXPECT_LE(longest_line(screen_chart(std::vector<ScreenPoint>(10'000, {5, true}), {}, "")), 100U);
}

}  // namespace
}  // namespace redtune::cli
