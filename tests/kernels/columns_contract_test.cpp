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

std::vector<checks::HostCell> all_cells() {
  return checks::host_cells(family(), shapes, configs_per_cell);
}

const std::vector<checks::HostCell>& some_cells() {
  static const auto cells = checks::some_of(all_cells(), configs_of_some);
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

INSTANTIATE_TEST_SUITE_P(Some, ColumnsContract, testing::ValuesIn(some_cells()),
                         [](const auto& cell) { return cell.param.name(); });
INSTANTIATE_TEST_SUITE_P(Full, ColumnsContract,
                         testing::ValuesIn(checks::others(some_cells(), all_cells())),
                         [](const auto& cell) { return cell.param.name(); });

TEST(ColumnsOfACustomOperator, AreRightInEveryWay) {
  const Problem problem =
      make_problem(checks::squares_and_ones(), DType::i16, Shape::columns(1000, 77));
  const HostOptions options = checks::options_of(32, LaneOrder::forward);
  checks::ConfigProgram program(family(), problem, host_limits(options));
  program.compile(device::host::HostCompiler(device::host::AlignmentCheck::on),
                  checks::sample(family(), problem, host_limits(options), 3, configs_of_some),
                  "native");
  const auto device = device::host::make_host_device(options);
  for (const checks::Runner& runner : program.load(*device)) {
    const runtime::Workspace workspace = runner.config().make_workspace(*device);
    for (const Shape& shape : {Shape::columns(0, 9), Shape::columns(5, 9),
                               Shape{.count = 303, .outer = 2, .inner = 33, .count_pitch = 35}}) {
      std::vector<std::int16_t> in(static_cast<std::size_t>(span_of(shape)) + 1, 77);
      for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::int16_t>(i % 5);
      std::vector<std::int64_t> out(static_cast<std::size_t>(results_of(shape)));
      const device::Buffer there = device->allocate(in.size() * 2);
      const device::Buffer results = device->allocate(out.size() * 8);
      device->copy_to_device(there.data(), in.data(), in.size() * 2);
      const auto* const first = static_cast<std::int16_t*>(there.data()) + 1;
      device->launch(runner.config().launches({first, shape, results.data()}, workspace), {});
      device->synchronize({});
      device->copy_to_host(out.data(), results.data(), out.size() * 8);
      for (std::int64_t i = 0; i < results_of(shape); ++i) {
        const std::int64_t at = i / shape.inner * slice_of(shape) + i % shape.inner + 1;
        std::int64_t expected = 2 * shape.count;
        for (std::int64_t k = 0; k < shape.count; ++k) {
          const std::int64_t x = in[static_cast<std::size_t>(at + k * step_of(shape))];
          expected += x * x + 1;
        }
        ASSERT_EQ(out[static_cast<std::size_t>(i)], expected)
            << describe_shape(shape) << ", " << to_string(runner.config().choice().settings);
      }
    }
  }
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
  checks::ConfigProgram program(family(), problem, host_limits(options));
  program.set_text(text);
  program.compile(device::host::HostCompiler(device::host::AlignmentCheck::on),
                  {parse_settings(one.settings)}, "native");
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
