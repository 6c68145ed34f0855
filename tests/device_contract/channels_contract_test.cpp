// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Channels of batches on a GPU: every operator, type and way, with every value of every tunable,
// for extents, pitches and places that break careless kernels; and arrays beyond 2^31 and 2^32
// elements.
#include "tests/kernels/channels_contract.hpp"

#include <iterator>

#include "tests/device_contract/test_device.hpp"
#include "tests/kernels/config_samples.hpp"
#include "tests/kernels/contract_cells.hpp"

namespace redtune {
namespace {

using checks::Cell;

std::vector<Cell> cells_of_channels() {
  std::vector<Cell> cells = checks::contract_cells(1);
  // The default of cells in turn: short spans, long ones, few channels.
  constexpr Shape shapes[] = {Shape::channels(1 << 8, 1 << 10, 7), Shape::channels(32, 1000, 3001),
                              Shape::channels(2, 3, 1 << 24)};
  for (Cell& cell : cells) {
    cell.problem = checks::with_shape(cell.problem, shapes[cell.number % std::size(shapes)]);
  }
  return cells;
}

class DeviceChannels : public OnTestDevice, public testing::WithParamInterface<Cell> {
 protected:
  [[nodiscard]] static const kernels::Family& family() {
    return kernels::find_family("reduce_channels");
  }
  [[nodiscard]] std::vector<checks::Runner> loaded_channels(const Problem& problem,
                                                            std::vector<Settings> configs) const {
    device::Platform& platform = *test_device().platform;
    checks::ConfigProgram program(family(), problem, device().limits());
    program.compile(platform.compiler(), std::move(configs), platform.arch_of(device().identity()));
    return program.load(device());
  }
};

TEST_P(DeviceChannels, AreRightForEveryExtentPitchAndPlace) {
  const Problem& problem = GetParam().problem;
  const auto configs = checks::covering(family(), problem, device().limits(), GetParam().number);
  const auto runners = loaded_channels(problem, sampled(configs, GetParam().number));
  ASSERT_FALSE(runners.empty());
  std::size_t turn = GetParam().number;
  for (const checks::Runner& runner : runners) {
    visit_dtype(problem.in, [&]<class In>(std::type_identity<In>) {
      checks::expect_channels_kept<In>(device(), runner.config(), turn++);
    });
  }
}

INSTANTIATE_TEST_SUITE_P(All, DeviceChannels, testing::ValuesIn(cells_of_channels()),
                         [](const auto& cell) { return cell.param.name(); });

class DeviceChannelsHuge : public DeviceChannels {};

/// Ones, and one channel that has a two: sums of bytes tell every channel's place.
TEST_P(DeviceChannelsHuge, HaveTheirPlacesBeyond32Bits) {
  const Shape shape = GetParam().problem;
  const Problem problem = GetParam().problem;
  const auto bytes = static_cast<std::size_t>(elements_of(shape));
  const std::size_t out_bytes = output_bytes(problem);
  if (device().free_memory() < bytes + out_bytes + (std::size_t{1} << 30)) {
    GTEST_SKIP() << "not enough device memory";
  }
  const device::Buffer in = device().allocate(bytes);
  const device::Buffer out = device().allocate(out_bytes);
  device().fill(in.data(), std::byte{1}, bytes);
  constexpr std::byte two{2};
  device().copy_to_device(static_cast<std::byte*>(in.data()) + bytes - 2, &two, 1);
  const std::int64_t odd_result = results_of(shape) - 1;
  std::vector<Settings> configs{family().default_settings(problem, device().limits())};
  std::ranges::move(family().known_shapes(problem, device().limits(), ""),
                    std::back_inserter(configs));
  std::vector<std::uint64_t> results(static_cast<std::size_t>(results_of(shape)));
  for (const checks::Runner& runner : loaded_channels(problem, configs)) {
    const runtime::Workspace workspace = runner.config().make_workspace(device());
    device().fill(out.data(), std::byte{0xa5}, out_bytes);
    device().launch(runner.config().launches({in.data(), shape, out.data()}, workspace), {});
    device().synchronize({});
    device().copy_to_host(results.data(), out.data(), out_bytes);
    for (std::int64_t i = 0; i < results_of(shape); ++i) {
      const auto expected =
          static_cast<std::uint64_t>(elements_of_result(shape) + (i == odd_result ? 1 : 0));
      ASSERT_EQ(results[static_cast<std::size_t>(i)], expected)
          << i << ", " << to_string(runner.config().choice().settings);
    }
  }
}

std::vector<Cell> huge_channels() {
  std::vector<Cell> cells;
  for (const Shape& shape :
       {Shape::channels((1 << 26) + 3, 3, 11), Shape::channels(3, (1 << 26) + 5, 11),
        Shape::channels(4097, 1025, 1027), Shape::channels(2, 2, (1 << 30) + 77),
        Shape::channels(2, 1, (std::int64_t{1} << 31) + 5)}) {
    cells.push_back({cells.size(), make_problem(Op::sum, DType::u8, shape)});
  }
  return cells;
}

INSTANTIATE_TEST_SUITE_P(All, DeviceChannelsHuge, testing::ValuesIn(huge_channels()),
                         [](const auto& cell) {
                           return "shape" + std::to_string(cell.param.number);
                         });

}  // namespace
}  // namespace redtune
