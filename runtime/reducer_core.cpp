// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "runtime/reducer_core.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <utility>

#include "cache/files/paths.hpp"
#include "cache/keys/key.hpp"
#include "redtune/error.hpp"
#include "runtime/load_config.hpp"
#include "runtime/pinned_classes.hpp"
#include "vocabulary/described.hpp"

namespace redtune::detail {
namespace {

/// Tuned shapes that a Reducer chooses among, of however many there are.
constexpr std::size_t most_tuned_shapes = 64;

Problem problem_with(Problem problem, const Shape& shape) {
  static_cast<Shape&>(problem) = shape;
  return problem;
}

Problem problem_with_count(Problem problem, std::int64_t count) {
  problem.count = count;
  return problem;
}

/// What pinned classes are pinned to: the question without its count, and where it is looked up.
std::string pin_of(const Problem& problem, const DeviceIdentity& device,
                   const LookupOptions& lookup) {
  const auto named = cache::named_store(lookup.cache_file);
  const Problem alike = problem_with(problem, shape_of_answer(problem, problem));
  return cache::key_of(problem_with_count(alike, 0)).hash +
         cache::key_of(device.device_class).hash + cache::key_of(device.toolchain).hash +
         (named ? named->string() : "") + lookup.snapshot;
}

Problem checked(const Problem& problem, const ReducerOptions& options) {
  if (options.pinned && problem.order == Order::any) {
    throw UsageError(
        "a pinned Reducer gives the same bits each time, but a problem with Order::any does not: "
        "choose Order::fixed, or do not pin");
  }
  return problem;
}

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

std::int64_t largest_count(const Problem& problem) {
  if (problem.offset_bits == 32) return std::numeric_limits<std::int32_t>::max();
  const std::int64_t results = is_segmented(problem) ? 1 : results_of(problem);
  return std::numeric_limits<std::int64_t>::max() / std::max<std::int64_t>(results, 1) /
         problem.batch / static_cast<std::int64_t>(size_of(problem.in));
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

/// A regime and a class of gaps: only tuned shapes of one kind are near each other.
std::uint32_t kind_of(std::uint32_t regime, const Shape& shape) {
  return (regime << 8) + kernels::gap_class(shape);
}

std::vector<std::int64_t> firsts_of(const std::vector<runtime::SizeClass>& classes) {
  std::vector<std::int64_t> firsts;
  for (const auto& one : classes) firsts.push_back(one.first);
  return firsts;
}

}  // namespace

ReducerCore::ReducerCore(const Problem& problem, const ReducerOptions& options)
    : problem_(checked(problem, options)),
      largest_count_(largest_count(problem_)),
      family_(&kernels::family_of(problem_)),
      lookup_(runtime::completed(options.lookup)),
      selection_(runtime::registry().select(options.device)),
      device_(device::open(selection_)),
      layers_(runtime::layers_of(lookup_)),
      tuned_shapes_(
          runtime::tuned_shapes(layers_, problem_, {device_->identity(), device_->limits()})),
      classes_(find_classes(options.pinned)),
      table_(firsts_of(classes_)),
      shape_answers_(find_tuned_shapes(options.pinned)),
      shapes_(runtime::farthest_near, family_->extent_weights()),
      default_answers_(find_default_answers(options.pinned)),
      default_shapes_(std::numeric_limits<double>::infinity(), family_->extent_weights()) {
  wanted_.begin(answer(problem_.count), device_->identity(), hits_);
  runtime::require_match(answer(problem_.count), lookup_);
  load_all();
  for (const auto& one : classes_) {
    const bool usable = one.answer.match <= lookup_.minimum;
    choices_.push_back({usable ? find_config(one.answer.settings) : nullptr, one.answer.match});
  }
  for (const Answer& one : shape_answers_) {
    shape_choices_.push_back({find_config(one.settings), one.match});
    shapes_.add(one.problem, kind_of(regime_of(one.problem), one.problem));
  }
  for (const Answer& one : default_answers_) {
    default_choices_.push_back({find_config(one.settings), one.match});
    default_shapes_.add(one.problem, regime_of(one.problem));
  }
  require_usable(problem_);
  own_answer_ = find_own_answer();
  layers_ = {};
  tuned_shapes_ = {};
}

runtime::Resolution ReducerCore::look_up(const Shape& shape) const {
  LookupOptions lookup = lookup_;
  lookup.minimum = Match::fallback;  // what a class lacks is said when it is used
  return runtime::resolve_in(layers_, problem_with(problem_, shape),
                             {device_->identity(), device_->limits()}, lookup);
}

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

std::optional<runtime::ShapeTable::Found> ReducerCore::nearest_tuned(const Place& of) const {
  return shapes_.nearest_of(of.shape, of.logs, kind_of(of.regime, of.shape),
                            [&](const Shape& tuned) { return family_->tells_of(tuned, of.shape); });
}

std::optional<runtime::ShapeTable::Found> ReducerCore::nearest_default(const Place& of) const {
  return default_shapes_.nearest_of(of.shape, of.logs, of.regime,
                                    [](const Shape&) { return true; });
}

/// Pinned classes are those of its own extents, whatever was tuned since; of Order::rows all
/// extents are its own.
bool ReducerCore::keeps_to_own_extents(bool pinned) const {
  return pinned || is_whole_array(problem_) || is_batch_invariant(problem_);
}

/// The nearest to the problem's own, where there are many.
std::vector<Answer> ReducerCore::find_tuned_shapes(bool pinned) const {
  if (keeps_to_own_extents(pinned)) return {};
  std::vector<Shape> near = tuned_shapes_;
  std::ranges::stable_sort(near, {},
                           [&](const Shape& shape) { return family_->distance(shape, problem_); });
  near.resize(std::min(near.size(), most_tuned_shapes));
  std::vector<Answer> answers;
  for (const Shape& shape : near) {
    Answer answer = look_up(shape).answer;
    if (answer.match < Match::near && answer.match <= lookup_.minimum) {
      answers.push_back(std::move(answer));
    }
  }
  return answers;
}

runtime::Found ReducerCore::ask(std::int64_t count) const {
  auto found = look_up(problem_with_count(problem_, count));
  const bool is_tuned = found.answer.match != Match::fallback && found.details.entry;
  std::optional<std::int64_t> tuned_count;
  if (is_tuned) tuned_count = found.details.entry->question.problem.count;
  found.answer.explanation = runtime::explanation_for_any_count(found);
  return {std::move(found.answer), tuned_count};
}

std::vector<runtime::SizeClass> ReducerCore::find_classes(bool pinned) const {
  auto tuned = runtime::kept_counts(runtime::counts_of(tuned_shapes_, problem_));
  const auto find = [&] {
    return runtime::find_size_classes([&](std::int64_t count) { return ask(count); }, tuned);
  };
  // Without the count that this Reducer is made for: others are made for others.
  if (pinned) return runtime::pinned_classes(pin_of(problem_, device_->identity(), lookup_), find);
  // The same row gives the same bits from every Reducer: none has a class for its own count.
  if (!is_batch_invariant(problem_)) tuned.push_back(problem_.count);
  return find();
}

/// The class was found by another count of it: what is told of this one is told of itself.
Answer ReducerCore::find_own_answer() const {
  Answer of_class = answer(problem_.count);
  Answer own = look_up(problem_).answer;
  const bool is_used = own.match == of_class.match && own.settings == of_class.settings;
  return is_used ? own : of_class;
}

/// For extents of which no tuned shape tells: a default is made for a shape, and that of the
/// Reducer's own is a poor one for others. Most of their kernels are those of its classes.
std::vector<Answer> ReducerCore::find_default_answers(bool pinned) const {
  if (keeps_to_own_extents(pinned) || lookup_.minimum < Match::fallback) return {};
  std::vector<Answer> answers;
  for (Shape shape : family_->typical_shapes(device_->limits())) {
    shape.offset_bits = problem_.offset_bits;
    shape.skew = problem_.skew;
    const Problem problem = problem_with(problem_, shape);
    answers.push_back({.problem = problem,
                       .family = std::string(family_->name()),
                       .settings = family_->default_settings(problem, device_->limits()),
                       .explanation = "nothing tuned is near"});
  }
  return answers;
}

std::vector<Settings> ReducerCore::settings_to_load() const {
  std::vector<Settings> all;
  for (const auto& one : classes_) {
    const Settings& settings = one.answer.settings;
    if (one.answer.match > lookup_.minimum || find_config(settings) != nullptr) continue;
    if (std::ranges::find(all, settings) == all.end()) all.push_back(settings);
  }
  for (const auto* answers : {&shape_answers_, &default_answers_}) {
    for (const Answer& one : *answers) {
      const bool is_known =
          find_config(one.settings) != nullptr || std::ranges::find(all, one.settings) != all.end();
      if (!is_known) all.push_back(one.settings);
    }
  }
  return all;
}

void ReducerCore::load_all() {
  for (auto missing = settings_to_load(); !missing.empty(); missing = settings_to_load()) {
    load(missing);
  }
}

/// A stored config that the compiler refuses is as good as none; the default it must take.
void ReducerCore::load(const std::vector<Settings>& choices) {
  std::vector<runtime::ConfigChoice> wanted;
  for (const Settings& settings : choices) {
    wanted.push_back({family_, problem_, settings, device_->limits()});
  }
  auto results = runtime::load_configs(*selection_.platform, *device_, std::move(wanted));
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (auto* config = std::get_if<runtime::LoadedConfig>(&results[i])) {
      configs_.push_back(std::make_unique<const runtime::LoadedConfig>(std::move(*config)));
      continue;
    }
    const auto& failure = std::get<device::CompileFailure>(results[i]);
    const bool is_default = std::ranges::any_of(classes_, [&](const auto& one) {
      return one.answer.match == Match::fallback && one.answer.settings == choices[i];
    });
    if (is_default) runtime::throw_failure(problem_, failure);
    use_default_for(choices[i], failure);
  }
}

void ReducerCore::use_default_for(const Settings& settings, const device::CompileFailure& failure) {
  for (auto* answers : {&shape_answers_, &default_answers_}) {
    std::erase_if(*answers, [&](const Answer& one) { return one.settings == settings; });
  }
  for (auto& one : classes_) {
    if (one.answer.settings != settings) continue;
    one.answer = runtime::without_refused(
        one.answer, family_->default_settings(one.answer.problem, device_->limits()), failure);
    one.tuned_count.reset();
  }
}

const runtime::LoadedConfig* ReducerCore::find_config(const Settings& settings) const {
  const auto found = std::ranges::find_if(
      configs_, [&](const auto& config) { return config->choice().settings == settings; });
  return found == configs_.end() ? nullptr : found->get();
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
  if (workspace.is_broken_off) {
    workspace.memory.clear(*device_);
    workspace.is_broken_off = false;
  }
  try {
    runtime::launch_all(*device_, choice.config->launches(operands, workspace.memory),
                        {stream.handle()});
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
