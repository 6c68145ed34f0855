// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/family/launch_plan.hpp"

#include <algorithm>
#include <cassert>

namespace redtune::kernels {

LaunchPlan Planner::plan(const Shape& shape) const {
  LaunchPlan plan{.calls = calls_, .scalars = scalars_, .workspace = workspace(shape)};
  std::array<std::int64_t, most_calls> grids{};
  set_sizes(shape, {grids.data(), plan.values.data()});
  for (std::size_t i = 0; i < plan.calls.size(); ++i) plan.calls[i].grid = grids[i];
  return plan;
}

std::int64_t LaunchPlan::value_of(std::string_view scalar) const {
  const auto found = std::ranges::find(scalars, scalar, &Scalar::name);
  assert(found != scalars.end());
  return values[static_cast<std::size_t>(found - scalars.begin())];
}

std::string_view name_of(Argument argument, const Scalars& scalars) {
  if (const auto index = scalar_index(argument)) return scalars[*index].name;
  switch (argument) {
    case Argument::in:
      return "in";
    case Argument::begins:
      return "begins";
    case Argument::ends:
      return "ends";
    case Argument::out:
      return "out";
    case Argument::partials:
      return "partials";
    case Argument::slots:
      return "slots";
    case Argument::counter:
      return "counter";
    case Argument::plan:
      return "plan";
    case Argument::scalar:
      break;
  }
  return "?";
}

}  // namespace redtune::kernels
