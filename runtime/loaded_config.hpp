// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A configuration whose kernels are loaded on a device: give it an input and it says what to
// launch.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "device/device.hpp"
#include "kernel_templates/family/family.hpp"
#include "redtune/problem.hpp"
#include "redtune/settings.hpp"
#include "runtime/bound_plan.hpp"
#include "runtime/workspace.hpp"

namespace redtune::runtime {

/// A family's config for a problem, with the limits of the device it is meant for.
struct ConfigChoice {
  const kernels::Family* family = nullptr;
  Problem problem;
  Settings settings;
  Limits limits;
};

class LoadedConfig {
 public:
  /// kernels: one for each of the family's name expressions, in order; module keeps them loaded.
  /// Throws UsageError for unknown settings.
  LoadedConfig(ConfigChoice choice, std::shared_ptr<const device::Module> module,
               std::span<const device::Kernel> kernels);

  [[nodiscard]] const ConfigChoice& choice() const { return choice_; }
  [[nodiscard]] kernels::LaunchPlan plan(const Shape& shape) const { return planner_->plan(shape); }
  /// Additions that any element's value passes through, at most: the scale of rounding errors.
  [[nodiscard]] std::int64_t longest_chain(const Shape& shape) const {
    return planner_->longest_chain(shape);
  }
  /// Of a workspace that is enough for any shape.
  [[nodiscard]] WorkspaceSize workspace_size() const;
  [[nodiscard]] const kernels::Planner& planner() const { return *planner_; }
  /// A workspace that is enough for any shape.
  [[nodiscard]] Workspace make_workspace(device::Device& device) const;
  /// The launches of one reduction, in order, all on one stream.
  [[nodiscard]] Launches launches(const Operands& operands,
                                  const Workspace& workspace) const noexcept {
    return bound_.launches(operands, workspace);
  }

 private:
  ConfigChoice choice_;
  std::shared_ptr<const device::Module> module_;
  std::unique_ptr<const kernels::Planner> planner_;
  BoundPlan bound_;
};

}  // namespace redtune::runtime
