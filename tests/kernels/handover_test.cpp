// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How blocks hand over by words: at the bounds of a counted word and beyond, in grids of every size
// up to the largest, with values of every number of words, and again and again.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

#include "device/host/host_compiler.hpp"
#include "device/host/host_platform.hpp"
#include "kernel_templates/family/config_axes.hpp"
#include "kernel_templates/reduce/rules.hpp"
#include "search/rng.hpp"
#include "tests/kernels/reduction_checks.hpp"
#include "tests/support/samples.hpp"

namespace redtune {
namespace {

using kernels::Finish;
using kernels::ReduceConfig;

class HandOver : public testing::Test {
 protected:
  checks::Runner& load(const Problem& problem, const ReduceConfig& config) {
    const Settings settings = kernels::settings_of(config);
    EXPECT_EQ(kernels::why_unbuildable(config, problem, device_->limits()), "");
    checks::ConfigProgram program(kernels::find_family("reduce"), problem, device_->limits());
    program.compile(device::host::HostCompiler(), {settings}, "native");
    runners_ = program.load(*device_);
    return runners_.front();
  }

  template <class In>
  void expect_right(const Problem& problem, const std::vector<In>& values) {
    const checks::PlacedInput<In> input(*device_, values, checks::Place::aligned);
    const auto count = static_cast<std::int64_t>(values.size());
    const checks::Output output = runners_.front().run(input.data(), count);
    EXPECT_TRUE(checks::is_right<In>(problem, values, output,
                                     runners_.front().config().longest_chain({.count = count})))
        << describe(problem) << ", " << count;
  }

