// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Segments on a GPU: every operator, type and way, with every value of every tunable, for lengths
// and places that break careless kernels; and arrays beyond 2^32 elements.
#include <iterator>

#include "kernel_templates/segments/planned.hpp"
#include "tests/device_contract/test_device.hpp"
#include "tests/kernels/config_samples.hpp"
#include "tests/kernels/contract_cells.hpp"
#include "tests/kernels/keyed_launches.hpp"
#include "tests/kernels/shape_contract.hpp"

namespace redtune {
namespace {

using checks::Cell;

std::vector<Cell> cells_of_segments() {
  std::vector<Cell> cells = checks::contract_cells(1);
  // The default of cells in turn: short segments, long ones, skewed ones.
  constexpr Shape shapes[] = {Shape::segments(1 << 24, 1 << 22),
                              Shape::segments(1 << 24, 1 << 13, 64),
                              Shape::segments(1 << 26, 1 << 16, 32, Skew::giant)};
  for (Cell& cell : cells) {
    cell.problem = checks::with_shape(cell.problem, shapes[cell.number % std::size(shapes)]);
  }
  return cells;
}

class DeviceSegments : public OnTestDevice, public testing::WithParamInterface<Cell> {
 protected:
  [[nodiscard]] static const kernels::Family& family() {
    return kernels::find_family("reduce_segments");
  }
  [[nodiscard]] std::vector<checks::Runner> loaded_segments(const Problem& problem,
                                                            std::vector<Settings> configs) const {
    device::Platform& platform = *test_device().platform;
    checks::ConfigProgram program(family(), problem, device().limits());
    program.compile(platform.compiler(), std::move(configs), platform.arch_of(device().identity()));
    return program.load(device());
  }
};

TEST_P(DeviceSegments, AreRightForEveryLengthAndPlace) {
  const Problem& problem = GetParam().problem;
  const auto configs = checks::covering(family(), problem, device().limits(), GetParam().number);
  const auto runners = loaded_segments(problem, sampled(configs, GetParam().number));
  ASSERT_FALSE(runners.empty());
  std::size_t turn = GetParam().number;
  for (const checks::Runner& runner : runners) {
    visit_dtype(problem.in, [&]<class In>(std::type_identity<In>) {
      checks::expect_segments_kept<In>(device(), runner.config(), turn++, 1 << 17);
    });
  }
}

/// As many loads and ends at a time as it is its turn for.
TEST_P(DeviceSegments, AreRightAsOneStream) {
  const Problem& problem = GetParam().problem;
  std::vector<Settings> configs;
  for (std::size_t turn : {GetParam().number, GetParam().number + 1}) {
    configs.push_back(checks::stream_settings(problem, device().limits(), turn));
  }
  std::erase_if(configs, [](const Settings& settings) { return settings.empty(); });
  if (configs.empty()) GTEST_SKIP() << "nothing streams here";
  std::size_t turn = GetParam().number;
  for (const checks::Runner& runner : loaded_segments(problem, configs)) {
    visit_dtype(problem.in, [&]<class In>(std::type_identity<In>) {
      checks::expect_segments_kept<In>(device(), runner.config(), turn++, 1 << 17);
    });
  }
}

/// Shares that begin where a plan says, and bins, in turns.
TEST_P(DeviceSegments, AreRightWithAPlan) {
  const Problem& problem = GetParam().problem;
  const kernels::Family& planned = kernels::planned_segments();
  const Limits& limits = device().limits();
  const auto way =
      GetParam().number % 2 == 0 ? kernels::PlannedWay::shares : kernels::PlannedWay::bins;
  const Settings settings =
      kernels::planned_settings(planned.default_settings(problem, limits), way, problem, limits);
  device::Platform& platform = *test_device().platform;
  const std::string arch = platform.arch_of(device().identity());
  checks::ConfigProgram program(planned, problem, limits);
  program.compile(platform.compiler(), {settings}, arch);
  std::size_t turn = GetParam().number;
  for (const checks::Runner& runner : program.load(device())) {
    visit_dtype(problem.in, [&]<class In>(std::type_identity<In>) {
      checks::expect_planned_segments_kept<In>({device(), platform.compiler(), arch},
                                               runner.config(), turn++);
    });
  }
}

/// Groups of keys of 32 and of 64 bits, in turns.
TEST_P(DeviceSegments, AreRightByKey) {
  Problem problem = GetParam().problem;
  problem.count = 1 << 16;  // elements of a launch at most
  problem.segment_count = 1 << 10;
  const kernels::Family& counted = kernels::counted_segments();
  device::Platform& platform = *test_device().platform;
  const std::string arch = platform.arch_of(device().identity());
  checks::ConfigProgram program(counted, problem, device().limits());
  program.compile(platform.compiler(), {counted.default_settings(problem, device().limits())},
                  arch);
  const checks::Target target{device(), platform.compiler(), arch};
  for (const checks::Runner& runner : program.load(device())) {
    visit_dtype(problem.in, [&]<class In>(std::type_identity<In>) {
      if (GetParam().number % 2 == 0) {
        checks::expect_groups_kept<In, std::uint32_t>(target, runner.config(), 0);
      } else {
        checks::expect_groups_kept<In, std::uint64_t>(target, runner.config(), 1);
      }
    });
  }
}

template <class In, class Key>
void expect_right_in_tiles(const checks::Target& target, const runtime::LoadedConfig& config,
                           kernels::Bring bring) {
  const Problem& problem = config.choice().problem;
  auto tiles = kernels::default_keyed_tiles(8 * int{sizeof(Key)}, problem, config.choice().limits);
  tiles.bring = bring;
  checks::expect_groups_kept_in_tiles<In, Key>(target, config,
                                               {tiles, kernels::keyed_tiles_text(problem)}, 0);
}

TEST_P(DeviceSegments, AreRightByKeyInTiles) {
  if (device().limits().block_order == BlockOrder::any) GTEST_SKIP() << "blocks start in any order";
  Problem problem = GetParam().problem;
  problem.count = 1 << 16;  // elements of a launch at most
  problem.segment_count = 1 << 10;
  const kernels::Family& counted = kernels::counted_segments();
  device::Platform& platform = *test_device().platform;
  const std::string arch = platform.arch_of(device().identity());
  checks::ConfigProgram program(counted, problem, device().limits());
  program.compile(platform.compiler(), {counted.default_settings(problem, device().limits())},
                  arch);
  const checks::Target target{device(), platform.compiler(), arch};
  for (const checks::Runner& runner : program.load(device())) {
    visit_dtype(problem.in, [&]<class In>(std::type_identity<In>) {
      expect_right_in_tiles<In, std::uint32_t>(target, runner.config(), kernels::Bring::by_thread);
      expect_right_in_tiles<In, std::uint64_t>(target, runner.config(), kernels::Bring::by_stage);
    });
  }
}

INSTANTIATE_TEST_SUITE_P(All, DeviceSegments, testing::ValuesIn(cells_of_segments()),
                         [](const auto& cell) { return cell.param.name(); });

class DeviceSegmentsHuge : public DeviceSegments {};

/// Small ones and many of nothing on both sides of a giant of all other elements; or all as long.
std::vector<std::int64_t> huge_offsets(const Shape& shape) {
  std::vector<std::int64_t> offsets(static_cast<std::size_t>(offsets_of(shape)));
  const std::size_t middle = offsets.size() / 2;
  const std::int64_t others = static_cast<std::int64_t>(offsets.size()) * 5;
  const std::int64_t each = shape.count / shape.segment_count;
  for (std::size_t i = 1; i < offsets.size(); ++i) {
    const auto small = static_cast<std::int64_t>(i % 3 == 0 ? 0 : i % 5);
    const std::int64_t spread = i == middle ? shape.count - others : small;
    offsets[i] = offsets[i - 1] + (shape.skew == Skew::giant ? spread : each);
  }
  return offsets;
}

/// Ones: the sum of each segment is its length.
TEST_P(DeviceSegmentsHuge, HaveTheirPlacesBeyond32Bits) {
  const Problem problem = GetParam().problem;
  const auto bytes = static_cast<std::size_t>(problem.count);
  const std::size_t out_bytes = output_bytes(problem);
  const auto offset_bytes = static_cast<std::size_t>(offsets_bytes(problem));
  if (device().free_memory() < bytes + out_bytes + offset_bytes + (std::size_t{1} << 30)) {
    GTEST_SKIP() << "not enough device memory";
  }
  const std::vector<std::int64_t> offsets = huge_offsets(problem);
  const device::Buffer in = device().allocate(bytes);
  const device::Buffer out = device().allocate(out_bytes);
  const device::Buffer there = device().allocate(offset_bytes);
  device().fill(in.data(), std::byte{1}, bytes);
  device().copy_to_device(there.data(), offsets.data(), offset_bytes);
  const auto* const begins = static_cast<const std::int64_t*>(there.data());
  std::vector<Settings> configs{family().default_settings(problem, device().limits())};
  std::ranges::move(family().known_shapes(problem, device().limits(), ""),
                    std::back_inserter(configs));
  std::vector<std::uint64_t> results(offsets.size() - 1);
  for (const checks::Runner& runner : loaded_segments(problem, configs)) {
    const runtime::Workspace workspace = runner.config().make_workspace(device());
    device().fill(out.data(), std::byte{0xa5}, out_bytes);
    device().launch(
        runner.config().launches({in.data(), problem, out.data(), begins, begins + 1}, workspace),
        {});
    device().synchronize({});
    device().copy_to_host(results.data(), out.data(), out_bytes);
    for (std::size_t i = 0; i < results.size(); ++i) {
      ASSERT_EQ(results[i], static_cast<std::uint64_t>(offsets[i + 1] - offsets[i]))
          << i << ", " << to_string(runner.config().choice().settings);
    }
  }
}

std::vector<Cell> huge_segments() {
  std::vector<Cell> cells;
  for (const Shape& shape :
       {Shape::segments((std::int64_t{1} << 32) + 77, 100'001, 64, Skew::giant),
        Shape::segments((std::int64_t{1} << 31) + 5, 3, 64, Skew::giant),
        Shape::segments((std::int64_t{1} << 32) + (1 << 20), (1 << 22) + 1, 64),
        Shape::segments((std::int64_t{1} << 32) + 7, 61, 64)}) {
    cells.push_back({cells.size(), make_problem(Op::sum, DType::u8, shape)});
  }
  return cells;
}

INSTANTIATE_TEST_SUITE_P(All, DeviceSegmentsHuge, testing::ValuesIn(huge_segments()),
                         [](const auto& cell) {
                           return "shape" + std::to_string(cell.param.number);
                         });

class DeviceSegmentsOfNothing : public DeviceSegments {};

/// Their offsets take 8 GiB, their results 2; a config of each way and staging.
TEST_P(DeviceSegmentsOfNothing, AreMoreThan31BitsCount) {
  const Problem& problem = GetParam().problem;
  const auto bytes = static_cast<std::size_t>(offsets_bytes(problem)) + output_bytes(problem);
  if (device().free_memory() < bytes + (std::size_t{1} << 30)) {
    GTEST_SKIP() << "not enough device memory";
  }
  std::vector<Settings> configs{family().default_settings(problem, device().limits())};
  for (const char* const way : {"tiles", "slots", "tickets"}) {
    for (const char* const staging : {"off", "on", "stream"}) {
      search::Rng rng(7);
      const Settings fixed{{"way", way}, {"staging", staging}};
      const auto config = checks::draw(family(), problem, device().limits(), fixed, rng);
      if (config) configs.push_back(*config);
    }
  }
  for (const checks::Runner& runner : loaded_segments(problem, configs)) {
    checks::expect_many_of_nothing(device(), runner.config(), problem.segment_count);
  }
}

INSTANTIATE_TEST_SUITE_P(All, DeviceSegmentsOfNothing,
                         testing::Values(Cell{
                             0, make_problem(Op::max, DType::u8,
                                             Shape::segments(5, (std::int64_t{1} << 31) + 3))}),
                         [](const auto&) { return "max_u8"; });

}  // namespace
}  // namespace redtune
