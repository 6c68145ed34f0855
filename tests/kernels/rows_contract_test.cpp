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

/// Of kernels of a text: groups of threads, blocks that have parts of a row, or stages of rows of
/// bytes, which threads fold by elements, by words and by vectors; which two threads fold; of two
/// bytes an element, also where rows are alike; or of four.
enum class Way { groups, slots, staged, staged_by_two, staged_alike, staged_of_four_bytes };

struct Break {
  std::string right;
  std::string wrong;
  Way way = Way::groups;
};

template <class In>
void expect_kept(const std::string& text, DType type, const std::string& settings,
                 const std::vector<Shape>& tried) {
  const Problem problem = make_problem(Op::sum, type, Shape::rows(1000, 77));
  const HostOptions options = checks::options_of(32, LaneOrder::forward);
  const auto program =
      checks::compiled(family(), problem, options, {{parse_settings(settings)}, text});
  const auto device = device::host::make_host_device(options);
  const auto runners = program.load(*device);
  checks::RowsContract<In> contract(*device, runners.front().config());
  for (const Shape& shape : tried) {
    for (const std::size_t skipped : {0U, 1U}) contract.expect_right(shape, skipped);
  }
}

void expect_kept(const std::string& text, Way way) {
  const std::string of_block = " block_size=64 vector_width=4 rows_per_thread=1";
  switch (way) {
    case Way::groups:
      return expect_kept<std::int32_t>(text, DType::i32,
                                       "way=groups threads_per_row=8 loads_per_thread=2" + of_block,
                                       {Shape::rows(9, 33)});
    case Way::slots:
      return expect_kept<std::int32_t>(
          text, DType::i32,
          "way=slots threads_per_row=64 loads_per_thread=1 blocks_per_row=2" + of_block,
          {Shape::rows(9, 1111)});
    case Way::staged:
      return expect_kept<std::uint8_t>(
          text, DType::u8,
          "way=staged block_size=64 threads_per_row=1 loads_per_thread=1 vector_width=16 "
          "rows_per_thread=1",
          {Shape::rows(90, 3), Shape::rows(90, 5), Shape::rows(90, 9), Shape::rows(90, 33),
           Shape::rows(90, 32), Shape::rows(40, 30, 32)});
    case Way::staged_by_two:
      return expect_kept<std::uint8_t>(
          text, DType::u8,
          "way=staged block_size=64 threads_per_row=2 loads_per_thread=1 vector_width=16 "
          "rows_per_thread=1",
          {Shape::rows(40, 70, 96), Shape::rows(40, 65)});
    case Way::staged_alike:
      return expect_kept<std::uint16_t>(
          text, DType::u16,
          "way=staged block_size=64 threads_per_row=1 loads_per_thread=1 vector_width=8 "
          "rows_per_thread=1",
          {Shape::rows(90, 8), Shape::rows(90, 16), Shape::rows(60, 32), Shape::rows(40, 24, 32),
           Shape::rows(20, 72), Shape::rows(40, 30, 32), Shape::rows(90, 9, 16),
           Shape::rows(90, 9)});
    case Way::staged_of_four_bytes:  // 33 elements one by one, more than 50 by vectors
      return expect_kept<std::int32_t>(
          text, DType::i32,
          "way=staged block_size=64 threads_per_row=1 loads_per_thread=4 vector_width=4 "
          "rows_per_thread=1",
          {Shape::rows(40, 33), Shape::rows(40, 64), Shape::rows(40, 64, 65),
           Shape::rows(40, 61, 64)});
  }
}

/// Kernels are right, and those that are wrong in one place each are noticed.
TEST(RowsContractItself, NoticesWhatIsBroken) {
  const Break breaks[] = {
      {"return {whole_end(), 0, is_in_head", "return {whole_end(), 1, is_in_head"},
      {"return {0, begin, begin == 0", "return {0, begin + 1, begin == 0"},
      {"write_one(out + row,", "write_one(out + row + (row > 5),"},
      {"low_bits(cut.to) & ~low_bits(cut.from)", "low_bits(cut.to)"},
      {"if (part.index != 0) return {0, 0, 0};", "", Way::slots},
      {"at += part.parts * Shape::tile", "at += Shape::tile", Way::slots},
      {"REDTUNE_ROLLED\n      for (i32 i = lane; i < count; i += lanes) take",
       "REDTUNE_ROLLED\n      for (i32 i = lane; i + 1 < count; i += lanes) take", Way::staged},
      {"else {\n      for (i32 i = lane; i < count; i += lanes) take",
       "else {\n      for (i32 i = lane; i + 1 < count; i += lanes) take",
       Way::staged_of_four_bytes},
      {"fewest_bytes_by_words = 8", "fewest_bytes_by_words = 1", Way::staged},
      {"kept_from<In, width>(begin)", "kept_from<In, width>(0)", Way::staged},
      {"kept_until<In, width>(begin + count)", "kept_until<In, width>(begin)", Way::staged},
      {"for (++at; at < last; ++at)", "for (at += 2; at < last; ++at)", Way::staged},
      {"next = is_alone ? group : 0", "next = is_alone ? group + 1 : 0", Way::staged},
      {"is_alone || next + group < end", "is_alone || next + group <= end", Way::staged_by_two},
      {"width>(from, to < width ? to : width)", "width>(from, width)", Way::staged_by_two},
      {"u64(count) % u64(width) == 0 && ", "", Way::staged_alike},
      {"u64(count) % u64(width) == 0 && u64(pitch) % u64(width) == 0",
       "u64(count) % u64(width) == 0", Way::staged_of_four_bytes},
      {"are_whole(begin == 0)", "are_whole(true)", Way::staged_alike},
      {"low_bits(begin * i32(", "low_bits(2 * begin * i32(", Way::staged_alike},
      {"rows.joined(loaded, load_vector<cached>(vectors + rows.vectors))", "loaded",
       Way::staged_alike},
      {"if (at == 0) loaded", "if (at == 1) loaded", Way::staged_alike},
      {"} while (at != rows.first);", "} while (at != 0);", Way::staged_alike},
  };
  const std::string whole = family().device_text(make_problem(Op::sum, DType::i32, 1));
  for (const Way way : {Way::groups, Way::slots, Way::staged, Way::staged_by_two, Way::staged_alike,
                        Way::staged_of_four_bytes}) {
    expect_kept(whole, way);
  }
  for (const auto& [right, wrong, way] : breaks) {
    const std::string text = checks::broken_text(whole, right, wrong);
    EXPECT_TRUE(checks::is_noticed([&] { expect_kept(text, way); })) << wrong;
  }
}

}  // namespace
}  // namespace redtune
