// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "runtime/loaded_config.hpp"

#include <limits>

namespace redtune::runtime {
namespace {

using kernels::Argument;

/// A kernel argument by its meaning, in its slot.
std::uint64_t slot(Argument argument, const kernels::LaunchPlan& plan, const Operands& operands,
                   const Workspace& workspace) {
  const auto address = [](const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); };
  switch (argument) {
    case Argument::in:
      return address(operands.in);
    case Argument::count:
      return static_cast<std::uint64_t>(operands.count);
    case Argument::out:
      return address(operands.out);
    case Argument::partials:
      return address(workspace.partials());
    case Argument::counter:
      return address(workspace.counter());
    case Argument::run:
      return static_cast<std::uint64_t>(plan.run);
    case Argument::partial_count:
      return static_cast<std::uint64_t>(plan.partial_count);
  }
  return 0;
}

static_assert(kernels::most_arguments <= device::Arguments::capacity);

}  // namespace

LoadedConfig::LoadedConfig(ConfigChoice choice, std::shared_ptr<const device::Module> module,
                           std::vector<device::Kernel> kernels)
    : choice_(std::move(choice)),
      module_(std::move(module)),
      kernels_(std::move(kernels)),
      planner_(choice_.family->planner(choice_.settings, choice_.problem, choice_.limits)) {}

std::int64_t LoadedConfig::most_partials() const {
  return plan(std::numeric_limits<std::int64_t>::max() / 16).partial_count;
}

Workspace LoadedConfig::make_workspace(device::Device& device) const {
  return Workspace(device, most_partials(), accumulator_bytes(choice_.problem));
}

Launches LoadedConfig::launches(const Operands& operands,
                                const Workspace& workspace) const noexcept {
  const kernels::LaunchPlan plan_now = plan(operands.count);
  Launches launches;
  for (const kernels::KernelCall& call : plan_now.calls) {
    device::Launch& launch = launches.emplace_back();
    launch.kernel = kernels_[call.kernel];
    launch.grid = call.grid;
    launch.block = call.block;
    launch.start = device::Start::early;  // every kernel of a family waits for what is ahead
    for (const Argument argument : call.arguments) {
      launch.arguments.append(slot(argument, plan_now, operands, workspace));
    }
  }
  return launches;
}

}  // namespace redtune::runtime
