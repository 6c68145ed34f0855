// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Launches of 'reduce_channels'.
#pragma once

#include "kernel_templates/channels/config.hpp"
#include "kernel_templates/family/launch_plan.hpp"
#include "redtune/limits.hpp"
#include "redtune/problem.hpp"

namespace redtune::kernels {

class ChannelsPlanner final : public Planner {
 public:
  ChannelsPlanner(const ChannelsConfig& config, const Problem& problem, const Limits& limits);

  void set_sizes(const Shape& shape, const LaunchSizes& sizes) const noexcept override;
  [[nodiscard]] WorkspaceBytes workspace(const Shape& shape) const override;
  [[nodiscard]] WorkspaceBytes largest_workspace() const override;
  [[nodiscard]] std::int64_t longest_chain(const Shape& shape) const override;
  [[nodiscard]] SizeRules size_rules() const override;

 private:
  /// Of so many channels in so many parts each.
  [[nodiscard]] WorkspaceBytes bytes_of(std::int64_t channels, std::int64_t parts) const;

  ChannelsConfig config_;
  Problem problem_;
  Limits limits_;
};

}  // namespace redtune::kernels
