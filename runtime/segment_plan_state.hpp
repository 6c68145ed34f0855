// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What stands behind a SegmentPlan: a config that is loaded for launches with plans, the kernels
// that make one, and memory in which it lies beside the workspace.
#pragma once

#include <memory>

#include "redtune/segment_plan.hpp"
#include "runtime/kernel_loader.hpp"
#include "runtime/load_config.hpp"
#include "runtime/plan_memory.hpp"
#include "runtime/reducer_core.hpp"

namespace redtune::detail {

struct PlannedArray {
  std::int64_t elements = 0;
  SegmentOffsets segments;
};

[[nodiscard]] std::size_t segment_plan_bytes(const ReducerCore& core, std::int64_t elements,
                                             std::int64_t segments,
                                             const SegmentPlanOptions& options);

class SegmentPlanState {
 public:
  SegmentPlanState(std::shared_ptr<const ReducerCore> core, const PlannedArray& array,
                   const SegmentPlanOptions& options, Stream stream);
  SegmentPlanState(const SegmentPlanState&) = delete;
  SegmentPlanState& operator=(const SegmentPlanState&) = delete;
  ~SegmentPlanState();

  [[nodiscard]] const Answer& answer() const { return loaded_.answer; }
  [[nodiscard]] std::size_t bytes() const { return memory_.bytes(); }
  void update(const SegmentOffsets& segments, Stream stream);
  [[nodiscard]] SegmentLengths measure(Stream stream) const;
  void launch(const ReducerCore& core, const void* in, void* out, Stream stream);

 private:
  [[nodiscard]] const Shape& shape() const { return loaded_.answer.problem; }
  void make(Stream stream);

  std::shared_ptr<const ReducerCore> core_;
  SegmentOffsets segments_;
  bool is_checked_;
  runtime::LoadedAnswer loaded_;
  runtime::LoadedUnit making_;
  device::Buffer own_memory_;  // none where some is given
  runtime::PlanMemory memory_;
  runtime::HitCounters hits_;
  bool is_broken_off_ = false;  // the last launch failed: what must be zero may not be
};

}  // namespace redtune::detail
