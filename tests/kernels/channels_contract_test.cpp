// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Every way from channels to their results, operator and type is right on host devices of every
// wave size, in every lane order, for extents, pitches and places that break careless kernels.
#include "tests/kernels/channels_contract.hpp"

#include <gtest/gtest.h>

#include "kernel_templates/channels/rules.hpp"
#include "tests/kernels/broken_text.hpp"
#include "tests/kernels/host_cells.hpp"

namespace redtune {
namespace {

using device::host::HostOptions;
using device::host::LaneOrder;

constexpr std::size_t configs_per_cell = 7;  // the default, and two of each way
constexpr std::size_t configs_of_some = 4;   // and one of each, where there are many cells
// The default of cells in turn: short spans, long ones, few channels.
constexpr Shape shapes[] = {Shape::channels(32, 1000, 7), Shape::channels(20, 300, 3001),
                            Shape::channels(2, 3, 1 << 20)};

const kernels::Family& family() {
  return kernels::find_family("reduce_channels");
}

const checks::HostCells& cells() {
  static const auto cells = checks::cells_of(family(), shapes, {configs_per_cell, configs_of_some});
  return cells;
}

class ChannelsContract : public testing::TestWithParam<checks::HostCell> {};

TEST_P(ChannelsContract, IsRightForEveryExtentPitchAndPlace) {
  GetParam().check(
      [](device::Device& device, const runtime::LoadedConfig& config, std::size_t turn) {
        visit_dtype(config.choice().problem.in, [&]<class In>(std::type_identity<In>) {
          checks::expect_channels_kept<In>(device, config, turn);
        });
      });
}

INSTANTIATE_TEST_SUITE_P(Some, ChannelsContract, testing::ValuesIn(cells().some),
                         [](const auto& cell) { return cell.param.name(); });
INSTANTIATE_TEST_SUITE_P(Full, ChannelsContract, testing::ValuesIn(cells().others),
                         [](const auto& cell) { return cell.param.name(); });

TEST(ChannelsOfACustomOperator, AreRightInEveryWay) {
  checks::expect_squares_and_ones(
      family(), Shape::channels(20, 100, 77), configs_per_cell,
      {Shape::channels(4, 9, 0), Shape::channels(7, 9, 5),
       Shape{.count = 101, .outer = 3, .outer_pitch = 103, .batch = 5, .batch_pitch = 311}});
}

void expect_kept(const std::string& text) {
  const Problem problem = make_problem(Op::sum, DType::i32, Shape::channels(9, 40, 33));
  const HostOptions options = checks::options_of(32, LaneOrder::forward);
  const auto program = checks::compiled(
      family(), problem, options,
      {{parse_settings("way=blocks block_size=64 threads_per_span=2 channels_per_block=2 "
                       "vector_width=4 spans_per_thread=1 loads_per_thread=2")},
       text});
  const auto device = device::host::make_host_device(options);
  const auto runners = program.load(*device);
  checks::ChannelsContract<std::int32_t> contract(*device, runners.front().config());
  contract.expect_right(Shape::channels(9, 40, 33), 1);
  contract.expect_right(Shape::channels(7, 3, 301), 1);
  contract.expect_right(Shape::channels(40, 9, 5), 1);
}

/// Kernels are right, and those that are wrong in one place each are noticed.
TEST(ChannelsContractItself, NoticesWhatIsBroken) {
  const std::pair<std::string, std::string> breaks[] = {
      {"next_piece(i32(u32(step) % u32(pieces_of_span)))", "next_piece(0)"},
      {"array += 1;", "array += 0;"},
      {"array += next_array;", "array += next_array + (array > 5);"},
      {"(Block::channel() * Block::lines + Block::line())",
       "(Block::channel() + Block::line() * Block::channels)"},
      {"write_one(out + channel,", "write_one(out + channel + (channel > 5),"},
      {"left < of.piece ? left : of.piece", "left < of.piece ? left - 1 : of.piece"},
  };
  const std::string whole = family().device_text(make_problem(Op::sum, DType::i32, 1));
  expect_kept(whole);
  for (const auto& [right, wrong] : breaks) {
    const std::string text = checks::broken_text(whole, right, wrong);
    EXPECT_TRUE(checks::is_noticed([&] { expect_kept(text); })) << wrong;
  }
}

}  // namespace
}  // namespace redtune