  std::unique_ptr<device::Device> device_ =
      device::host::make_host_device({.wave_size = 1, .threads = 3});
  std::vector<checks::Runner> runners_;
};

/// The largest grid: 65536 blocks leave room for sums of 2^16 elements of 32 bits.
TEST_F(HandOver, ACountedWordIsRightUpToItsBoundAndBeyond) {
  const ReduceConfig config{.finish = Finish::counted,
                            .block_size = 1,
                            .items_per_thread = 1,
                            .vector_width = 1,
                            .blocks_per_unit = 0};
  const auto check = [&]<class In>(Op op, In extreme) {
    const Problem problem = make_problem(op, dtype_of<In>(), 65'536);
    load(problem, config);
    for (const std::size_t count : {1U, 2U, 65'535U, 65'536U, 65'537U, 70'001U}) {
      expect_right<In>(problem, std::vector<In>(count, extreme));
      std::vector<In> one_differs(count, extreme);
      one_differs[count / 2] = In(1);
      expect_right<In>(problem, one_differs);
    }
  };
  for (const Op op : {Op::sum, Op::mean}) {
    check(op, std::numeric_limits<std::uint32_t>::max());
    check(op, std::numeric_limits<std::int32_t>::min());
    check(op, std::numeric_limits<std::int32_t>::max());
    check(op, std::numeric_limits<std::int8_t>::min());
    check(op, std::numeric_limits<std::uint16_t>::max());
  }
  check(Op::sum_of_squares, std::numeric_limits<std::int8_t>::min());
  check(Op::sum_of_squares, std::numeric_limits<std::uint16_t>::max());
  check(Op::sum_of_squares, std::numeric_limits<std::int16_t>::min());
  for (const Op op : {Op::count_nonzero, Op::any, Op::all}) {
    check(op, std::int32_t{0});
    check(op, std::int32_t{7});
    check(op, -0.0F);
    check(op, std::numeric_limits<double>::quiet_NaN());
  }
}

TEST_F(HandOver, CountedIsOfferedWhereTheSumHasRoomBesideTheCount) {
  const Limits limits{.wave_size = 32, .compute_units = 132};
  const auto why = [&](Op op, DType in, std::int64_t count, int blocks_per_unit = 1) {
    return kernels::why_outside_space(
        {.finish = Finish::counted, .blocks_per_unit = blocks_per_unit},
        make_problem(op, in, count), limits);
  };
  // 132 blocks are counted in 8 bits: 56 are left.
  EXPECT_EQ(why(Op::sum, DType::i32, std::int64_t{1} << 24), "");
  EXPECT_NE(why(Op::sum, DType::i32, (std::int64_t{1} << 24) + 1), "");
  EXPECT_EQ(why(Op::sum, DType::u32, std::int64_t{1} << 24), "");
  EXPECT_NE(why(Op::sum, DType::u32, (std::int64_t{1} << 24) + 1), "");
  EXPECT_EQ(why(Op::sum, DType::u8, std::int64_t{1} << 40), "");
  EXPECT_EQ(why(Op::sum, DType::i16, std::int64_t{1} << 40), "");
  EXPECT_NE(why(Op::sum, DType::i16, (std::int64_t{1} << 40) + 1), "");
  EXPECT_EQ(why(Op::count_nonzero, DType::f32, std::int64_t{1} << 40), "");
  EXPECT_EQ(why(Op::all, DType::u8, std::int64_t{1} << 40), "");
  for (const auto& [op, in] : {std::pair{Op::sum, DType::i64},
                               {Op::sum, DType::f32},
                               {Op::min, DType::u8},
                               {Op::sum_of_squares, DType::i32},
                               {Op::bit_or, DType::u8},
                               {Op::l2_norm, DType::u8}}) {
    EXPECT_NE(why(op, in, 1 << 20), "") << to_string(op) << to_string(in);
  }
}

/// Grids of one block to more than slots allow, so that readers take one slot, some, and rounds of
/// many; values of one to eight words.
TEST_F(HandOver, SlotsAreReadInGridsOfEverySize) {
  const auto check = [&]<class In>(Op op, In) {
    for (const auto reader : {kernels::SlotReader::wave, kernels::SlotReader::block}) {
      for (const auto wait : {kernels::SlotWait::all, kernels::SlotWait::missing}) {
        for (const int stride : {8, 128}) {
          // One stride for each reader that waits in one way, unless there is time for both.
          const bool reads_packed =
              (reader == kernels::SlotReader::wave) == (wait == kernels::SlotWait::all);
          if (!checks::is_full_run() && (stride == 8) != reads_packed) continue;
          const Problem problem = make_problem(op, dtype_of<In>(), 100);
          load(problem, {.finish = Finish::slots,
                         .block_size = 2,
                         .items_per_thread = 1,
                         .vector_width = 1,
                         .blocks_per_unit = 0,
                         .slot_stride = stride,
                         .slot_reader = reader,
                         .slot_wait = wait});
          for (const std::size_t count :
               {0U, 1U, 2U, 3U, 5U, 9U, 11U, 19U, 21U, 40U, 1001U, 8193U, 20'001U, 5U}) {
            std::vector<In> values(count);
            for (std::size_t i = 0; i < count; ++i) {
              values[i] = In(static_cast<double>((i * 2654435761U >> 7) % 97) - 40);
            }
            expect_right<In>(problem, values);
          }
        }
      }
    }
  };
  check(Op::max, std::int8_t{});                                  // less than a word
  check(Op::sum, float{});                                        // one
  check(Op::sum, double{});                                       // two
  check(Op::argmin, float{});                                     // two, one of which is an index
  check(Op::argmax, std::int64_t{});                              // three
  check(Op::mean_variance, float{});                              // five
  if (checks::is_full_run()) check(Op::mean_variance, double{});  // eight
}

TEST_F(HandOver, SlotsServeOneLaunchAfterAnother) {
  const Problem problem = make_problem(Op::sum, DType::u32, 1000);
  load(problem, {.finish = Finish::slots,
                 .block_size = 1,
                 .items_per_thread = 4,
                 .vector_width = 4,
                 .blocks_per_unit = 0});
  search::Rng rng(3);
  for (int i = 0; i < 2000 && !HasFailure(); ++i) {
    std::vector<std::uint32_t> values(rng.below(300));
    for (auto& value : values) value = static_cast<std::uint32_t>(rng.next());
    expect_right<std::uint32_t>(problem, values);
  }
}

TEST_F(HandOver, ExactTilesAreOfferedForWholeTilesAlone) {
  const Limits limits{.wave_size = 32, .compute_units = 132};
  const auto why = [&](Finish finish, std::int64_t count, int blocks_per_unit) {
    ReduceConfig config{.finish = finish,
                        .block_size = 256,
                        .items_per_thread = 16,
                        .blocks_per_unit = blocks_per_unit,
                        .exact_tiles = kernels::ExactTiles::on};
    return kernels::why_outside_space(config, make_problem(Op::sum, DType::f32, count), limits);
  };
  EXPECT_EQ(why(Finish::single_block, 4096, 0), "");
  EXPECT_NE(why(Finish::single_block, 8192, 0), "");
  EXPECT_NE(why(Finish::single_block, 4095, 0), "");
  EXPECT_EQ(why(Finish::last_block, 5 * 4096, 0), "");
  EXPECT_EQ(why(Finish::slots, 5 * 4096, 0), "");
  EXPECT_NE(why(Finish::slots, 5 * 4096 + 4, 0), "");
  EXPECT_NE(why(Finish::last_block, 500 * 4096, 1), "") << "several tiles for each block";
}

}  // namespace
}  // namespace redtune
