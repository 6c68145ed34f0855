// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "redtune/segment_plan.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

#include "redtune/error.hpp"
#include "runtime/load_config.hpp"
#include "runtime/segment_plan_state.hpp"

namespace redtune {
namespace detail {
namespace {

kernels::PlannedWay way_of(PlanWay way) {
  switch (way) {
    case PlanWay::shares:
      return kernels::PlannedWay::shares;
    case PlanWay::bins:
      return kernels::PlannedWay::bins;
    case PlanWay::as_found:
      break;
  }
  return kernels::PlannedWay::as_found;
}

/// The Reducer's answer for so many segments, with settings for a plan, and those of a plan for
/// which nothing was tuned. Throws UsageError and UnmetMatch.
runtime::FoundConfig planned_config(const ReducerCore& core, const Shape& shape, PlanWay way) {
  if (!is_segmented(core.problem())) {
    throw UsageError(fmt::format("plans are of segments, and this Reducer is for arrays like {}",
                                 describe_shape(core.problem())));
  }
  core.require_usable(shape);
  const kernels::Family& family = kernels::planned_segments();
  const Limits& limits = core.device().limits();
  Answer answer = core.answer(shape);
  const auto in_way = [&](const Settings& settings) {
    return kernels::planned_settings(settings, way_of(way), answer.problem, limits);
  };
  Settings otherwise = in_way(family.default_settings(answer.problem, limits));
  if (answer.match == Match::fallback) {
    // The Reducer's kernels are for its own shape; a plan loads those that it likes.
    answer.settings = otherwise;
    answer.explanation = "nothing tuned is near";
  } else if (Settings planned = in_way(answer.settings); planned != answer.settings) {
    answer.settings = std::move(planned);
    answer.match = Match::fallback;
    answer.explanation = "the plan's way is not that of the config that was tuned; nobody timed it";
  }
  const bool has_bins = kernels::plan_content(answer.settings) == kernels::PlanContent::bins;
  if (has_bins && shape.segment_count > kernels::most_binned_segments) {
    throw UsageError(
        fmt::format("there are {} segments; bins number them by 32 bits", shape.segment_count));
  }
  return {&family, std::move(answer), std::move(otherwise)};
}

Shape shape_of(const ReducerCore& core, std::int64_t elements, std::int64_t segments) {
  return Shape::segments(elements, segments, core.problem().offset_bits, core.problem().skew);
}

void require_offsets(const SegmentOffsets& segments) {
  if (segments.count > 0 && (segments.begins == nullptr || segments.ends == nullptr)) {
    throw UsageError("there are no offsets of where segments begin and where they end");
  }
}

runtime::LoadedUnit load_kernels(const ReducerCore& core, const std::vector<std::string>& names) {
  runtime::KernelLoader loader(core.platform(), core.device(), kernels::plan_text());
  auto loaded = loader.load(std::array{names});
  if (const auto* failure = std::get_if<device::CompileFailure>(loaded.data())) {
    throw DeviceError(
        fmt::format("the kernels that plan segments do not compile:\n{}", failure->log));
  }
  return std::get<runtime::LoadedUnit>(std::move(loaded.front()));
}

/// The shapes that tunes know: half to one and a half of the mean, one with a good part of all, or
/// many lengths.
Skew skew_of(double longest, double elements, double segments) {
  const double mean = elements / segments;
  if (longest > 8 * mean && 4 * longest >= elements) return Skew::giant;
  return longest > 4 * mean ? Skew::zipf : Skew::uniform;
}

SegmentLengths measured(const ReducerCore& core, const SegmentOffsets& segments, Stream stream) {
  require_offsets(segments);
  if (segments.count <= 0) return {};
  device::Device& device = core.device();
  const Limits& limits = device.limits();
  const auto unit = load_kernels(core, kernels::measure_kernels(segments.bits, limits));
  const std::int64_t grid = kernels::plan_grid(segments.count, limits);
  // The counter, the answer, and two words of each block.
  constexpr std::size_t apart = runtime::PlanMemory::alignment;
  const device::Buffer memory = device.allocate(2 * apart + 16 * static_cast<std::size_t>(grid));
  auto* const first = static_cast<std::byte*>(memory.data());
  std::byte* const answer = first + apart;
  device.launch(
      std::array{runtime::clearing_launch(unit.kernels[0], limits, first, apart),
                 runtime::plan_launch(unit.kernels[1], grid, limits, segments.begins, segments.ends,
                                      segments.count, answer + apart, first, answer)},
      {stream.handle()});
  device.synchronize({stream.handle()});
  std::array<std::int64_t, 2> words{};
  device.copy_to_host(words.data(), answer, sizeof(words));
  const auto [longest, elements] = words;
  return {elements, longest,
          skew_of(static_cast<double>(longest), static_cast<double>(elements),
                  static_cast<double>(segments.count))};
}

/// That were written on the stream.
void check_offsets(const ReducerCore& core, const PlannedArray& array, Stream stream) {
  core.device().synchronize({stream.handle()});
  core.check_offsets(array.elements, array.segments);
}

/// Of the tuned match that was asked for, should what is stored not compile, nothing is left.
runtime::LoadedAnswer load_planned(const ReducerCore& core, const PlannedArray& array,
                                   const SegmentPlanOptions& options, Stream stream) {
  Shape shape = shape_of(core, array.elements, array.segments.count);
  shape.offset_bits = array.segments.bits;
  core.require_usable(shape);
  require_offsets(array.segments);
  if (options.checked) check_offsets(core, array, stream);
  if (options.measured) shape.skew = measured(core, array.segments, stream).skew;
  runtime::FoundConfig found = planned_config(core, shape, options.way);
  const bool is_tuned = found.answer.match != Match::fallback;
  auto loaded = runtime::load_found(core.platform(), core.device(), std::move(found));
  if (is_tuned) runtime::require_match(loaded.answer, core.lookup());
  return loaded;
}

}  // namespace

std::size_t segment_plan_bytes(const ReducerCore& core, std::int64_t elements,
                               std::int64_t segments, const SegmentPlanOptions& options) {
  if (options.measured) {
    throw UsageError(
        "how much memory a plan takes is known once lengths are measured: let it take its own");
  }
  const Limits& limits = core.device().limits();
  const auto found = planned_config(core, shape_of(core, elements, segments), options.way);
  const Problem& problem = found.answer.problem;
  const auto bytes_of = [&](const Settings& settings) {
    const auto planner = found.family->planner(settings, problem, limits);
    return runtime::PlanMemory(*planner, settings, problem, limits).bytes();
  };
  // Whether what is stored compiles is known when it is loaded.
  return std::max(bytes_of(found.answer.settings), bytes_of(found.otherwise));
}

SegmentPlanState::SegmentPlanState(std::shared_ptr<const ReducerCore> core,
                                   const PlannedArray& array, const SegmentPlanOptions& options,
                                   Stream stream)
    : core_(std::move(core)),
      segments_(array.segments),
      is_checked_(options.checked),
      loaded_(load_planned(*core_, array, options, stream)),
      making_(
          load_kernels(*core_, kernels::plan_kernels(kernels::plan_content(answer().settings),
                                                     segments_.bits, core_->device().limits()))),
      memory_(loaded_.config.planner(), answer().settings, shape(), core_->device().limits()) {
  if (options.memory == nullptr) {
    own_memory_ = core_->device().allocate(memory_.bytes());
  } else if (options.bytes < memory_.bytes() ||
             reinterpret_cast<std::uintptr_t>(options.memory) % runtime::PlanMemory::alignment !=
                 0) {
    throw UsageError(fmt::format("this plan takes {} bytes, aligned to {}; {} were given",
                                 memory_.bytes(), runtime::PlanMemory::alignment, options.bytes));
  }
  memory_.place_at(options.memory == nullptr ? own_memory_.data() : options.memory);
  core_->hits().add(hits_);
  try {
    make(stream);
  } catch (...) {
    core_->hits().remove(hits_);
    throw;
  }
}

SegmentPlanState::~SegmentPlanState() {
  core_->hits().remove(hits_);
}

void SegmentPlanState::make(Stream stream) {
  if (segments_.count == 0) return;
  runtime::launch_all(core_->device(), memory_.making(making_.kernels, segments_),
                      {stream.handle()});
  is_broken_off_ = false;
}

void SegmentPlanState::update(const SegmentOffsets& segments, Stream stream) {
  if (segments.count != segments_.count || segments.bits != segments_.bits) {
    throw UsageError(
        fmt::format("this plan is of {} segments with offsets of {} bits, not of {} with {}",
                    segments_.count, segments_.bits, segments.count, segments.bits));
  }
  require_offsets(segments);
  if (is_checked_) check_offsets(*core_, {shape().count, segments}, stream);
  segments_ = segments;
  const bool was_broken_off = is_broken_off_;
  is_broken_off_ = true;  // until it is made
  make(stream);
  // As below: a graph makes it when it is launched.
  is_broken_off_ = was_broken_off && core_->device().is_capturing({stream.handle()});
}

SegmentLengths SegmentPlanState::measure(Stream stream) const {
  return measured(*core_, segments_, stream);
}

void SegmentPlanState::launch(const ReducerCore& core, const void* in, void* out, Stream stream) {
  if (&core != core_.get()) {
    throw UsageError("this plan belongs to another Reducer; make one by plan_segments()");
  }
  if (segments_.count == 0) return;
  if (is_broken_off_) {
    make(stream);
    // A graph makes it when it is launched, which may be after the next launch.
    is_broken_off_ = core_->device().is_capturing({stream.handle()});
  }
  hits_.add(answer().match);
  try {
    runtime::launch_all(core_->device(),
                        loaded_.config.launches(
                            {in, shape(), out, segments_.begins, segments_.ends, memory_.plan()},
                            memory_.workspace()),
                        {stream.handle()});
  } catch (...) {
    is_broken_off_ = true;
    throw;
  }
}

}  // namespace detail

SegmentPlan::SegmentPlan(std::unique_ptr<detail::SegmentPlanState> state)
    : state_(std::move(state)) {}
SegmentPlan::SegmentPlan(SegmentPlan&&) noexcept = default;
SegmentPlan& SegmentPlan::operator=(SegmentPlan&&) noexcept = default;
SegmentPlan::~SegmentPlan() = default;

const Answer& SegmentPlan::answer() const {
  return state_->answer();
}

std::size_t SegmentPlan::bytes() const {
  return state_->bytes();
}

void SegmentPlan::update(const SegmentOffsets& segments, Stream stream) {
  state_->update(segments, stream);
}

SegmentLengths SegmentPlan::measure(Stream stream) const {
  return state_->measure(stream);
}

}  // namespace redtune
