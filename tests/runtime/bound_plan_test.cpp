// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What is launched is the planner's plan, each kernel with its arguments by their meaning.
#include "runtime/bound_plan.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <memory>
#include <set>
#include <vector>

#include "bench/null_api.hpp"
#include "device/gpu/device.hpp"
#include "kernel_templates/family/family.hpp"

namespace redtune::runtime {
namespace {

using kernels::Argument;
using NullDevice = device::gpu::GpuDevice<bench::NullApi>;

/// Borders of a class, a tile and an integer; the last is more than any device holds.
constexpr std::int64_t counts[] = {0,
                                   1,
                                   255,
                                   4096,
                                   4097,
                                   1'000'003,
                                   (std::int64_t{1} << 31) + 1,
                                   (std::int64_t{1} << 32) + 7,
                                   std::int64_t{1} << 40};

std::string_view setting_of(const Settings& settings, std::string_view name) {
  return std::ranges::find(settings, name, &Setting::name)->value;
}

/// By the words of early_start.
bool starts_early(std::string_view early_start, std::size_t launch) {
  return early_start == "on" || (early_start == "second" && launch == 1);
}

/// A device of nothing, and addresses to tell apart; nobody follows them.
class BoundPlanTest : public testing::Test {
 protected:
  static void* address(std::uintptr_t number) { return reinterpret_cast<void*>(number); }

  [[nodiscard]] std::uint64_t expected(Argument argument, const kernels::LaunchPlan& plan,
                                       const Operands& operands) const {
    const auto bits = [](const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); };
    if (const auto scalar = kernels::scalar_index(argument)) {
      const std::string_view name = plan.scalars[*scalar].name;
      if (name == "count") {
        EXPECT_EQ(plan.value_of(name), operands.shape.count);
      }
      return static_cast<std::uint64_t>(plan.value_of(name));
    }
    switch (argument) {
      case Argument::in:
        return bits(operands.in);
      case Argument::begins:
        return bits(operands.begins);
      case Argument::ends:
        return bits(operands.ends);
      case Argument::out:
        return bits(operands.out);
      case Argument::partials:
        return bits(workspace_.partials());
      case Argument::slots:
        return bits(workspace_.slots());
      case Argument::counter:
        return bits(workspace_.counter());
      case Argument::plan:
        return bits(operands.plan);
      case Argument::scalar:
        break;
    }
    return 0;
  }

  void expect_launches(const kernels::Planner& planner, std::int64_t count) const {
    const Operands operands{address(0x1000), {.count = count}, address(0x2000)};
    const Launches launches = BoundPlan(planner, loaded_).launches(operands, workspace_);
    const kernels::LaunchPlan plan = planner.plan({.count = count});
    ASSERT_EQ(launches.size(), plan.calls.size());
    for (std::size_t i = 0; i < launches.size(); ++i) {
      const kernels::KernelCall& call = plan.calls[i];
      EXPECT_EQ(launches[i].kernel.handle, loaded_[call.kernel].handle);
      EXPECT_EQ(launches[i].grid, call.grid);
      EXPECT_EQ(launches[i].block, call.block);
      EXPECT_EQ(launches[i].start, call.start == kernels::CallStart::early
                                       ? device::Start::early
                                       : device::Start::early_outside_graphs);
      const auto addresses = launches[i].arguments.addresses();
      ASSERT_EQ(launches[i].arguments.size(), call.arguments.size());
      for (std::size_t j = 0; j < addresses.size(); ++j) {
        if (j >= call.arguments.size()) {
          EXPECT_EQ(addresses[j], nullptr);
          continue;
        }
        std::uint64_t slot = 0;
        std::memcpy(&slot, addresses[j], sizeof(slot));
        EXPECT_EQ(slot, expected(call.arguments[j], plan, operands))
            << name_of(call.arguments[j], plan.scalars);
      }
    }
  }

  // The device's calls do nothing, so the workspace has no address of its own.
  std::vector<device::Kernel> loaded_{{address(0x10)}, {address(0x20)}};
  std::unique_ptr<device::Device> device_ = std::make_unique<NullDevice>(
      0, device::gpu::Facts{.limits = {.wave_size = 32, .compute_units = 132}});
  Workspace workspace_{*device_, {.slots = 8, .partials = 4}};
};

TEST_F(BoundPlanTest, StartsEarlyWhatTheSettingsSay) {
  const Limits limits{.wave_size = 32,
                      .compute_units = 132,
                      .early_start = EarlyStart::present,
                      .float_atomics = FloatAtomics::present};
  const Problem problem = make_problem(Op::sum, DType::f32, 1 << 20, {.order = Order::any});
  const kernels::Family& family = kernels::find_family("reduce");
  const search::Space space = family.space(problem, limits);
  std::set<std::string> seen;
  for (std::size_t rank = 0; rank < space.size(); rank += 7) {
    const Settings settings = family.settings_at(space[rank]);
    const std::string_view early = setting_of(settings, "early_start");
    seen.insert(fmt::format("{} {}", setting_of(settings, "finish"), early));
    const auto planner = family.planner(settings, problem, limits);
    const Launches launches =
        BoundPlan(*planner, loaded_).launches({nullptr, problem, nullptr}, workspace_);
    for (std::size_t i = 0; i < launches.size(); ++i) {
      ASSERT_EQ(launches[i].start == device::Start::early, starts_early(early, i))
          << to_string(settings);
    }
  }
  for (const char* finish : {"single_block", "last_block", "last_wave", "slots"}) {
    EXPECT_TRUE(seen.contains(fmt::format("{} on", finish))) << finish;
    EXPECT_FALSE(seen.contains(fmt::format("{} second", finish))) << finish;
  }
  for (const char* finish : {"second_pass", "atomic"}) {
    for (const char* early : {"off", "on", "second"}) {
      EXPECT_TRUE(seen.contains(fmt::format("{} {}", finish, early))) << finish << early;
    }
  }
}

TEST_F(BoundPlanTest, LaunchesWhatIsPlannedForEveryCount) {
  const Limits limits{.wave_size = 32,
                      .compute_units = 132,
                      .early_start = EarlyStart::present,
                      .float_atomics = FloatAtomics::present,
                      .max_cluster_size = 8};
  for (const Op op : {Op::sum, Op::argmin}) {  // whose second launches differ
    Problem problem = make_problem(op, DType::f32, std::int64_t{1} << 24);
    problem.order = Order::any;
    for (const kernels::Family* family : kernels::all_families()) {
      const search::Space space = family->space(problem, limits);
      for (std::size_t rank = 0; rank < space.size(); rank += 29) {
        const Settings settings = family->settings_at(space[rank]);
        const auto planner = family->planner(settings, problem, limits);
        for (const std::int64_t count : counts) {
          SCOPED_TRACE(to_string(settings) + " for " + std::to_string(count));
          ASSERT_NO_FATAL_FAILURE(expect_launches(*planner, count));
        }
        if (HasFailure()) return;
      }
    }
  }
}

}  // namespace
}  // namespace redtune::runtime
