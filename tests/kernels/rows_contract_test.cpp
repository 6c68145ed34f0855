// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Every way from rows to their results, operator and type is right on host devices of every wave
// size, in every lane order, for lengths, pitches and places that break careless kernels.
#include "tests/kernels/rows_contract.hpp"

#include <gtest/gtest.h>

#include "device/host/host_compiler.hpp"
#include "device/host/host_identity.hpp"
#include "device/host/host_platform.hpp"
#include "kernel_templates/rows/rules.hpp"
#include "tests/kernels/config_samples.hpp"
#include "tests/kernels/contract_cells.hpp"
#include "tests/support/samples.hpp"

namespace redtune {
namespace {

using device::host::HostOptions;
using device::host::LaneOrder;

constexpr int wave_sizes[] = {1, 32, 64};
constexpr LaneOrder orders[] = {LaneOrder::forward, LaneOrder::reverse, LaneOrder::random};
constexpr std::size_t configs_per_cell = 9;  // the default, and two of each way

HostOptions options_of(int wave_size, LaneOrder order) {
  return {.wave_size = wave_size, .order = order, .seed = 11, .threads = 3};
}

const kernels::Family& family() {
  return kernels::find_family("reduce_rows");
}

struct RowsCell {
  int wave_size = 1;
  LaneOrder order = LaneOrder::forward;
  checks::Cell cell;

  [[nodiscard]] Limits limits() const { return host_limits(options_of(wave_size, order)); }
  [[nodiscard]] std::vector<Settings> configs() const {
    return checks::sample(family(), cell.problem, limits(), cell.number, configs_per_cell);
  }
  [[nodiscard]] std::string name() const {
    constexpr std::string_view names[] = {"forward", "reverse", "random"};
    return fmt::format("wave{}_{}_{}", wave_size, names[static_cast<int>(order)], cell.name());
  }
  friend void PrintTo(const RowsCell& one, std::ostream* out) { *out << one.name(); }
};

std::vector<RowsCell> all_cells() {
  std::vector<RowsCell> cells;
  for (checks::Cell& cell : checks::contract_cells(1)) {
    // The default of cells in turn: short rows, long ones, few of them.
    constexpr Shape shapes[] = {Shape::rows(1000, 7), Shape::rows(1000, 3001),
                                Shape::rows(2, 1 << 20)};
    cell.problem = checks::with_rows(cell.problem, shapes[cell.number % std::size(shapes)]);
    for (const int wave_size : wave_sizes) {
      for (const LaneOrder order : orders) cells.push_back({wave_size, order, cell});
    }
  }
  return cells;
}

/// Every operator, every type on every wave size, and every choice of a caller.
checks::Axes axes_of(const RowsCell& one) {
  const Problem& problem = one.cell.problem;
  return {std::string(to_string(problem.op)),
          fmt::format("{} on {}", to_string(problem.in), one.wave_size),
          fmt::format("{} in {}", to_string(problem.in), to_string(problem.acc)),
          fmt::format("gives {}", to_string(problem.out)),
          problem.order == Order::any ? "any order" : "one order",
          fmt::format("{} on {}", static_cast<int>(one.order), one.wave_size)};
}

/// Each cell has axes of its own.
checks::Axes all_axes_of(const RowsCell& one) {
  checks::Axes axes = axes_of(one);
  axes.push_back(one.name());
  return axes;
}

const std::vector<RowsCell>& some_cells() {
  static const auto cells = checks::every_value(all_cells(), axes_of);
  return cells;
}

class RowsContract : public testing::TestWithParam<RowsCell> {};

TEST_P(RowsContract, IsRightForEveryLengthPitchAndPlace) {
  const RowsCell& one = GetParam();
  checks::ConfigProgram program(family(), one.cell.problem, one.limits());
  program.compile(device::host::HostCompiler(device::host::AlignmentCheck::on), one.configs(),
                  "native");
  std::size_t turn = one.cell.number;
  const auto device = device::host::make_host_device(options_of(one.wave_size, one.order));
  for (const checks::Runner& runner : program.load(*device)) {
    visit_dtype(one.cell.problem.in, [&]<class In>(std::type_identity<In>) {
      checks::expect_rows_kept<In>(*device, runner.config(), turn++);
    });
  }
}

INSTANTIATE_TEST_SUITE_P(Some, RowsContract, testing::ValuesIn(some_cells()),
                         [](const auto& cell) { return cell.param.name(); });
INSTANTIATE_TEST_SUITE_P(Full, RowsContract,
                         testing::ValuesIn(checks::all_but(some_cells(), all_cells(), all_axes_of)),
                         [](const auto& cell) { return cell.param.name(); });

}  // namespace
}  // namespace redtune
