// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "runtime/reducer_core.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <utility>

#include "redtune/error.hpp"
#include "runtime/load_config.hpp"
#include "vocabulary/described.hpp"

namespace redtune::detail {
namespace {

/// Of an array in which nothing is to be done: no rows, of whatever length.
bool is_without_results(const Shape& shape) {
  return shape.count >= 0 && shape.outer >= 0 && shape.inner >= 0 &&
         (shape.outer == 0 || shape.inner == 0 ||
          (is_segmented(shape) && shape.segment_count == 0));
}

/// Of segments none, told by offsets that the problem has as well.
bool has_no_segments(const Problem& problem, const Shape& shape) {
  return !is_segmented(shape) ||
         (is_segmented(problem) && shape.offset_bits == problem.offset_bits);
}

/// What is told of a shape that cannot be, or whose bytes no 64-bit index reaches: as of a problem.
void require_possible(const Problem& problem, const Shape& shape) {
  const ProblemChoices choices{.acc = problem.acc, .out = problem.out};
  if (problem.op == Op::custom) {
    (void)make_problem(problem.custom, problem.in, shape, choices);
  } else {
    (void)make_problem(problem.op, problem.in, shape, choices);
  }
}

/// Whether 64 bits index every byte of an array that can be, and of its results.
bool is_indexed(const Problem& problem, const Shape& shape) {
  std::int64_t bytes = 0;
  return !__builtin_mul_overflow(shape.outer, slice_of(shape), &bytes) &&
         (shape.batch == 1 || !__builtin_mul_overflow(shape.batch, batch_step_of(shape), &bytes)) &&
         !__builtin_mul_overflow(bytes, size_of(problem.in), &bytes) &&
         !__builtin_mul_overflow(results_of(shape), result_bytes(problem), &bytes);
}

/// Without the text of a custom operator, which would be copied for each launch.
Problem problem_without_text(const Problem& problem, const Shape& shape) {
  return {{.op = problem.op,
           .in = problem.in,
           .acc = problem.acc,
           .out = problem.out,
           .order = problem.order},
          shape,
          problem.cache_mode};
}

}  // namespace

/// Classes are of counts beside the problem's other extents: of segments that of as many as it has,
/// as long as these.
std::int64_t ReducerCore::count_alike(const Shape& shape) const {
  if (!is_segmented(shape)) return shape.count;
  std::int64_t count = 0;
  const std::int64_t own = std::max<std::int64_t>(problem_.segment_count, 1);
  const bool is_beyond = __builtin_mul_overflow(mean_length(shape), own, &count);
  return is_beyond ? largest_count_ : std::min(count, largest_count_);
}

std::uint32_t ReducerCore::regime_of(const Shape& shape) const {
  return family_->regime(shape, size_of(problem_.in), device_->limits());
}

std::uint32_t ReducerCore::kind_of(std::uint32_t regime, const Shape& shape) {
  return (regime << 8) + kernels::gap_class(shape);
}

std::optional<runtime::ShapeTable::Found> ReducerCore::nearest_tuned(const Place& of) const {
  return shapes_.nearest_of(
      of.shape, of.logs, kind_of(of.regime, of.shape),
      [&](const Shape& tuned) { return family_->tells_of(tuned, of.shape, size_of(problem_.in)); });
}

std::optional<runtime::ShapeTable::Found> ReducerCore::nearest_default(const Place& of) const {
  return default_shapes_.nearest_of(of.shape, of.logs, of.regime,
                                    [](const Shape&) { return true; });
}

Answer ReducerCore::answer(std::int64_t count) const {
  Answer answer = classes_[class_of(count)].answer;
  answer.problem.count = count;
  return answer;
}

Answer ReducerCore::answer(const Shape& asked) const {
  require_served(asked);
  const Shape shape = without_needless_pitches(asked);
  if (is_own(shape)) {
    Answer own = answer(shape.count);
    static_cast<Shape&>(own.problem) = shape;
    return own;
  }
  const Place place{shape, shapes_.logs_of(shape), regime_of(shape)};
  if (const auto near = nearest_tuned(place)) {
    Answer answer = shape_answers_[near->place];
    const Shape known = std::exchange(static_cast<Shape&>(answer.problem), shape);
    if (near->is_same) return answer;
    answer.match = Match::near;
    answer.explanation = fmt::format("tuned for {}", describe_shape(known));
    return answer;
  }
  const auto alike = nearest_default(place);
  Answer answer = alike ? default_answers_[alike->place] : this->answer(count_alike(shape));
  const Shape known = std::exchange(static_cast<Shape&>(answer.problem), shape);
  return {
      .problem = answer.problem,
      .family = answer.family,
      .settings = answer.settings,
      .explanation = fmt::format("nothing tuned is near: launched as {}", describe_shape(known))};
}

ReducerCore::Choice ReducerCore::choice_of(const Shape& asked) const {
  const Shape shape = without_needless_pitches(asked);
  if (is_own(shape)) return choice_of(shape.count);
  Choice choice;
  const Place place{shape, shapes_.logs_of(shape), regime_of(shape)};
  if (const auto near = nearest_tuned(place)) {
    choice = shape_choices_[near->place];
    if (!near->is_same) choice.match = Match::near;
  } else {
    const auto alike = nearest_default(place);
    choice = alike ? default_choices_[alike->place] : choice_of(count_alike(shape));
    choice.match = Match::fallback;
  }
  if (choice.match > lookup_.minimum) choice.config = nullptr;
  return choice;
}

std::vector<SizeClass> ReducerCore::size_classes() const {
  std::vector<SizeClass> all;
  for (std::size_t i = 0; i < classes_.size(); ++i) {
    const bool is_last = i + 1 == classes_.size();
    all.push_back({classes_[i].first,
                   is_last ? std::numeric_limits<std::int64_t>::max() : classes_[i + 1].first - 1,
                   answer(classes_[i].first)});
  }
  return all;
}

Workspace ReducerCore::make_workspace() const {
  runtime::WorkspaceSize size;
  for (const auto& config : configs_) size = size.united(config->workspace_size());
  return Workspace(
      std::make_unique<WorkspaceState>(shared_from_this(), runtime::Workspace(*device_, size)));
}

void ReducerCore::launch(const runtime::Operands& operands, WorkspaceState& workspace,
                         Stream stream) const {
  if (workspace.core.get() != this) {
    throw UsageError("this workspace belongs to another Reducer; make one by make_workspace()");
  }
  const Shape& shape = operands.shape;
  if (has_other_extents(shape)) {
    const bool has_one_result = is_whole_array(problem_) && !is_batch_invariant(problem_);
    const bool is_nothing = is_without_results(shape) && has_no_segments(problem_, shape);
    if (!has_one_result && is_nothing) return;
    require_served(shape);
  }
  const bool has_offsets = operands.begins != nullptr && operands.ends != nullptr;
  if (is_segmented(problem_) && !has_offsets && shape.segment_count > 0) {
    throw UsageError(
        "this Reducer is for segments: launch it with their offsets, of begins and of ends");
  }
  const Choice choice = choice_of(shape);
  if (choice.config == nullptr) runtime::refuse(answer(shape), lookup_);
  workspace.hits.add(choice.match);
  const device::Stream queue{stream.handle()};
  if (workspace.is_broken_off) {
    workspace.memory.clear(*device_, queue);
    // A graph clears when it is launched, which may be after the next launch; so does each that is
    // captured until a launch comes that is not.
    workspace.is_broken_off = device_->is_capturing(queue);
  }
  try {
    runtime::launch_all(*device_, choice.config->launches(operands, workspace.memory), queue);
  } catch (...) {
    workspace.is_broken_off = true;
    throw;
  }
}

void ReducerCore::check_offsets(std::int64_t elements, const SegmentOffsets& segments) const {
  if (segments.count < 0) {
    throw UsageError(fmt::format("there are {} segments; it must be 0 or more", segments.count));
  }
  const std::int64_t bits = problem_.offset_bits;
  if (segments.bits != bits) {
    throw UsageError(
        fmt::format("this Reducer is for offsets of {} bits, not of {}", bits, segments.bits));
  }
  if (segments.count > 0 && (segments.begins == nullptr || segments.ends == nullptr)) {
    throw UsageError("there are no offsets of where segments begin and where they end");
  }
  const auto count = static_cast<std::size_t>(segments.count);
  const std::size_t bytes = count * (segments.bits == 64 ? 8 : 4);
  std::vector<std::byte> begins(bytes);
  std::vector<std::byte> ends(bytes);
  if (bytes > 0) {
    device_->copy_to_host(begins.data(), segments.begins, bytes);
    device_->copy_to_host(ends.data(), segments.ends, bytes);
  }
  const std::string why =
      why_no_segments({begins.data(), ends.data(), segments.count, segments.bits}, elements);
  if (!why.empty()) throw UsageError(why);
}

void ReducerCore::require_served(const Shape& shape) const {
  if (shape.offset_bits != problem_.offset_bits && is_segmented(shape) && is_segmented(problem_)) {
    throw UsageError(fmt::format("this Reducer is for offsets of {} bits, not of {}",
                                 problem_.offset_bits, shape.offset_bits));
  }
  if (is_possible(shape) && is_indexed(problem_, shape) &&
      family_->serves(problem_without_text(problem_, shape))) {
    return;
  }
  require_possible(problem_, shape);
  throw UsageError(fmt::format(
      "this Reducer is for arrays like {}, not for {} elements of {}; make another one for them",
      describe_shape(problem_), describe_shape(shape), to_string(problem_.in)));
}

void ReducerCore::refuse_negative(std::int64_t count) {
  throw UsageError(fmt::format("the count is {}; it must be 0 or more", count));
}

WorkspaceState::WorkspaceState(std::shared_ptr<const ReducerCore> its_core,
                               runtime::Workspace its_memory)
    : core(std::move(its_core)), memory(std::move(its_memory)) {
  core->hits().add(hits);
}

WorkspaceState::~WorkspaceState() {
  core->hits().remove(hits);
}

}  // namespace redtune::detail
