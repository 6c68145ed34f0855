// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Every step of the ladder gives the right sum on host devices of every wave size, in every lane
// order, for every type and for counts that break careless kernels.
#include "kernel_templates/ladder/ladder.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <set>

#include "device/host/host_compiler.hpp"
#include "device/host/host_identity.hpp"
#include "device/host/host_platform.hpp"
#include "kernel_templates/text/device_text.hpp"
#include "redtune/error.hpp"
#include "tests/kernels/ladder_checks.hpp"
#include "tests/kernels/ladder_names.hpp"
#include "tests/support/samples.hpp"

namespace redtune::kernels {
namespace {

using device::host::HostOptions;
using device::host::LaneOrder;

constexpr LaneOrder orders[] = {LaneOrder::forward, LaneOrder::reverse, LaneOrder::random};
constexpr std::int64_t counts[] = {0, 1, 31, 33, 1000};
constexpr std::int64_t large_count = (std::int64_t{1} << 16) + 1;

HostOptions options_of(int wave_size, LaneOrder order) {
  return {.wave_size = wave_size, .order = order, .seed = 5, .threads = 2};
}

struct Cell {
  int wave_size = 1;
  DType in = DType::f32;

  [[nodiscard]] Limits limits() const {
    return host_limits(options_of(wave_size, LaneOrder::forward));
  }
  [[nodiscard]] Problem problem(std::int64_t count) const {
    return make_problem(Op::sum, in, count);
  }
};

std::string name_of(const Cell& cell) {
  return fmt::format("wave{}_{}", cell.wave_size, to_string(cell.in));
}

void PrintTo(const Cell& cell, std::ostream* out) {
  *out << name_of(cell);
}

class Ladder : public testing::TestWithParam<Cell> {
 protected:
  Ladder() : names_(checks::ladder_names(GetParam().in, GetParam().limits())) {
    const auto result = device::host::HostCompiler(device::host::AlignmentCheck::on)
                            .compile({ladder_text(), names_, "native"});
    if (const auto* failure = std::get_if<device::CompileFailure>(&result)) {
      throw Error(failure->log);
    }
    program_ = std::get<device::CompiledProgram>(result);
  }

  void open(LaneOrder order) {
    module_.reset();
    device_ = device::host::make_host_device(options_of(GetParam().wave_size, order));
    module_ = device_->load(program_.binary);
    kernels_.clear();
    for (std::size_t i = 0; i < names_.size(); ++i) {
      kernels_[names_[i]] = module_->kernel(program_.kernels[i].symbol);
    }
  }

  /// Every step and variant on these values.
  template <class In>
  void expect_right(const std::vector<In>& values, const Limits& limits, bool is_exact) {
    checks::expect_right_steps({*device_, kernels_, limits}, values, is_exact);
  }

  template <class In>
  void expect_right_for_all_counts() {
    for (const std::int64_t count : counts) {
      expect_right(checks::whole_numbers<In>(count), GetParam().limits(), true);
      expect_right(checks::make_input(checks::mixed<In>(), count), GetParam().limits(), false);
    }
  }

