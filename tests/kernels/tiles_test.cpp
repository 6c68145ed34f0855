// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The two sides of a launch of 'reduce' agree: with the grid and the run that the host plans, the
// tiles that the kernel's own text gives to the blocks hold every element once.
#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <gtest/gtest.h>
#include <span>
#include <vector>

#include "kernel_templates/reduce/planner.hpp"
#include "kernel_templates/reduce/rules.hpp"
#include "search/rng.hpp"

// Device text last: its short names of types would hide others.
#include "kernel_templates/device_code/load.hip.h"

namespace {

int block_now = 0;
int grid_now = 1;

}  // namespace

int redtune_host_thread() {
  return 0;
}
int redtune_host_block() {
  return block_now;
}
int redtune_host_grid() {
  return grid_now;
}

namespace redtune::kernels {
namespace {

/// The launch that reduces; atomic has one before it.
const KernelCall& reduce_call(const LaunchPlan& plan, const ReduceConfig& config) {
  return plan.calls[config.finish == Finish::atomic ? 1 : 0];
}

/// Vectors of an input, from first, before end.
struct Range {
  std::int64_t first;
  std::int64_t end;
};

/// One launch: a plan, and an input that starts `skipped` elements behind an aligned address.
struct Launched {
  ReduceConfig config;
  LaunchPlan plan;
  std::int64_t count = 0;
  int skipped = 0;
  bool backwards = false;
  int grid = 1;
  std::int64_t run = 0;
};

/// A block that says so has one tile, or none, and tells where it begins.
void expect_one_each(std::span<const Range> tiles, const tile_range& mine, int size) {
  if (!mine.one_each) return;
  ASSERT_LE(tiles.size(), 1U);
  const std::int64_t only = mine.only(size);
  EXPECT_EQ(!tiles.empty(), only >= 0 && only < mine.end);
  for (const Range& tile : tiles) EXPECT_EQ(tile.first, only);
}

/// Backwards the first block begins with the last whole tile, and each goes down.
void expect_backwards(std::span<const Range> whole, const tile_range& mine, int tile) {
  const bool begins = block_now == 0 && !whole.empty();
  EXPECT_TRUE(!begins || whole[0].end + tile > mine.end);
  EXPECT_TRUE(std::ranges::is_sorted(whole, std::ranges::greater{}, &Range::first));
}

/// The vectors of every tile of every block, as the loop in fold_block.hip.h takes them.
template <int width>
std::vector<Range> tiles_of_all_blocks(const split_input<float, width>& input,
                                       const Launched& what) {
  const int tile = what.config.block_size * what.config.items_per_thread / width;
  std::vector<Range> tiles;
  grid_now = what.grid;
  for (block_now = 0; block_now < grid_now; ++block_now) {
    const tile_range mine(input.vector_count, tile, what.run, what.backwards);
    const std::size_t before = tiles.size();
    std::int64_t at = mine.first;
    for (; at <= mine.end - tile && at >= 0; at += mine.step) tiles.push_back({at, at + tile});
    const auto mine_of = [&] { return std::span<const Range>(tiles).subspan(before); };
    if (what.backwards && what.run == 0) expect_backwards(mine_of(), mine, tile);
    at = mine.rest(at, tile);
    if (at < mine.end) tiles.push_back({at, mine.end});
    expect_one_each(mine_of(), mine, tile);
  }
  std::ranges::sort(tiles, {}, &Range::first);
  return tiles;
}

template <int width>
testing::AssertionResult holds_all_once(const Launched& what) {
  // An address to reckon with; nothing is read from it.
  const auto address = (std::uintptr_t{1} << 20) + std::uintptr_t(what.skipped) * sizeof(float);
  const split_input<float, width> input(reinterpret_cast<const float*>(address), what.count);
  std::int64_t next = 0;
  for (const Range& tile : tiles_of_all_blocks(input, what)) {
    if (tile.first != next || tile.end <= tile.first) {
      return testing::AssertionFailure()
             << "a tile of vectors " << tile.first << " to " << tile.end << " after " << next;
    }
    next = tile.end;
  }
  if (next != std::max<std::int64_t>(0, input.vector_count)) {
    return testing::AssertionFailure() << next << " of " << input.vector_count << " vectors";
  }
  if (next * width + input.odd_count() != what.count) {
    return testing::AssertionFailure() << input.odd_count() << " elements of head and rest";
  }
  return testing::AssertionSuccess();
}

testing::AssertionResult holds_all_once(const Launched& what) {
  switch (what.config.vector_width) {
    case 1:
      return holds_all_once<1>(what);
    case 2:
      return holds_all_once<2>(what);
    case 4:
      return holds_all_once<4>(what);
    case 8:
      return holds_all_once<8>(what);
    case 16:
      return holds_all_once<16>(what);
    default:
      return testing::AssertionFailure() << "a new vector width needs a line here";
  }
}

/// A value of a field of the config, drawn from its axis.
template <class Field>
auto draw(const Field& row, search::Rng& rng) {
  return row.values[rng.below(row.values.size())];
}

ReduceConfig draw_config(search::Rng& rng) {
  ReduceConfig config;
  std::apply([&](const auto&... rows) { ((config.*rows.member = draw(rows, rng)), ...); },
             ReduceConfig::fields());
  config.items_per_thread = std::max(config.items_per_thread, config.vector_width);
  return config;
}

/// Counts of none, of few, and of up to 300 tiles, often next to the border of one.
std::int64_t draw_count(const ReduceConfig& config, search::Rng& rng) {
  const std::int64_t tile = std::int64_t{config.block_size} * config.items_per_thread;
  const auto tiles = static_cast<std::int64_t>(rng.below(300));
  switch (rng.below(4)) {
    case 0:
      return static_cast<std::int64_t>(rng.below(40));
    case 1:
      return tiles * tile;
    case 2:
      return std::max<std::int64_t>(0, tiles * tile + static_cast<std::int64_t>(rng.below(9)) - 4);
    default:
      return tiles * tile + static_cast<std::int64_t>(rng.below(static_cast<std::uint64_t>(tile)));
  }
}

TEST(Tiles, HoldEveryElementOnceForAnyConfigCountAlignmentAndGrid) {
  search::Rng rng(17);
  int long_runs = 0;
  int fewer_tiles = 0;  // the head costs the kernel a tile that the host planned for
  int backwards = 0;
  for (int i = 0; i < 20'000 && !HasFailure(); ++i) {
    Launched what{.config = draw_config(rng)};
    const Limits limits{.compute_units = static_cast<int>(rng.below(40)) + 1};
    const ReducePlanner planner(what.config, make_problem(Op::sum, DType::f32, 1), limits);
    what.count = draw_count(what.config, rng);
    what.plan = planner.plan({.count = what.count});
    what.skipped =
        static_cast<int>(rng.below(static_cast<std::uint64_t>(what.config.vector_width)));
    what.backwards = rng.below(2) == 1;
    what.grid = static_cast<int>(reduce_call(what.plan, what.config).grid);
    what.run = what.plan.value_of("run");
    if (rng.below(4) == 0) {  // a grid of somebody's own, as docs/reference/code_objects.md has it
      what.grid = static_cast<int>(rng.below(99)) + 1;
      const std::int64_t tiles = tiles_of(what.config, what.count);
      what.run = rng.below(2) == 0 ? 0 : (tiles + what.grid - 1) / what.grid;
    }
    backwards += what.backwards && what.run == 0 ? 1 : 0;
    EXPECT_TRUE(holds_all_once(what)) << fmt::format(
        "{} elements, {} behind an aligned address, {} blocks of {}, run {}, {} items, {}wards",
        what.count, what.skipped, what.grid, what.config.block_size, what.run,
        what.config.items_per_thread, what.backwards ? "back" : "for");
    long_runs += what.run > 1 ? 1 : 0;
    const std::int64_t head = (what.config.vector_width - what.skipped) % what.config.vector_width;
    fewer_tiles += tiles_of(what.config, std::max<std::int64_t>(0, what.count - head)) <
                           tiles_of(what.config, what.count)
                       ? 1
                       : 0;
  }
  EXPECT_GT(long_runs, 1000);
  EXPECT_GT(fewer_tiles, 1000);
  EXPECT_GT(backwards, 1000);
}

TEST(ReducePlanner, PlansWhatTheRulesSay) {
  search::Rng rng(5);
  for (int i = 0; i < 5000 && !HasFailure(); ++i) {
    const ReduceConfig config = draw_config(rng);
    const Limits limits{.compute_units = static_cast<int>(rng.below(400)) + 1,
                        .max_grid = static_cast<std::int64_t>(rng.below(100'000)) + 1};
    // Any length in bits is as likely as any other.
    const auto count = static_cast<std::int64_t>(rng.next() >> (4 + rng.below(60)));
    const Problem problem = make_problem(Op::sum, DType::f32, count);
    const LaunchPlan plan = ReducePlanner(config, problem, limits).plan({.count = count});
    const std::int64_t grid = grid_of(config, problem, limits);
    EXPECT_EQ(reduce_call(plan, config).grid, grid) << count;
    EXPECT_EQ(plan.value_of("partial_count"), grid) << count;
    const bool is_two = config.finish == Finish::second_pass || config.finish == Finish::atomic;
    EXPECT_EQ(plan.calls.size(), is_two ? 2U : 1U);
    if (config.tile_order == TileOrder::strided) {
      EXPECT_EQ(plan.value_of("run"), 0);
    } else {
      EXPECT_GE(plan.value_of("run") * grid, tiles_of(config, count)) << count;
      // Blocks that only complete a cluster have nothing to do.
      const int spare = config.finish == Finish::cluster ? config.cluster_size - 1 : 0;
      EXPECT_LT((plan.value_of("run") - 1) * (grid - spare),
                std::max<std::int64_t>(1, tiles_of(config, count)))
          << count;
    }
  }
}

}  // namespace
}  // namespace redtune::kernels
