// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Device memory of a plan of segments: the workspace of its launches, the plan, and counts that it
// is made by; and the launches that make it.
#pragma once

#include <span>
#include <vector>

#include "kernel_templates/segments/plan_making.hpp"
#include "redtune/segments.hpp"
#include "runtime/loaded_config.hpp"

namespace redtune::runtime {

class PlanMemory {
 public:
  /// Of a config of kernels::planned_segments() and a shape.
  PlanMemory(const kernels::Planner& planner, const Settings& settings, const Shape& shape,
             const Limits& limits);

  static constexpr std::size_t alignment = 256;
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  /// So many bytes, aligned, of anything; it must live as long as launches with the plan.
  void place_at(void* memory);

  [[nodiscard]] const Workspace& workspace() const { return workspace_; }
  [[nodiscard]] const void* plan() const { return at(plan_); }
  /// Launches that clear what must be zero and make the plan, of the kernels of
  /// kernels::plan_kernels() for its settings.
  [[nodiscard]] std::vector<device::Launch> making(std::span<const device::Kernel> kernels,
                                                   const SegmentOffsets& segments) const;

 private:
  [[nodiscard]] std::byte* at(std::size_t offset) const {
    return static_cast<std::byte*>(workspace_.counter()) + offset;
  }

  Settings settings_;
  Shape shape_;
  Limits limits_;
  kernels::PlanLayout layout_;
  WorkspaceSize workspace_size_;
  std::size_t plan_;    // where it begins
  std::size_t counts_;  // likewise
  std::size_t bytes_;
  Workspace workspace_;
};

/// A launch of a kernel of kernels::plan_text().
template <class... Arguments>
[[nodiscard]] device::Launch plan_launch(device::Kernel kernel, std::int64_t grid,
                                         const Limits& limits, const Arguments&... arguments) {
  device::Launch launch;
  launch.kernel = kernel;
  launch.grid = grid;
  launch.block = kernels::plan_block(limits);
  (launch.arguments.append(arguments), ...);
  return launch;
}
/// That of clear_words: sets so many bytes, a multiple of 8, to zero.
[[nodiscard]] device::Launch clearing_launch(device::Kernel kernel, const Limits& limits,
                                             void* first, std::size_t bytes);

}  // namespace redtune::runtime
