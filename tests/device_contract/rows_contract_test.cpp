// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Rows on a GPU: every operator, type and way, with every value of every tunable, for lengths,
// pitches and places that break careless kernels; and arrays beyond 2^31 and 2^32 elements.
#include "tests/kernels/rows_contract.hpp"

#include <numeric>

#include "tests/device_contract/test_device.hpp"
#include "tests/kernels/config_samples.hpp"
#include "tests/kernels/contract_cells.hpp"

namespace redtune {
namespace {

using checks::Cell;

std::vector<Cell> cells_of_rows() {
  std::vector<Cell> cells = checks::contract_cells(1);
  // The default of cells in turn: short rows, long ones, few of them.
  constexpr Shape shapes[] = {Shape::rows(1 << 16, 7), Shape::rows(1 << 12, 3001),
                              Shape::rows(2, 1 << 24)};
  for (Cell& cell : cells) {
    cell.problem = checks::with_shape(cell.problem, shapes[cell.number % std::size(shapes)]);
  }
  return cells;
}

class DeviceRows : public OnTestDevice, public testing::WithParamInterface<Cell> {
 protected:
  [[nodiscard]] std::vector<checks::Runner> loaded_rows(const Problem& problem,
                                                        std::vector<Settings> configs) const {
    device::Platform& platform = *test_device().platform;
    checks::ConfigProgram program(kernels::find_family("reduce_rows"), problem, device().limits());
    program.compile(platform.compiler(), std::move(configs), platform.arch_of(device().identity()));
    return program.load(device());
  }
};

TEST_P(DeviceRows, AreRightForEveryLengthPitchAndPlace) {
  const Problem& problem = GetParam().problem;
  const auto configs = checks::covering(kernels::find_family("reduce_rows"), problem,
                                        device().limits(), GetParam().number);
  const auto runners = loaded_rows(problem, sampled(configs, GetParam().number));
  ASSERT_FALSE(runners.empty());
  std::size_t turn = GetParam().number;
  for (const checks::Runner& runner : runners) {
    visit_dtype(problem.in, [&]<class In>(std::type_identity<In>) {
      checks::expect_rows_kept<In>(device(), runner.config(), turn++);
    });
  }
}

INSTANTIATE_TEST_SUITE_P(All, DeviceRows, testing::ValuesIn(cells_of_rows()),
                         [](const auto& cell) { return cell.param.name(); });

class DeviceRowsHuge : public DeviceRows {};

/// Ones, and one row that has a two: sums of bytes tell every row's place.
TEST_P(DeviceRowsHuge, HaveTheirPlacesBeyond32Bits) {
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
  const std::int64_t odd_row = shape.outer - 2;
  device().copy_to_device(static_cast<std::byte*>(in.data()) + (odd_row + 1) * shape.count - 1,
                          &two, 1);
  const kernels::Family& family = kernels::find_family("reduce_rows");
  std::vector<Settings> configs{family.default_settings(problem, device().limits())};
  std::ranges::move(family.known_shapes(problem, device().limits(), ""),
                    std::back_inserter(configs));
  std::vector<std::uint64_t> results(static_cast<std::size_t>(shape.outer));
  for (const checks::Runner& runner : loaded_rows(problem, configs)) {
    const runtime::Workspace workspace = runner.config().make_workspace(device());
    device().fill(out.data(), std::byte{0xa5}, out_bytes);
    device().launch(runner.config().launches({in.data(), shape, out.data()}, workspace), {});
    device().synchronize({});
    device().copy_to_host(results.data(), out.data(), out_bytes);
    for (std::int64_t row = 0; row < shape.outer; ++row) {
      const auto expected = static_cast<std::uint64_t>(shape.count + (row == odd_row ? 1 : 0));
      ASSERT_EQ(results[static_cast<std::size_t>(row)], expected)
          << row << ", " << to_string(runner.config().choice().settings);
    }
  }
}

std::vector<Cell> huge_cells() {
  std::vector<Cell> cells;
  for (const Shape& shape :
       {Shape::rows((std::int64_t{1} << 26) + 3, 33), Shape::rows((1 << 20) + 3, 4097),
        Shape::rows(3, (std::int64_t{1} << 31) + 5)}) {
    cells.push_back({cells.size(), make_problem(Op::sum, DType::u8, shape)});
  }
  return cells;
}

INSTANTIATE_TEST_SUITE_P(All, DeviceRowsHuge, testing::ValuesIn(huge_cells()),
                         [](const auto& cell) {
                           return "shape" + std::to_string(cell.param.number);
                         });

}  // namespace
}  // namespace redtune
