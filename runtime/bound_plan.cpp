// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "runtime/bound_plan.hpp"

#include <array>

namespace redtune::runtime {
namespace {

using kernels::Argument;

/// A value for each meaning of an argument.
class ArgumentValues {
 public:
  ArgumentValues(const Operands& operands, const Workspace& workspace) {
    set(Argument::in, operands.in);
    set(Argument::begins, operands.begins);
    set(Argument::ends, operands.ends);
    set(Argument::out, operands.out);
    set(Argument::partials, workspace.partials());
    set(Argument::slots, workspace.slots());
    set(Argument::counter, workspace.counter());
    set(Argument::plan, operands.plan);
  }

  /// Where those of the scalars stand.
  [[nodiscard]] std::int64_t* scalars() {
    return values_.data() + static_cast<std::size_t>(Argument::scalar);
  }
  [[nodiscard]] std::uint64_t of(Argument argument) const {
    return static_cast<std::uint64_t>(values_[static_cast<std::size_t>(argument)]);
  }

 private:
  void set(Argument argument, const void* address) {
    values_[static_cast<std::size_t>(argument)] = reinterpret_cast<std::intptr_t>(address);
  }

  std::array<std::int64_t, kernels::argument_meanings> values_;
};

static_assert(kernels::most_arguments <= device::Arguments::capacity);

}  // namespace

BoundPlan::BoundPlan(const kernels::Planner& planner, std::span<const device::Kernel> kernels)
    : planner_(&planner) {
  for (const kernels::KernelCall& call : planner.calls()) {
    calls_.push_back({kernels[call.kernel], call});
  }
}

Launches BoundPlan::launches(const Operands& operands, const Workspace& workspace) const noexcept {
  ArgumentValues values(operands, workspace);
  std::array<std::int64_t, kernels::most_calls> grids;
  planner_->set_sizes(operands.shape, {grids.data(), values.scalars()});
  Launches launches;
  for (const auto& [kernel, call] : calls_) {
    device::Launch& launch = launches.emplace_back();
    launch.kernel = kernel;
    launch.grid = grids[launches.size() - 1];
    launch.block = call.block;
    // Every kernel of a family waits for what is ahead.
    launch.start = call.start == kernels::CallStart::early ? device::Start::early
                                                           : device::Start::early_outside_graphs;
    const auto& arguments = call.arguments;
    launch.arguments.assign(arguments.size(),
                            [&](std::size_t i) { return values.of(arguments[i]); });
  }
  return launches;
}

}  // namespace redtune::runtime
