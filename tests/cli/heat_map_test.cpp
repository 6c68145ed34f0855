// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Maps of two tunables: what was not tried is not guessed.
#include "cli/plot/heat_map.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace redtune::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// One cell for each: the winner, a rough one, one that failed, one that was not tried.
HeatMap map_of_four() {
  return {.title = "pair",
          .x_axis = "block_size",
          .y_axis = "finish",
          .columns = {"64", "128"},
          .rows = {"slots", "<b>"},
          .cells = {{.ratio = 1.0, .is_tried = true, .is_winner = true},
                    {.ratio = 1.3, .is_tried = true, .is_rough = true},
                    {.is_tried = true},
                    {}}};
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(HeatMap, TellsWhatWasTriedFromWhatWasNot) {
  const std::string drawn = svg_of(map_of_four(), {"map"});
  EXPECT_THAT(drawn, HasSubstr(">1.00</text>"));
  EXPECT_THAT(drawn, HasSubstr(">~1.30</text>"));
  EXPECT_EQ(count_of(drawn, "class=\"hatch\""), 1U);
  EXPECT_EQ(count_of(drawn, "class=\"cross\""), 1U);
  EXPECT_EQ(count_of(drawn, "class=\"frame winner\""), 1U);
  EXPECT_EQ(count_of(drawn, "class=\"frame default\""), 0U);
  HeatMap tried = map_of_four();
  tried.cells[3] = {.ratio = 2.0, .is_tried = true};
  EXPECT_THAT(svg_of(tried, {"map"}), Not(HasSubstr("class=\"hatch\"")));
}

TEST(HeatMap, SaysTheSameInWords) {
  const std::string drawn = svg_of(map_of_four(), {"map"});
  EXPECT_THAT(drawn, HasSubstr("slots: 64 (winner), 1.00×; &lt;b&gt;: not measured; 1 of 4 cells "
                               "were not tried."));
  EXPECT_THAT(drawn, Not(HasSubstr("<b>")));
}

TEST(HeatMap, OfManyValuesHasRoomForSomeOfTheirNames) {
  HeatMap map{.title = "pair", .x_axis = "x", .y_axis = "y", .columns = {}, .rows = {"one"}};
  for (int i = 0; i < 24; ++i) {
    map.columns.push_back(std::to_string(1000 + i));
    map.cells.push_back({.ratio = 1.0 + i, .is_tried = true});
  }
  const std::string drawn = svg_of(map, {"map"});
  EXPECT_THAT(drawn, HasSubstr(">1000</text>"));
  EXPECT_THAT(drawn, Not(HasSubstr(">1001</text>")));
  EXPECT_THAT(drawn, Not(HasSubstr(">1.00</text>"))) << "no room in cells";
}

}  // namespace
}  // namespace redtune::cli
