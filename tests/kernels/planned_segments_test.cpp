// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Segments with a plan owe what segments owe: shares that begin where it says, and bins. On host
// devices of every wave size, in every lane order.
#include <functional>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <vector>

#include "kernel_templates/segments/planned.hpp"
#include "tests/kernels/broken_text.hpp"
#include "tests/kernels/host_cells.hpp"
#include "tests/kernels/planned_launches.hpp"

namespace redtune {
namespace {

using device::host::HostCompiler;
using device::host::HostOptions;
using device::host::LaneOrder;

constexpr std::size_t configs_per_cell = 9;
constexpr std::size_t configs_of_some = 4;  // the default, shares of both kinds, bins
constexpr Shape shapes[] = {Shape::segments(1 << 20, 1 << 18),
                            Shape::segments(1 << 22, 1 << 12, 64, Skew::zipf),
                            Shape::segments(1 << 22, 1 << 12, 32, Skew::giant)};

const checks::HostCells& cells() {
  static const auto cells =
      checks::cells_of(kernels::planned_segments(), shapes, {configs_per_cell, configs_of_some});
  return cells;
}

const HostCompiler& compiler() {
  static const HostCompiler compiler(device::host::AlignmentCheck::on);
  return compiler;
}

class PlannedSegments : public testing::TestWithParam<checks::HostCell> {};

TEST_P(PlannedSegments, AreRightForEveryLengthAndPlace) {
  GetParam().check(
      [](device::Device& device, const runtime::LoadedConfig& config, std::size_t turn) {
        visit_dtype(config.choice().problem.in, [&]<class In>(std::type_identity<In>) {
          checks::expect_planned_segments_kept<In>({device, compiler(), "native"}, config, turn);
        });
      });
}

INSTANTIATE_TEST_SUITE_P(Some, PlannedSegments, testing::ValuesIn(cells().some),
                         [](const auto& cell) { return cell.param.name(); });
INSTANTIATE_TEST_SUITE_P(Full, PlannedSegments, testing::ValuesIn(cells().others),
                         [](const auto& cell) { return cell.param.name(); });

/// Blocks of so few threads that segments of some hundred elements are those of several blocks.
constexpr const char* small_bins =
    "way=bins block_size=64 threads_per_segment=8 segments_per_thread=2 loads_per_thread=1 "
    "vector_width=1 blocks_per_unit=2";

/// Some of each bin, in any order, and more than one block counts and places at a time.
checks::Lengths of_all_bins() {
  checks::Lengths lengths{"of all bins", {}};
  constexpr std::int64_t some[] = {0, 3, 1, 17, 4, 40, 2, 130, 7, 0, 301, 5, 513, 1, 1, 2000, 33};
  for (std::int64_t i = 0; i < 3000; ++i) {
    lengths.all.push_back(i % 97 == 0 ? some[i / 97 % std::ssize(some)] : some[i % 7]);
  }
  lengths.all[1170] = 700;  // beside another of several blocks
  return lengths;
}

/// What of texts may be broken.
struct Texts {
  std::string kernel;  ///< empty: as it is
  std::string plan = kernels::plan_text();
};

template <class In>
void expect_kept(const Problem& problem, const HostOptions& options, const char* settings,
                 const Texts& texts = {}) {
  const auto program = checks::compiled(kernels::planned_segments(), problem, options,
                                        {{parse_settings(settings)}, texts.kernel});
  const auto device = device::host::make_host_device(options);
  for (const checks::Runner& runner : program.load(*device)) {
    checks::PlannedLaunches launches({*device, compiler(), "native"}, runner.config(), texts.plan);
    checks::SegmentsContract<In> contract(*device, runner.config(), std::ref(launches));
    contract.expect_right(of_all_bins(), 1);
    contract.expect_decided(of_all_bins(), 2);
    contract.expect_same_bits_again(of_all_bins());
  }
}

TEST(SegmentsInBins, AreRightWhereBlocksShareThem) {
  const Shape shape = Shape::segments(1 << 16, 1 << 10);
  for (const LaneOrder order : {LaneOrder::forward, LaneOrder::random}) {
    const HostOptions options = checks::options_of(32, order);
    expect_kept<std::int32_t>(make_problem(Op::sum, DType::i32, shape), options, small_bins);
    expect_kept<float>(make_problem(Op::argmin, DType::f32, shape), options, small_bins);
    expect_kept<float>(make_problem(Op::mean_variance, DType::f32, shape), options, small_bins);
    expect_kept<std::int16_t>(
        make_problem(Op::sum, DType::i16, Shape::segments(1 << 16, 1 << 10, 64)), options,
        small_bins);
  }
}

/// Kernels are right, and those that are wrong in one place are noticed; none of these leaves its
/// memory.
TEST(PlannedSegmentsThemselves, AreNotRightWhenBroken) {
  struct Break {
    const char* right;
    const char* wrong;
    bool is_of_plan;
    const char* settings;
  };
  // By tickets: where slots are broken somebody waits for ever.
  constexpr const char* shares =
      "way=tickets block_size=64 threads_per_segment=4 loads_per_thread=1 vector_width=1 "
      "blocks_per_unit=32";
  const Break breaks[] = {
      {"left < table->piece ? left : table->piece", "table->piece", false, small_bins},
      {"(number - first) * table->piece", "(number - first) * (table->piece - 1)", false,
       small_bins},
      {"== pieces - 1;", "== 0;", false, small_bins},
      {"partials + first, i32(end - first)", "partials + first, i32(end - first - 1)", false,
       small_bins},
      {"first_of[2] + (turn - ends_blocks) * tile_of_waves", "first_of[2]", false, small_bins},
      {"segments[i] != none", "segments[i] < 2900", false, small_bins},
      {"(next & 1) != 0", "false", false, shares},
      {"is_cut ? 1 : 0", "0", true, shares},
      {"2 * low + (is_cut", "2 * (low > 0 ? low - 1 : 0) + (is_cut", true, shares},
      {"= u32(segment);", "= u32(segment > 5 ? segment - 1 : segment);", true, small_bins},
      {"pieces_before + i64(pieces.before)", "pieces_before", true, small_bins},
  };
  const Problem problem = make_problem(Op::sum, DType::i32, Shape::segments(1 << 16, 1 << 10));
  const HostOptions options = checks::options_of(32, LaneOrder::forward);
  for (const char* const settings : {small_bins, shares}) {
    expect_kept<std::int32_t>(problem, options, settings);
  }
  for (const auto& [right, wrong, is_of_plan, settings] : breaks) {
    Texts texts;
    if (is_of_plan) {
      texts.plan = checks::broken_text(texts.plan, right, wrong);
    } else {
      texts.kernel =
          checks::broken_text(kernels::planned_segments().device_text(problem), right, wrong);
    }
    EXPECT_TRUE(checks::is_noticed([&] {
      expect_kept<std::int32_t>(problem, options, settings, texts);
    })) << wrong;
  }
}

TEST(PlannedSegmentsFamily, AloneTakesBins) {
  const Problem problem = make_problem(Op::sum, DType::f32, Shape::segments(1 << 20, 1 << 10));
  const Limits limits = host_limits(checks::options_of(32, LaneOrder::forward));
  const Settings bins = parse_settings(small_bins);
  EXPECT_EQ(kernels::planned_segments().why_invalid(bins, problem, limits), "");
  EXPECT_EQ(kernels::find_family("reduce_segments").why_invalid(bins, problem, limits),
            "bins are lists of segments by their lengths, which only a plan has");
  const auto why = [&](const char* more) {
    Settings settings = bins;
    for (const Setting& one : parse_settings(more)) {
      for (Setting& setting : settings) {
        if (setting.name == one.name) setting.value = one.value;
      }
    }
    return kernels::planned_segments().why_invalid(settings, problem, limits);
  };
  EXPECT_NE(why("blocks_per_unit=0"), "");
  EXPECT_NE(why("threads_per_segment=64"), "");
}

}  // namespace
}  // namespace redtune
