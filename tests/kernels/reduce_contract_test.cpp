// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Every finish, operator and type gives the right result on host devices of every wave size, in
// every lane order, for counts and inputs that break careless kernels.
#include <gtest/gtest.h>
#include <set>

#include "device/host/host_compiler.hpp"
#include "device/host/host_identity.hpp"
#include "device/host/host_platform.hpp"
#include "tests/kernels/config_samples.hpp"
#include "tests/kernels/reduction_checks.hpp"

namespace redtune {
namespace {

using checks::Place;
using device::host::HostOptions;
using device::host::LaneOrder;

constexpr int wave_sizes[] = {1, 32, 64};
constexpr LaneOrder orders[] = {LaneOrder::forward, LaneOrder::reverse, LaneOrder::random};
constexpr std::int64_t counts[] = {0, 1, 31, 32, 33, 1000};
constexpr std::int64_t large_count = (std::int64_t{1} << 16) + 7;
constexpr std::size_t configs_per_cell = 7;

/// Three compute units: grids are then no powers of two.
HostOptions options_of(int wave_size, LaneOrder order) {
  return {.wave_size = wave_size, .order = order, .seed = 11, .threads = 3};
}

struct Cell {
  std::size_t number = 0;  // within its wave size
  int wave_size = 1;
  Op op = Op::sum;
  DType in = DType::f32;

  [[nodiscard]] Problem problem() const { return make_problem(op, in, large_count); }
  [[nodiscard]] Limits limits() const {
    return host_limits(options_of(wave_size, LaneOrder::forward));
  }
  [[nodiscard]] std::vector<Settings> configs() const {
    return checks::sample(kernels::find_family("reduce"), problem(), limits(), number,
                          configs_per_cell);
  }
};

std::vector<Cell> all_cells() {
  std::vector<Cell> cells;
  for (const int wave_size : wave_sizes) {
    std::size_t number = 0;
    for (const OpInfo& op : all_ops()) {
      for (const DTypeInfo& in : all_dtypes()) {
        cells.push_back({number++, wave_size, op.op, in.dtype});
      }
    }
  }
  return cells;
}

std::string name_of(const Cell& cell) {
  return fmt::format("wave{}_{}_{}", cell.wave_size, to_string(cell.op), to_string(cell.in));
}

void PrintTo(const Cell& cell, std::ostream* out) {
  *out << name_of(cell);
}

class ReduceContract : public testing::TestWithParam<Cell> {
 protected:
  ReduceContract() : program_(kernels::find_family("reduce"), problem_, GetParam().limits()) {
    program_.compile(device::host::HostCompiler(device::host::AlignmentCheck::on),
                     GetParam().configs(), "native");
  }

  template <class In>
  void expect_right(checks::Runner& runner, const checks::Pattern<In>& pattern, std::int64_t count,
                    Place place) {
    if (HasFailure()) return;
    const std::vector<In> values = checks::make_input(pattern, count);
    const checks::PlacedInput<In> input(*device_, values, place);
    const std::uint64_t output = runner.run(input.data(), count);
    const kernels::LaunchPlan plan = runner.config().plan(count);
    EXPECT_TRUE(
        checks::is_right<In>(problem_, values, output, runner.config().longest_chain(count)))
        << fmt::format("{} of {} {} elements {}, {}", pattern.name, count, to_string(problem_.in),
                       to_string(place), to_string(runner.config().choice().settings));
    for (const kernels::KernelCall& call : plan.calls) {
      EXPECT_GE(call.grid, 1);
      EXPECT_LE(call.grid, device_->limits().max_grid);
      EXPECT_LE(call.grid, std::max<std::int64_t>(1, count));
    }
  }

  template <class In>
  void expect_right_everywhere(checks::Runner& runner, std::size_t turn) {
    for (const std::int64_t count : counts) {
      for (const Place place : checks::all_places) {
        expect_right(runner, checks::mixed<In>(), count, place);
      }
    }
    expect_right(runner, checks::mixed<In>(), large_count, checks::all_places[turn % 4]);
    for (const checks::Pattern<In>& pattern : checks::adversarial<In>()) {
      expect_right(runner, pattern, 1, Place::at_end);
      expect_right(runner, pattern, 33, Place::at_end);
      expect_right(runner, pattern, 1000, Place::one_behind);
    }
  }

  /// Also after another count has used the workspace: the ticket must stand at zero again.
  template <class In>
  void expect_same_bits_again(checks::Runner& runner) {
    const auto values = checks::make_input(checks::mixed<In>(), 9001);
    const checks::PlacedInput<In> input(*device_, values, Place::three_behind);
    const std::uint64_t first = runner.run(input.data(), 9001);
    EXPECT_EQ(runner.run(input.data(), 9001), first);
    static_cast<void>(runner.run(input.data(), 33));
    EXPECT_EQ(runner.run(input.data(), 9001), first)
        << to_string(runner.config().choice().settings);
  }

  Problem problem_ = GetParam().problem();
  checks::ConfigProgram program_;
  std::unique_ptr<device::Device> device_;
};

TEST_P(ReduceContract, IsRightForEveryCountPlaceAndInput) {
  std::size_t turn = 0;
  for (const LaneOrder order : orders) {
    SCOPED_TRACE(fmt::format("lane order {}", static_cast<int>(order)));
    device_ = device::host::make_host_device(options_of(GetParam().wave_size, order));
    std::vector<checks::Runner> runners = program_.load(*device_);
    for (checks::Runner& runner : runners) {
      visit_dtype(problem_.in, [&]<class In>(std::type_identity<In>) {
        expect_right_everywhere<In>(runner, turn++);
        expect_same_bits_again<In>(runner);
      });
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, ReduceContract, testing::ValuesIn(all_cells()),
                         [](const auto& cell) { return name_of(cell.param); });

TEST(ReduceContractSamples, HoldEveryFinishInEveryCell) {
  for (const Cell& cell : all_cells()) {
    std::set<std::string> finishes;
    for (const Settings& config : cell.configs()) {
      for (const Setting& setting : config) {
        if (setting.name == "finish") finishes.insert(setting.value);
      }
    }
    for (const Setting& value : checks::all_values(kernels::find_family("reduce"))) {
      if (value.name != "finish") continue;
      EXPECT_TRUE(finishes.contains(value.value)) << value.value << " in " << name_of(cell);
    }
  }
}

TEST(ReduceContractSamples, HoldEveryValueThatADeviceAllows) {
  const kernels::Family& family = kernels::find_family("reduce");
  for (const int wave_size : wave_sizes) {
    std::set<Setting> held;
    for (const Cell& cell : all_cells()) {
      if (cell.wave_size != wave_size) continue;
      for (const Settings& config : cell.configs()) held.insert(config.begin(), config.end());
    }
    const Cell any{0, wave_size, Op::sum, DType::f32};
    search::Rng rng(1);
    std::size_t allowed = 0;
    for (const Setting& value : checks::all_values(family)) {
      if (!checks::draw(family, any.problem(), any.limits(), {value}, rng)) continue;
      ++allowed;
      EXPECT_TRUE(held.contains(value)) << value.name << '=' << value.value << " on " << wave_size;
    }
    EXPECT_GT(allowed, 25U);
  }
}

}  // namespace
}  // namespace redtune