  std::vector<std::string> names_;
  device::CompiledProgram program_;
  std::unique_ptr<device::Device> device_;
  std::unique_ptr<device::Module> module_;
  tuner::LadderKernels kernels_;
};

TEST_P(Ladder, IsRightForEveryStepAndCountInEveryLaneOrder) {
  for (const LaneOrder order : orders) {
    SCOPED_TRACE(fmt::format("lane order {}", static_cast<int>(order)));
    open(order);
    visit_dtype(GetParam().in,
                [&]<class In>(std::type_identity<In>) { expect_right_for_all_counts<In>(); });
  }
}

TEST_P(Ladder, IsRightForManyBlocks) {
  open(orders[static_cast<std::size_t>(GetParam().in) % std::size(orders)]);
  visit_dtype(GetParam().in, [&]<class In>(std::type_identity<In>) {
    expect_right(checks::whole_numbers<In>(large_count), GetParam().limits(), true);
    expect_right(checks::make_input(checks::mixed<In>(), large_count), GetParam().limits(), false);
  });
}

/// A device that takes few blocks at a time is given several launches.
TEST_P(Ladder, IsRightWhereALaunchTakesFewBlocks) {
  open(LaneOrder::forward);
  Limits limits = GetParam().limits();
  limits.max_grid = 3;
  visit_dtype(GetParam().in, [&]<class In>(std::type_identity<In>) {
    expect_right(checks::whole_numbers<In>(9999), limits, true);
  });
}

std::vector<Cell> all_cells() {
  std::vector<Cell> cells;
  for (const int wave_size : {1, 32, 64}) {
    for (const DType in : kernels::ladder_types()) cells.push_back({wave_size, in});
  }
  return cells;
}

checks::Axes axes_of(const Cell& cell) {
  return {std::to_string(cell.wave_size), std::string(to_string(cell.in))};
}

std::vector<Cell> some_cells() {
  return checks::every_value(all_cells(), axes_of);
}

INSTANTIATE_TEST_SUITE_P(Some, Ladder, testing::ValuesIn(some_cells()),
                         [](const auto& cell) { return name_of(cell.param); });
INSTANTIATE_TEST_SUITE_P(Full, Ladder,
                         testing::ValuesIn(checks::all_but(some_cells(), all_cells(), axes_of)),
                         [](const auto& cell) { return name_of(cell.param); });

TEST(LadderSteps, HaveNamesOfTheirOwnAFileAndAPage) {
  std::set<std::string_view> names;
  for (const LadderStep& step : ladder_steps()) {
    EXPECT_TRUE(names.insert(step.name).second) << step.name;
    EXPECT_FALSE(step.idea.empty()) << step.name;
    EXPECT_FALSE(step.sources.empty()) << step.name;
    EXPECT_FALSE(step.variants.empty()) << step.name;
    EXPECT_EQ(std::ranges::count(embedded_files(), step.file(), &EmbeddedFile::path), 1)
        << step.file();
    EXPECT_EQ(step.page(), fmt::format("docs/ladder/{}.md", step.name));
    EXPECT_EQ(&find_ladder_step(step.name), &step);
  }
  EXPECT_THROW(static_cast<void>(find_ladder_step("tree")), UsageError);
}

TEST(LadderSteps, OfEveryFileInTheFolder) {
  for (const EmbeddedFile& file : embedded_files()) {
    if (!file.path.starts_with("ladder/") || file.path == "ladder/set_zero.hip.h") continue;
    EXPECT_EQ(std::ranges::count(ladder_steps(), std::string(file.path), &LadderStep::file), 1)
        << file.path;
  }
}

/// What a device can hold is far less than what 64 bits index.
TEST(LadderSteps, PlanHugeCountsWithinTheGridOfAnyDevice) {
  const Limits limits{.compute_units = 132, .max_grid = 0xffffffffLL / 1024};
  for (const std::int64_t count : {(std::int64_t{1} << 32) + 1, std::int64_t{1} << 40}) {
    const Problem problem = make_problem(Op::sum, DType::u8, count);
    for (const LadderStep& step : ladder_steps()) {
      for (const LadderVariant& variant : step.variants) {
        const LadderPlan plan = ladder_plan(step, variant, problem, limits);
        std::int64_t read = 0;
        for (const LadderCall& call : plan.calls) {
          EXPECT_GE(call.grid, 1) << step.name;
          EXPECT_LE(call.grid, limits.max_grid) << step.name;
          if (!call.from || call.from->place != LadderPlace::in) continue;
          EXPECT_EQ(call.from->offset, read) << step.name;
          read += call.from->count;
        }
        if (step.end != LadderEnd::tuned) {
          EXPECT_EQ(read, count) << step.name;
        }
      }
    }
  }
}

/// The bound must not say nothing: where blocks fold as trees, chains are short.
TEST(LadderSteps, StateHowManyAdditionsFollowOneAnother) {
  const Limits limits{.wave_size = 32, .compute_units = 132};
  const Problem problem = make_problem(Op::sum, DType::f32, std::int64_t{1} << 20);
  const auto chain = [&](std::string_view name) {
    const LadderStep& step = find_ladder_step(name);
    return ladder_plan(step, step.variants.front(), problem, limits).longest_chain;
  };
  EXPECT_GE(chain("atomic_per_element"), problem.count);
  EXPECT_EQ(chain("shared_serial"), 1 + 256 + 4096);
  EXPECT_EQ(chain("tree_interleaved"), 3 * (1 + 8));
  EXPECT_EQ(chain("halving"), 20 * 2);
  EXPECT_LT(chain("multi_kernel"), 50);
  EXPECT_LT(chain("vectorized"), 100);
}

}  // namespace
}  // namespace redtune::kernels
