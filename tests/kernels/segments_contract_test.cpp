// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Every way from segments to their results, operator and type is right on host devices of every
// wave size, in every lane order, for lengths and places that break careless kernels.
#include "tests/kernels/segments_contract.hpp"

#include <gtest/gtest.h>
#include <numeric>

#include "tests/kernels/broken_text.hpp"
#include "tests/kernels/host_cells.hpp"

namespace redtune {
namespace {

using device::host::HostOptions;
using device::host::LaneOrder;

constexpr std::size_t configs_per_cell = 7;  // the default, and two of each way
constexpr std::size_t configs_of_some = 3;   // one of each, where there are many cells
// The default of cells in turn: short segments, long ones, skewed ones.
constexpr Shape shapes[] = {Shape::segments(1 << 20, 1 << 18),
                            Shape::segments(1 << 20, 1 << 10, 64),
                            Shape::segments(1 << 22, 1 << 12, 32, Skew::zipf)};

const kernels::Family& family() {
  return kernels::find_family("reduce_segments");
}

const checks::HostCells& cells() {
  static const auto cells = checks::cells_of(family(), shapes, {configs_per_cell, configs_of_some});
  return cells;
}

class SegmentsContract : public testing::TestWithParam<checks::HostCell> {};

TEST_P(SegmentsContract, IsRightForEveryLengthAndPlace) {
  GetParam().check(
      [](device::Device& device, const runtime::LoadedConfig& config, std::size_t turn) {
        visit_dtype(config.choice().problem.in, [&]<class In>(std::type_identity<In>) {
          checks::expect_segments_kept<In>(device, config, turn);
        });
      });
}

INSTANTIATE_TEST_SUITE_P(Some, SegmentsContract, testing::ValuesIn(cells().some),
                         [](const auto& cell) { return cell.param.name(); });
INSTANTIATE_TEST_SUITE_P(Full, SegmentsContract, testing::ValuesIn(cells().others),
                         [](const auto& cell) { return cell.param.name(); });

/// Streams of waves, which are one value of a tunable among others: on waves, in turns.
class SegmentStreams : public testing::TestWithParam<checks::HostCell> {};

std::vector<checks::HostCell> cells_of_streams(std::vector<checks::HostCell> cells) {
  for (checks::HostCell& one : cells) {
    constexpr int waves[] = {32, 64, 8};
    constexpr LaneOrder orders[] = {LaneOrder::random, LaneOrder::reverse, LaneOrder::forward};
    one.wave_size = waves[one.cell.number % std::size(waves)];
    one.order = orders[one.cell.number / 2 % std::size(orders)];
  }
  return cells;
}

TEST_P(SegmentStreams, AreRightForEveryLengthAndPlace) {
  const checks::HostCell& one = GetParam();
  const Problem& problem = one.cell.problem;
  const Settings settings =
      checks::stream_settings(problem, host_limits(one.options()), one.cell.number);
  ASSERT_FALSE(settings.empty());
  const auto program = checks::compiled(family(), problem, one.options(), {{settings}});
  const auto device = device::host::make_host_device(one.options());
  for (const checks::Runner& runner : program.load(*device)) {
    visit_dtype(problem.in, [&]<class In>(std::type_identity<In>) {
      checks::expect_segments_kept<In>(*device, runner.config(), one.cell.number);
    });
  }
}

INSTANTIATE_TEST_SUITE_P(Some, SegmentStreams, testing::ValuesIn(cells_of_streams(cells().some)),
                         [](const auto& cell) { return cell.param.cell.name(); });

checks::ConfigProgram compiled(const Problem& problem, const HostOptions& options,
                               std::vector<Settings> configs) {
  return checks::compiled(family(), problem, options, {std::move(configs)});
}

TEST(SegmentsOfACustomOperator, AreRightInEveryWay) {
  const Problem problem =
      make_problem(checks::squares_and_ones(), DType::i16, Shape::segments(1 << 20, 1 << 15));
  const HostOptions options = checks::options_of(32, LaneOrder::forward);
  const auto program =
      compiled(problem, options,
               checks::sample(family(), problem, host_limits(options), 3, configs_per_cell));
  const auto device = device::host::make_host_device(options);
  for (const checks::Runner& runner : program.load(*device)) {
    const runtime::Workspace workspace = runner.config().make_workspace(*device);
    const std::vector<std::int32_t> offsets{0, 0, 5, 6, 406, 406, 1411, 1412};
    const auto segments = static_cast<std::int64_t>(offsets.size()) - 1;
    std::vector<std::int16_t> in(1413, 77);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::int16_t>(i % 5);
    std::vector<std::int64_t> out(offsets.size() - 1);
    const device::Buffer there = device->allocate(in.size() * 2);
    const device::Buffer results = device->allocate(out.size() * 8);
    const device::Buffer begins = device->allocate(offsets.size() * 4);
    device->copy_to_device(there.data(), in.data(), in.size() * 2);
    device->copy_to_device(begins.data(), offsets.data(), offsets.size() * 4);
    const auto* const first = static_cast<std::int32_t*>(begins.data());
    device->launch(runner.config().launches(
                       {static_cast<std::int16_t*>(there.data()) + 1,
                        Shape::segments(1412, segments), results.data(), first, first + 1},
                       workspace),
                   {});
    device->synchronize({});
    device->copy_to_host(out.data(), results.data(), out.size() * 8);
    for (std::size_t i = 0; i < out.size(); ++i) {
      std::int64_t expected = 2 * (offsets[i + 1] - offsets[i]);
      for (std::int32_t k = offsets[i]; k < offsets[i + 1]; ++k) {
        const std::int64_t x = in[static_cast<std::size_t>(k) + 1];
        expected += x * x + 1;
      }
      ASSERT_EQ(out[i], expected) << i << ", " << to_string(runner.config().choice().settings);
    }
  }
}

/// Alike but for one element, or all: threads have any number of them, and squares that are rounded
/// would be a variance.
template <class In>
void expect_variance_of_nearly_equal(DType type) {
  const Problem problem = make_problem(Op::mean_variance, type, Shape::segments(1 << 20, 1 << 14));
  const HostOptions options = checks::options_of(32, LaneOrder::forward);
  const auto program =
      compiled(problem, options,
               {parse_settings("way=tiles staging=on block_size=64 threads_per_segment=1 "
                               "segments_per_thread=1 loads_per_thread=8 vector_width=4"),
                parse_settings("way=tiles staging=off block_size=64 threads_per_segment=4 "
                               "segments_per_thread=1 loads_per_thread=4 vector_width=4"),
                parse_settings("way=tickets block_size=64 threads_per_segment=2 "
                               "loads_per_thread=2 vector_width=2 blocks_per_unit=4")});
  checks::Lengths lengths{"of every length", std::vector<std::int64_t>(300)};
  std::iota(lengths.all.begin(), lengths.all.end(), 1);
  const auto device = device::host::make_host_device(options);
  for (const checks::Runner& runner : program.load(*device)) {
    checks::SegmentsContract<In> contract(*device, runner.config());
    contract.expect_right(
        {"alike", [](std::int64_t, std::int64_t) { return checks::highest<In>(); }}, lengths, 1);
    contract.expect_right({"alike but for one",
                           [](std::int64_t i, std::int64_t n) {
                             return static_cast<In>(checks::highest<In>() - (i == n / 2));
                           }},
                          lengths, 3);
  }
}

TEST(SegmentsOfNearlyEqualIntegers, HaveTheirVariance) {
  expect_variance_of_nearly_equal<std::uint8_t>(DType::u8);
  expect_variance_of_nearly_equal<std::int16_t>(DType::i16);
}

HostOptions one_unit() {
  HostOptions options = checks::options_of(32, LaneOrder::forward);
  options.threads = 1;
  return options;
}

/// More segments than a block looks through before it folds the long ones among them.
checks::Lengths several_rounds() {
  checks::Lengths lengths{"several rounds", std::vector<std::int64_t>(5000, 1)};
  for (std::size_t i = 5; i < lengths.all.size(); i += 700) lengths.all[i] = 200;
  lengths.all[4321] = 1001;
  return lengths;
}

TEST(SegmentsContractItself, HoldsForSegmentsOfSeveralRounds) {
  const Problem problem = make_problem(Op::sum, DType::i32, Shape::segments(1 << 12, 1 << 8));
  const auto program = compiled(
      problem, one_unit(),
      {parse_settings("way=tiles block_size=64 threads_per_segment=1 loads_per_thread=1 "
                      "blocks_per_unit=1"),
       parse_settings("way=tickets block_size=64 threads_per_segment=4 segments_per_thread=2 "
                      "loads_per_thread=1 blocks_per_unit=1"),
       parse_settings("way=tiles staging=on block_size=64 threads_per_segment=1 "
                      "segments_per_thread=2 loads_per_thread=1 blocks_per_unit=1"),
       parse_settings("way=slots staging=on block_size=64 threads_per_segment=2 "
                      "segments_per_thread=1 loads_per_thread=2 blocks_per_unit=4")});
  const auto device = device::host::make_host_device(one_unit());
  for (const checks::Runner& runner : program.load(*device)) {
    checks::SegmentsContract<std::int32_t>(*device, runner.config())
        .expect_right(several_rounds(), 1);
  }
}

/// Of kernels of this text, in one way.
void expect_kept_in(std::string_view way, const std::string& text) {
  const Problem problem = make_problem(Op::sum, DType::i32, Shape::segments(1 << 12, 1 << 8));
  const HostOptions options = one_unit();
  const bool is_staged = way == "staged";
  const bool is_streamed = way == "streamed";
  const std::string settings = fmt::format(
      "way={} block_size=64 threads_per_segment={} vector_width=4 segments_per_thread=2 "
      "loads_per_thread=1 blocks_per_unit={}",
      is_staged     ? "tiles staging=on"
      : is_streamed ? "slots staging=stream"
                    : way,
      is_streamed ? 1 : 2,
      is_staged || way == "tiles" ? 1
      : is_streamed               ? 2
                                  : 32);
  const auto program =
      checks::compiled(family(), problem, options, {{parse_settings(settings)}, text});
  const auto device = device::host::make_host_device(options);
  const auto runners = program.load(*device);
  checks::SegmentsContract<std::int32_t> contract(*device, runners.front().config());
  for (const checks::Lengths& lengths : checks::lengths_in_question(32, 512)) {
    contract.expect_right(lengths, 1);
  }
  kernels::SegmentsConfig config;
  for (const Setting& one : parse_settings(settings)) kernels::apply(config, one);
  for (const checks::Lengths& lengths :
       checks::lengths_at_limits(config, host_limits(options), 1 << 13)) {
    contract.expect_right(lengths, 0);
  }
  contract.expect_right(several_rounds(), 1);
}

void expect_least_found(const std::string& text) {
  const Problem problem = make_problem(Op::argmin, DType::i32, Shape::segments(1 << 12, 1 << 8));
  const HostOptions options = one_unit();
  const auto program = checks::compiled(
      family(), problem, options,
      {{parse_settings("way=slots staging=stream block_size=64 threads_per_segment=1 "
                       "segments_per_thread=2 loads_per_thread=1 vector_width=4 "
                       "blocks_per_unit=2")},
       text});
  const auto device = device::host::make_host_device(options);
  const auto runners = program.load(*device);
  checks::SegmentsContract<std::int32_t> contract(*device, runners.front().config());
  for (const checks::Lengths& lengths : checks::lengths_in_question(32, 512)) {
    contract.expect_right(lengths, 1);
  }
}

/// What shared memory holds at the start is anything: on a GPU it once was the place of the value
/// of segments of nothing, where a launch had no element.
TEST(SegmentsContractItself, NoticesAFirstMarkThatNobodySet) {
  const std::string whole = family().device_text(make_problem(Op::argmin, DType::i32, 1));
  expect_least_found(whole);
  const std::string text = checks::broken_text(
      whole, "if constexpr (Op::indexed) *memory.first_mark = -1;",
      "if constexpr (Op::indexed) { *memory.first_mark = memory_type::place_of_nothing; "
      "memory.carried->value = 0; memory.carried->index = 7; }");
  EXPECT_TRUE(checks::is_noticed([&] { expect_least_found(text); }));
}

/// Of each way one; full runs have more of them than 31 bits count. The default has a block for
/// each segment, which takes the host four times as long.
TEST(SegmentsOfNothing, AreAsManyAsThereAre) {
  const HostOptions options = checks::options_of(1, LaneOrder::forward);
  const auto device = device::host::make_host_device(options);
  const std::int64_t many = checks::is_full_run() ? (std::int64_t{1} << 31) + 3 : (1 << 16) + 3;
  const std::size_t offsets_and_results = 5 * static_cast<std::size_t>(many);
  if (device->free_memory() < offsets_and_results + (std::size_t{1} << 30)) {
    GTEST_SKIP() << "not enough memory";
  }
  const Problem problem = make_problem(Op::max, DType::u8, Shape::segments(5, many));
  const auto program = compiled(
      problem, options,
      {parse_settings("way=tiles block_size=1 threads_per_segment=1 segments_per_thread=4"),
       parse_settings("way=slots block_size=1 threads_per_segment=1 blocks_per_unit=4"),
       parse_settings("way=slots staging=stream block_size=1 threads_per_segment=1 "
                      "segments_per_thread=8 loads_per_thread=1 vector_width=16 blocks_per_unit=4"),
       parse_settings("way=tickets block_size=1 threads_per_segment=1 segments_per_thread=4 "
                      "blocks_per_unit=32")});
  for (const checks::Runner& runner : program.load(*device)) {
    checks::expect_many_of_nothing(*device, runner.config(), many);
  }
}

/// Kernels are right, and those that are wrong in one place each are noticed.
TEST(SegmentsContractItself, NoticesWhatIsBroken) {
  struct Break {
    const char* right;
    const char* wrong;
    const char* way;
  };
  const Break breaks[] = {
      {"return round + i64(place", "return first + i64(place", "tiles"},
      {"i32(piece.begin - head.begin)", "i32(piece.begin - head.begin) + (i == 1)", "staged"},
      {"if (all > block::room) return false;", "if (all > block::room / 2) return true;", "staged"},
      {"some < block::many", "some + 1 < block::many", "staged"},
      {"if (is_there) mine |= 1u << i;", "if (is_there && one != 3) mine |= 1u << i;", "tiles"},
      {"others.add_for_wave(its_place);", "others.add_for_wave(its_place > 0 ? its_place - 1 : 0);",
       "tiles"},
      {"places[u32(block::round - 1) - k]", "places[u32(block::round - 1)]", "tiles"},
      {"out[segment] = Op::template leave", "out[segment + (segment > 5)] = Op::template leave",
       "tiles"},
      {"share.to < end ? share.to : end", "share.to < end ? share.to - 1 : end", "slots"},
      {"begin < share.from ? share.from : begin", "begin", "slots"},
      {"u32(block_index() - first)", "u32(block_index() - first > 1 ? 1 : block_index() - first)",
       "slots"},
      {"if (block - i < first) continue;", "if (block - i <= first) continue;", "tickets"},
      {"i < block; i += wave_size", "i + 1 < block; i += wave_size", "tickets"},
      {"i32(first_step(of, segment) / length)", "i32((first_step(of, segment) + 1) / length)",
       "slots"},
      {"mine = Op::template combine<Value>(ahead, mine);", "", "streamed"},
      {"if (lane() == 0) ahead = open;", "", "streamed"},
      {"if (lane() == 0 && marked == 0) value =", "if (lane() == 1) value =", "streamed"},
      {"if (distance <= reach) value = both;", "if (distance < reach) value = both;", "streamed"},
      {"(marked & (1u << (item - 1))) != 0;", "(marked & (1u << item)) != 0;", "streamed"},
      {"if (skipped > 0) mark(skipped - 1);", "", "streamed"},
      {"if (is_last && to > 0) mark(to - 1);", "", "streamed"},
      {"begin - base <= tile) mark(", "begin - base < 0) mark(", "streamed"},
      {"if (is_apart && !is_full) mark_begin(met.many);", "", "streamed"},
      {"if (segment == 0 && of.segments > 0 && of.begin(0) > 0) is_apart = true;", "", "streamed"},
      {"to > skipped && of.begin(segment) < base + to", "to > skipped", "streamed"},
      // More ends in a tile than lanes hold.
      {"if (many < ends_at_once) {", "if (many <= ends_at_once) {", "streamed"},
      {"        met.last = before;\n", "", "streamed"},
      {"      last = before;\n", "", "streamed"},
      {"is_some = of.begin(one) < of.end(one) && place > skipped;", "", "streamed"},
      {"inner = is_far_from_end(met.many);", "", "streamed"},
  };
  const std::string whole = family().device_text(make_problem(Op::sum, DType::i32, 1));
  for (const char* const way : {"tiles", "staged", "slots", "tickets", "streamed"})
    expect_kept_in(way, whole);
  for (const auto& [right, wrong, way] : breaks) {
    const std::string text = checks::broken_text(whole, right, wrong);
    EXPECT_TRUE(checks::is_noticed([&] { expect_kept_in(way, text); })) << right << " => " << wrong;
  }
}

}  // namespace
}  // namespace redtune
