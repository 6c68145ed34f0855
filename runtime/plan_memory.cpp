// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "runtime/plan_memory.hpp"

namespace redtune::runtime {
namespace {

using kernels::PlanContent;

std::size_t aligned(std::size_t bytes) {
  return (bytes + PlanMemory::alignment - 1) / PlanMemory::alignment * PlanMemory::alignment;
}

}  // namespace

PlanMemory::PlanMemory(const kernels::Planner& planner, const Settings& settings,
                       const Shape& shape, const Limits& limits)
    : settings_(settings),
      shape_(shape),
      limits_(limits),
      layout_(kernels::plan_layout(settings, shape, limits)),
      workspace_size_(size_for(planner.workspace(shape))),
      plan_(aligned(Workspace::bytes_of(workspace_size_))),
      counts_(plan_ + aligned(static_cast<std::size_t>(layout_.bytes))),
      bytes_(counts_ + aligned(static_cast<std::size_t>(layout_.counts))) {}

void PlanMemory::place_at(void* memory) {
  workspace_ = Workspace(memory, workspace_size_);
}

std::vector<device::Launch> PlanMemory::making(std::span<const device::Kernel> kernels,
                                               const SegmentOffsets& segments) const {
  const void* const begins = segments.begins;
  const void* const ends = segments.ends;
  const std::int64_t many = shape_.segment_count;
  std::vector<device::Launch> launches{
      clearing_launch(kernels[0], limits_, at(0), workspace_.zero_bytes())};
  switch (kernels::plan_content(settings_)) {
    case PlanContent::nothing:
      break;
    case PlanContent::starts: {
      const auto [length, shares] = kernels::planned_shares(settings_, shape_, limits_);
      const std::int64_t grid = shares / kernels::plan_block(limits_) + 1;
      launches.push_back(
          plan_launch(kernels[1], grid, limits_, begins, ends, many, length, shares, plan()));
      break;
    }
    case PlanContent::bins: {
      const auto most = kernels::bin_limits(settings_, limits_);
      const std::int64_t grid = kernels::plan_grid(many, limits_);
      void* const counts = at(counts_);
      launches.push_back(plan_launch(kernels[1], grid, limits_, begins, ends, many, most[0],
                                     most[1], most[2], most[3], plan(), counts,
                                     workspace_.counter()));
      launches.push_back(plan_launch(kernels[2], grid, limits_, begins, ends, many, most[0],
                                     most[1], most[2], most[3], plan(), counts,
                                     at(plan_ + static_cast<std::size_t>(layout_.list)),
                                     at(plan_ + static_cast<std::size_t>(layout_.first_pieces))));
      break;
    }
  }
  return launches;
}

device::Launch clearing_launch(device::Kernel kernel, const Limits& limits, void* first,
                               std::size_t bytes) {
  const auto words = static_cast<std::int64_t>(bytes / 8);
  return plan_launch(kernel, kernels::plan_grid(words, limits), limits, first, words);
}

}  // namespace redtune::runtime
