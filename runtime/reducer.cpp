// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "redtune/reducer.hpp"

#include <fmt/format.h>
#include <vector>

#include "runtime/launch_types.hpp"
#include "runtime/reducer_core.hpp"
#include "runtime/segment_plan_state.hpp"

namespace redtune {

Workspace::Workspace(std::unique_ptr<detail::WorkspaceState> state) : state_(std::move(state)) {}
Workspace::Workspace(Workspace&&) noexcept = default;
Workspace& Workspace::operator=(Workspace&&) noexcept = default;
Workspace::~Workspace() = default;

std::size_t Workspace::bytes() const {
  return state_->memory.bytes();
}

struct Reducer::State {
  State(const Problem& problem, const ReducerOptions& options)
      : core(std::make_shared<const detail::ReducerCore>(problem, options)),
        workspace(core->make_workspace()),
        result(core->device().allocate(output_bytes(problem))) {}

  std::shared_ptr<const detail::ReducerCore> core;
  Workspace workspace;
  device::Buffer result;  // of reductions of host memory
  device::Buffer input;   // likewise; grows
};

Reducer::Reducer(const Problem& problem, const ReducerOptions& options)
    : state_(std::make_unique<State>(problem, options)),
      types_(runtime::launch_types_of(problem)) {}
Reducer::Reducer(Reducer&&) noexcept = default;
Reducer& Reducer::operator=(Reducer&&) noexcept = default;
Reducer::~Reducer() = default;

const Answer& Reducer::answer() const {
  return state_->core->answer();
}

Answer Reducer::answer(std::int64_t count) const {
  return state_->core->answer(count);
}

Answer Reducer::answer(const Shape& shape) const {
  return state_->core->answer(shape);
}

bool Reducer::is_usable(std::int64_t count) const {
  return state_->core->is_usable(count);
}

std::vector<SizeClass> Reducer::size_classes() const {
  return state_->core->size_classes();
}

const DeviceIdentity& Reducer::device() const {
  return state_->core->device().identity();
}

std::uint64_t Reducer::hits(Match match) const {
  return state_->core->hits().total(match);
}

Workspace Reducer::make_workspace() const {
  return state_->core->make_workspace();
}

Workspace& Reducer::own_workspace() {
  return state_->workspace;
}

void Reducer::launch_bytes(const void* in, std::int64_t count, void* out, Workspace& workspace,
                           Stream stream) const {
  Shape shape = state_->core->problem();
  shape.count = count;
  state_->core->launch({in, shape, out}, *workspace.state_, stream);
}

void Reducer::launch_bytes(const void* in, const Shape& shape, void* out, Workspace& workspace,
                           Stream stream) const {
  state_->core->launch({in, shape, out}, *workspace.state_, stream);
}

void Reducer::launch_bytes(const void* in, std::int64_t elements, const SegmentOffsets& segments,
                           void* out, Workspace& workspace, Stream stream) const {
  Shape shape = state_->core->problem();
  shape.count = elements;
  shape.segment_count = segments.count;
  shape.offset_bits = segments.bits;
  state_->core->launch({in, shape, out, segments.begins, segments.ends}, *workspace.state_, stream);
}

SegmentPlan Reducer::plan_segments(std::int64_t elements, const SegmentOffsets& segments,
                                   const SegmentPlanOptions& options, Stream stream) const {
  return SegmentPlan(std::make_unique<detail::SegmentPlanState>(
      state_->core, detail::PlannedArray{elements, segments}, options, stream));
}

std::size_t Reducer::segment_plan_bytes(std::int64_t elements, std::int64_t segments,
                                        const SegmentPlanOptions& options) const {
  return detail::segment_plan_bytes(*state_->core, elements, segments, options);
}

void Reducer::launch_bytes(const void* in, SegmentPlan& plan, void* out, Stream stream) const {
  plan.state_->launch(*state_->core, in, out, stream);
}

void Reducer::check_offsets(std::int64_t elements, const SegmentOffsets& segments) const {
  state_->core->check_offsets(elements, segments);
}

bool Reducer::is_capturing(Stream stream) const {
  return state_->core->device().is_capturing({stream.handle()});
}

void Reducer::synchronize(Stream stream) const {
  state_->core->device().synchronize({stream.handle()});
}

void Reducer::refuse_types(const detail::LaunchTypes& types) const {
  const auto text = [](const detail::LaunchTypes& one) {
    switch (one.shape) {
      case ResultShape::indexed:
        return fmt::format("IndexedValue of {}", to_string(one.out));
      case ResultShape::pair:
        return fmt::format("two values of {}", to_string(one.out));
      case ResultShape::members:
        return fmt::format("a struct of {} bytes", one.bytes);
      default:
        return std::string(to_string(one.out));
    }
  };
  throw UsageError(fmt::format("this Reducer turns {} into {}, not {} into {}",
                               to_string(types_.in), text(types_), to_string(types.in),
                               text(types)));
}

void Reducer::require_one_result() const {
  const Problem& problem = state_->core->problem();
  if (is_whole_array(problem)) return;
  if (is_segmented(problem)) {
    throw UsageError(
        "reduce() gives one value, of all elements, and segments are told by offsets; use "
        "launch()");
  }
  if (results_of(problem) == 1) {
    throw UsageError(
        fmt::format("reduce() is for elements one behind the other, and {} is a batch "
                    "with gaps; use launch()",
                    describe(problem)));
  }
  throw UsageError(fmt::format("reduce() gives one value, and {} has {} results; use launch()",
                               describe(problem), results_of(problem)));
}

void Reducer::reduce_bytes(const void* values, std::int64_t count, void* out) {
  State& state = *state_;
  device::Device& device = state.core->device();
  Problem problem = state.core->problem();
  problem.count = count;
  state.core->require_usable(problem);
  const std::size_t bytes = input_bytes(problem);
  if (state.input.bytes() < bytes) {
    state.input = {};
    state.input = device.allocate(bytes);
  }
  device.copy_to_device(state.input.data(), values, bytes);
  launch_bytes(state.input.data(), count, state.result.data(), state.workspace, {});
  synchronize();
  device.copy_to_host(out, state.result.data(), output_bytes(problem));
}

}  // namespace redtune
