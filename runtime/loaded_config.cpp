// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "runtime/loaded_config.hpp"

namespace redtune::runtime {

LoadedConfig::LoadedConfig(ConfigChoice choice, std::shared_ptr<const device::Module> module,
                           std::span<const device::Kernel> kernels)
    : choice_(std::move(choice)),
      module_(std::move(module)),
      planner_(choice_.family->planner(choice_.settings, choice_.problem, choice_.limits)),
      bound_(*planner_, kernels) {}

WorkspaceSize LoadedConfig::workspace_size() const {
  return size_for(planner_->largest_workspace());
}

Workspace LoadedConfig::make_workspace(device::Device& device) const {
  return Workspace(device, workspace_size());
}

}  // namespace redtune::runtime
