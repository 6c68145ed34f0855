// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "redtune/launch_shape.hpp"

#include <fmt/format.h>

#include "kernel_templates/family/argument_layout.hpp"
#include "redtune/error.hpp"
#include "runtime/resolve.hpp"
#include "runtime/workspace.hpp"

namespace redtune {
namespace {

using kernels::Argument;

std::optional<std::int64_t> number_of(Argument argument, const kernels::LaunchPlan& plan) {
  const auto index = kernels::scalar_index(argument);
  return index ? std::optional(plan.values[*index]) : std::nullopt;
}

/// Of what lies in the workspace.
std::optional<std::size_t> offset_of(Argument argument, const kernels::LaunchPlan& plan) {
  switch (argument) {
    case Argument::counter:
      return 0;
    case Argument::slots:
      return runtime::Workspace::counter_bytes;
    case Argument::partials:
      return runtime::Workspace::zero_bytes(static_cast<std::size_t>(plan.workspace.slots));
    default:
      return std::nullopt;
  }
}

KernelLaunch shape_of(const kernels::KernelCall& call, const kernels::LaunchPlan& plan,
                      const std::vector<std::string>& names) {
  KernelLaunch launch{.kernel = names[call.kernel],
                      .grid = call.grid,
                      .block = call.block,
                      .early_start = call.start == kernels::CallStart::early};
  for (const kernels::PlacedArgument& placed : kernels::layout_of(call, plan.scalars)) {
    launch.arguments.push_back({std::string(name_of(placed.argument, plan.scalars)), placed.bytes,
                                number_of(placed.argument, plan),
                                offset_of(placed.argument, plan)});
  }
  return launch;
}

}  // namespace

LaunchShape launch_shape(const Answer& answer, std::int64_t count, const DeviceIdentity& device) {
  if (count < 0) throw UsageError(fmt::format("the count is {}; it must be 0 or more", count));
  Problem launched = answer.problem;
  launched.count = count;
  const kernels::Family& family = kernels::find_family(answer.family);
  const Limits limits = runtime::limits_of(device);
  const std::string why = family.why_invalid(answer.settings, answer.problem, limits);
  if (!why.empty()) throw UsageError(fmt::format("these settings cannot run there: {}", why));
  const auto names = family.name_expressions(answer.settings, launched, limits.wave_size);
  const auto plan = family.planner(answer.settings, answer.problem, limits)->plan(launched);

  const auto size = runtime::size_for(plan.workspace);
  LaunchShape shape;
  shape.zero_bytes = runtime::Workspace::zero_bytes(size.slots);
  shape.workspace_bytes = shape.zero_bytes + size.partials;
  for (const kernels::KernelCall& call : plan.calls) {
    shape.launches.push_back(shape_of(call, plan, names));
  }
  return shape;
}

}  // namespace redtune
