// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Every way from rows to their results, operator and type is right on host devices of every wave
// size, in every lane order, for lengths, pitches and places that break careless kernels.
#include "tests/kernels/rows_contract.hpp"

#include <gtest/gtest.h>

#include "kernel_templates/rows/rules.hpp"
#include "tests/kernels/broken_text.hpp"
#include "tests/kernels/host_cells.hpp"

namespace redtune {
namespace {

using device::host::HostOptions;
using device::host::LaneOrder;

constexpr std::size_t configs_per_cell = 9;  // the default, and two of each way
constexpr std::size_t configs_of_some = 5;   // and one of each, where there are many cells
// The default of cells in turn: short rows, long ones, few of them.
constexpr Shape shapes[] = {Shape::rows(1000, 7), Shape::rows(1000, 3001), Shape::rows(2, 1 << 20)};

const kernels::Family& family() {
  return kernels::find_family("reduce_rows");
}

const checks::HostCells& cells() {
  static const auto cells = checks::cells_of(family(), shapes, {configs_per_cell, configs_of_some});
  return cells;
}

class RowsContract : public testing::TestWithParam<checks::HostCell> {};

TEST_P(RowsContract, IsRightForEveryLengthPitchAndPlace) {
  GetParam().check(
      [](device::Device& device, const runtime::LoadedConfig& config, std::size_t turn) {
        visit_dtype(config.choice().problem.in, [&]<class In>(std::type_identity<In>) {
          checks::expect_rows_kept<In>(device, config, turn);
        });
      });
}

INSTANTIATE_TEST_SUITE_P(Some, RowsContract, testing::ValuesIn(cells().some),
                         [](const auto& cell) { return cell.param.name(); });
INSTANTIATE_TEST_SUITE_P(Full, RowsContract, testing::ValuesIn(cells().others),
                         [](const auto& cell) { return cell.param.name(); });

TEST(RowsOfACustomOperator, AreRightInEveryWay) {
  checks::expect_squares_and_ones(
      family(), Shape::rows(100, 77), configs_per_cell,
      {Shape::rows(9, 0), Shape::rows(9, 5), Shape::rows(3, 1001, 1003)});
}

struct Break {
  std::string right;
  std::string wrong;
  bool is_parted = false;
};

/// Of kernels of this text: groups of threads, or blocks that have parts of a row.
void expect_kept(const std::string& text, bool is_parted) {
  const std::string of_block = " block_size=64 vector_width=4 rows_per_thread=1";
  const std::string groups = "way=groups threads_per_row=8 loads_per_thread=2" + of_block;
  const std::string slots =
      "way=slots threads_per_row=64 loads_per_thread=1 blocks_per_row=2" + of_block;
  const Problem problem = make_problem(Op::sum, DType::i32, Shape::rows(1000, 77));
  const HostOptions options = checks::options_of(32, LaneOrder::forward);
  const auto program = checks::compiled(family(), problem, options,
                                        {{parse_settings(is_parted ? slots : groups)}, text});
  const auto device = device::host::make_host_device(options);
  const auto runners = program.load(*device);
  checks::RowsContract<std::int32_t> contract(*device, runners.front().config());
  contract.expect_right(Shape::rows(9, is_parted ? 1111 : 33), 1);
}

/// Kernels are right, and those that are wrong in one place each are noticed.
TEST(RowsContractItself, NoticesWhatIsBroken) {
  const Break breaks[] = {
      {"return {whole_end(), 0, is_in_head", "return {whole_end(), 1, is_in_head"},
      {"return {0, begin, begin == 0", "return {0, begin + 1, begin == 0"},
      {"write_one(out + row,", "write_one(out + row + (row > 5),"},
      {"low_bits(cut.to) & ~low_bits(cut.from)", "low_bits(cut.to)"},
      {"if (part.index != 0) return {0, 0, 0};", "", true},
      {"at += part.parts * Shape::tile", "at += Shape::tile", true},
  };
  const std::string whole = family().device_text(make_problem(Op::sum, DType::i32, 1));
  for (const bool is_parted : {false, true}) expect_kept(whole, is_parted);
  for (const auto& [right, wrong, is_parted] : breaks) {
    const std::string text = checks::broken_text(whole, right, wrong);
    EXPECT_TRUE(checks::is_noticed([&] { expect_kept(text, is_parted); })) << wrong;
  }
}

}  // namespace
}  // namespace redtune
