// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Every way from columns to their results, operator and type is right on host devices of every wave
// size, in every lane order, for lengths, pitches and places that break careless kernels.
#include "tests/kernels/columns_contract.hpp"

#include <gtest/gtest.h>

#include "kernel_templates/columns/rules.hpp"
#include "tests/kernels/broken_text.hpp"
#include "tests/kernels/host_cells.hpp"

namespace redtune {
namespace {

using device::host::HostOptions;
using device::host::LaneOrder;

constexpr std::size_t configs_per_cell = 7;  // the default, and two of each way
constexpr std::size_t configs_of_some = 4;   // and one of each, where there are many cells
// The default of cells in turn: many columns, few of them, many slices.
constexpr Shape shapes[] = {Shape::columns(1000, 3001), Shape::columns(1 << 20, 7),
                            Shape{.count = 8, .outer = 1000, .inner = 2048}};

const kernels::Family& family() {
  return kernels::find_family("reduce_columns");
}

const checks::HostCells& cells() {
  static const auto cells = checks::cells_of(family(), shapes, {configs_per_cell, configs_of_some});
  return cells;
}

class ColumnsContract : public testing::TestWithParam<checks::HostCell> {};

TEST_P(ColumnsContract, IsRightForEveryExtentPitchAndPlace) {
  GetParam().check(
      [](device::Device& device, const runtime::LoadedConfig& config, std::size_t turn) {
        visit_dtype(config.choice().problem.in, [&]<class In>(std::type_identity<In>) {
          checks::expect_columns_kept<In>(device, config, turn);
        });
      });
}

INSTANTIATE_TEST_SUITE_P(Some, ColumnsContract, testing::ValuesIn(cells().some),
                         [](const auto& cell) { return cell.param.name(); });
INSTANTIATE_TEST_SUITE_P(Full, ColumnsContract, testing::ValuesIn(cells().others),
                         [](const auto& cell) { return cell.param.name(); });

TEST(ColumnsOfACustomOperator, AreRightInEveryWay) {
  checks::expect_squares_and_ones(
      family(), Shape::columns(1000, 77), configs_of_some,
      {Shape::columns(0, 9), Shape::columns(5, 9),
       Shape{.count = 303, .outer = 2, .inner = 33, .count_pitch = 35}});
}

struct Break {
  std::string right;
  std::string wrong;
  std::string settings;
  Shape shape;
  std::size_t skipped = 1;
};

/// Of kernels of this text, where a break shows.
void expect_kept(const std::string& text, const Break& one) {
  const Problem problem = make_problem(Op::sum, DType::i32, Shape::columns(1000, 77));
  // Lanes that others must not overtake run last to first.
  const HostOptions options = checks::options_of(32, LaneOrder::reverse);
  const auto program =
      checks::compiled(family(), problem, options, {{parse_settings(one.settings)}, text});
  const auto device = device::host::make_host_device(options);
  const auto runners = program.load(*device);
  checks::ShapeContract<std::int32_t> contract(*device, runners.front().config());
  contract.expect_right(one.shape, one.skipped);
}

/// Kernels are right, and those that are wrong in one place each are noticed.
TEST(ColumnsContractItself, NoticesWhatIsBroken) {
  const std::string of_block = " block_size=64 vector_width=4 vectors_per_thread=1 ";
  const std::string narrow = "way=tiles threads_across=64 loads_per_thread=2" + of_block;
  const std::string wide = "way=tiles threads_across=8 loads_per_thread=2" + of_block;
  const std::string slots =
      "way=slots threads_across=8 loads_per_thread=1 blocks_per_column=4" + of_block;
  const std::string tickets =
      "way=tickets threads_across=8 loads_per_thread=1 "
      "blocks_per_column=4" +
      of_block;
  const Break breaks[] = {
      {"if (is_ahead) element += tile.length;", "", narrow, Shape::columns(40, 5)},
      {"if (from <= lane && lane < to) lanes.template add", "if (lane < to) lanes.template add",
       narrow, Shape::columns(40, 5)},
      {"there >= width ? width", "there > 0 ? width", narrow, Shape::columns(41, 5)},
      {"period = i32(u32(width) / alignment);", "period = 1;", narrow, Shape::columns(40, 301)},
      {"if (ahead > 0) block_barrier();", "", narrow, Shape::columns(40, 301)},
      {"bool adds = ahead > 0;", "bool adds = false;", narrow, Shape::columns(40, 301)},
      {"column >= array.inner", "column > array.inner", wide, Shape::columns(40, 100, 104)},
      {"column >= tile.array.inner", "column > tile.array.inner + width", narrow,
       Shape::columns(40, 296, 304), 0},
      {"to + lane, results + lane", "to, results + lane", narrow, Shape::columns(40, 512), 0},
      {"value[half * length]", "value[half * length - 1]", narrow, Shape::columns(40, 5)},
      {"(tile.first_slice + set) * array.inner",
       "tile.first_slice * array.inner",
       narrow,
       {.count = 4, .outer = 9, .inner = 8}},
      {"gather_parts<Op, block_size>(values, length, last,",
       "gather_parts<Op, block_size>(values, length, last - 1,", slots, Shape::columns(999, 20)},
      {"gather_parts<Op, block_size>(values, length, part.parts,",
       "gather_parts<Op, block_size>(values, length, part.parts - 1,", tickets,
       Shape::columns(999, 20)},
  };
  const std::string whole = family().device_text(make_problem(Op::sum, DType::i32, 1));
  for (const Break& one : breaks) expect_kept(whole, one);
  for (const Break& one : breaks) {
    const std::string text = checks::broken_text(whole, one.right, one.wrong);
    EXPECT_TRUE(checks::is_noticed([&] { expect_kept(text, one); }))
        << one.right << " -> " << one.wrong;
  }
}

}  // namespace
}  // namespace redtune
