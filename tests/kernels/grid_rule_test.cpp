// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The grids that launches have are those that the rule tells people who launch by themselves.
#include "kernel_templates/family/grid_rule.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

namespace redtune::kernels {
namespace {

constexpr int compute_units = 132;

std::int64_t divided_up(std::int64_t a, std::int64_t b) {
  return a / b + (a % b == 0 ? 0 : 1);
}

std::int64_t largest_of(const GridRule& rule) {
  if (rule.blocks_per_unit == 0) return rule.most_blocks;
  const std::int64_t asked = std::int64_t{rule.blocks_per_unit} * compute_units;
  return std::min(std::max<std::int64_t>(asked, 1), rule.most_blocks);
}

/// By the words of GridRule, one after the other.
Grid as_told(const GridRule& rule, std::int64_t count) {
  const std::int64_t tiles = divided_up(count, rule.tile);
  const std::int64_t largest = largest_of(rule);
  const std::int64_t blocks = tiles <= largest ? std::max<std::int64_t>(1, tiles)
                                               : divided_up(tiles, divided_up(tiles, largest));
  const std::int64_t whole = divided_up(blocks, rule.multiple_of) * rule.multiple_of;
  return {whole, rule.runs == Runs::of_tiles ? divided_up(tiles, whole) : 0};
}

std::vector<GridRule> all_rules() {
  std::vector<GridRule> rules;
  for (const std::int64_t tile : {1, 2, 64, 4096, 65536}) {
    for (const int per_unit : {0, 1, 4, 32}) {
      for (const std::int64_t most : {1, 7, 1000, 65536}) {
        for (const int multiple : {1, 2, 8}) {
          for (const Runs runs : {Runs::none, Runs::of_tiles}) {
            rules.push_back({tile, per_unit, most, multiple, runs});
          }
        }
      }
    }
  }
  return rules;
}

/// Borders of a tile, of the largest grid and of a second tile for its blocks, and of integers.
std::vector<std::int64_t> telling_counts(const GridRule& rule) {
  std::vector<std::int64_t> counts{0, 1, 2, 3, std::numeric_limits<std::int64_t>::max()};
  const std::int64_t full = largest_of(rule) * rule.tile;
  for (const std::int64_t border :
       {rule.tile, 2 * rule.tile, full, full + rule.tile, 2 * full, 3 * full, 12345 * full,
        std::int64_t{1} << 31, std::int64_t{1} << 32, std::int64_t{1} << 40,
        std::int64_t{1} << 60}) {
    for (const std::int64_t off : {-1, 0, 1}) counts.push_back(border + off);
  }
  return counts;
}

TEST(Grids, AreWhatTheRuleTells) {
  for (const GridRule& rule : all_rules()) {
    const Grids grids(rule, compute_units);
    for (const std::int64_t count : telling_counts(rule)) {
      const Grid grid = grids.of(count);
      const Grid told = as_told(rule, count);
      const std::string text =
          fmt::format("{} elements in tiles of {}, {} blocks per unit, at most {}, times {}", count,
                      rule.tile, rule.blocks_per_unit, rule.most_blocks, rule.multiple_of);
      ASSERT_EQ(grid.blocks, told.blocks) << text;
      ASSERT_EQ(grid.run, told.run) << text;
    }
  }
}

TEST(Grids, TakeEveryTileAndNoBlockMoreThanCompletesACluster) {
  for (const GridRule& rule : all_rules()) {
    const Grids grids(rule, compute_units);
    for (const std::int64_t count : telling_counts(rule)) {
      const Grid grid = grids.of(count);
      ASSERT_GE(grid.blocks, 1);
      ASSERT_LT(grid.blocks, largest_of(rule) + rule.multiple_of);
      ASSERT_EQ(grid.blocks % rule.multiple_of, 0);
      if (rule.runs == Runs::none) continue;
      ASSERT_GE(grid.run, divided_up(divided_up(count, rule.tile), grid.blocks)) << count;
    }
  }
}

}  // namespace
}  // namespace redtune::kernels
