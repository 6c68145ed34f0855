// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "runtime/bound_plan.hpp"

#include <array>

namespace redtune::runtime {
namespace {

using kernels::Argument;

/// A value, in its slot, for each meaning of an argument.
class ArgumentValues {
 public:
  ArgumentValues(const Operands& operands, const Workspace& workspace, const kernels::Grid& grid) {
    set(Argument::in, operands.in);
    set(Argument::count, operands.count);
    set(Argument::out, operands.out);
    set(Argument::partials, workspace.partials());
    set(Argument::slots, workspace.slots());
    set(Argument::counter, workspace.counter());
    set(Argument::run, grid.run);
    set(Argument::partial_count, grid.blocks);
  }

  [[nodiscard]] std::uint64_t of(Argument argument) const {
    return values_[static_cast<std::size_t>(argument)];
  }

 private:
  void set(Argument argument, const void* address) {
    values_[static_cast<std::size_t>(argument)] = reinterpret_cast<std::uint64_t>(address);
  }
  void set(Argument argument, std::int64_t number) {
    values_[static_cast<std::size_t>(argument)] = static_cast<std::uint64_t>(number);
  }

  std::array<std::uint64_t, kernels::argument_meanings> values_;
};

static_assert(kernels::most_arguments <= device::Arguments::capacity);

}  // namespace

BoundPlan::BoundPlan(const kernels::Planner& planner, std::span<const device::Kernel> kernels)
    : grids_(planner.grids()) {
  for (const kernels::KernelCall& call : planner.calls()) {
    calls_.push_back({kernels[call.kernel], call});
  }
}

Launches BoundPlan::launches(const Operands& operands, const Workspace& workspace) const noexcept {
  const kernels::Grid grid = grids_.of(operands.count);
  const ArgumentValues values(operands, workspace, grid);
  Launches launches;
  for (const auto& [kernel, call] : calls_) {
    device::Launch& launch = launches.emplace_back();
    launch.kernel = kernel;
    launch.grid = call.kernel == 0 ? grid.blocks : call.grid;
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
