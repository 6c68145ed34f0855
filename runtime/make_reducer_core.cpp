// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The part of ReducerCore that is done once: what is best for its problem, for other counts and for
// other shapes is looked up, and loaded.
#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <utility>

#include "cache/files/paths.hpp"
#include "cache/keys/key.hpp"
#include "redtune/error.hpp"
#include "runtime/load_config.hpp"
#include "runtime/pinned_classes.hpp"
#include "runtime/reducer_core.hpp"

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

std::int64_t largest_count(const Problem& problem) {
  if (problem.offset_bits == 32) return std::numeric_limits<std::int32_t>::max();
  const std::int64_t results = is_segmented(problem) ? 1 : results_of(problem);
  return std::numeric_limits<std::int64_t>::max() / std::max<std::int64_t>(results, 1) /
         problem.batch / static_cast<std::int64_t>(size_of(problem.in));
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
    choices_.push_back(
        {usable ? find_config(one.answer.settings, one.first) : nullptr, one.answer.match});
  }
  for (const Answer& one : shape_answers_) {
    shape_choices_.push_back({find_config(one.settings, problem_.count), one.match});
    shapes_.add(one.problem, kind_of(regime_of(one.problem), one.problem));
  }
  for (const Answer& one : default_answers_) {
    default_choices_.push_back({find_config(one.settings, problem_.count), one.match});
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
    auto classes =
        runtime::find_size_classes([&](std::int64_t count) { return ask(count); }, tuned);
    // By the launched count alone, whatever count the Reducer is made for.
    if (const auto other = family_->first_of_other_kernels(problem_)) {
      runtime::begin_class_at(classes, *other);
    }
    return classes;
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

bool ReducerCore::have_same_kernels(std::int64_t one, std::int64_t other) const {
  const auto first = family_->first_of_other_kernels(problem_);
  return !first || (one >= *first) == (other >= *first);
}

std::vector<ReducerCore::Needed> ReducerCore::configs_to_load() const {
  std::vector<Needed> all;
  const auto want = [&](const Settings& settings, std::int64_t count) {
    const bool is_known = std::ranges::any_of(all, [&](const Needed& one) {
      return one.settings == settings && have_same_kernels(one.count, count);
    });
    if (!is_known && find_config(settings, count) == nullptr) all.push_back({settings, count});
  };
  for (const auto& one : classes_) {
    if (one.answer.match <= lookup_.minimum) want(one.answer.settings, one.first);
  }
  for (const auto* answers : {&shape_answers_, &default_answers_}) {
    for (const Answer& one : *answers) want(one.settings, problem_.count);
  }
  return all;
}

void ReducerCore::load_all() {
  for (auto missing = configs_to_load(); !missing.empty(); missing = configs_to_load()) {
    load(missing);
  }
}

/// A stored config that the compiler refuses is as good as none; the default it must take.
void ReducerCore::load(const std::vector<Needed>& choices) {
  std::vector<runtime::ConfigChoice> wanted;
  for (const auto& [settings, count] : choices) {
    wanted.push_back({family_, problem_with_count(problem_, count), settings, device_->limits()});
  }
  auto results = runtime::load_configs(*selection_.platform, *device_, std::move(wanted));
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (auto* config = std::get_if<runtime::LoadedConfig>(&results[i])) {
      configs_.push_back(std::make_unique<const runtime::LoadedConfig>(std::move(*config)));
      continue;
    }
    const auto& failure = std::get<device::CompileFailure>(results[i]);
    const bool is_default = std::ranges::any_of(classes_, [&](const auto& one) {
      return one.answer.match == Match::fallback && needs(one, choices[i]);
    });
    if (is_default) runtime::throw_failure(problem_, failure);
    use_default_for(choices[i], failure);
  }
}

bool ReducerCore::needs(const runtime::SizeClass& one, const Needed& config) const {
  return one.answer.settings == config.settings && have_same_kernels(one.first, config.count);
}

void ReducerCore::use_default_for(const Needed& refused, const device::CompileFailure& failure) {
  for (auto* answers : {&shape_answers_, &default_answers_}) {
    std::erase_if(*answers, [&](const Answer& one) { return one.settings == refused.settings; });
  }
  for (auto& one : classes_) {
    if (!needs(one, refused)) continue;
    one.answer = runtime::without_refused(
        one.answer, family_->default_settings(one.answer.problem, device_->limits()), failure);
    one.tuned_count.reset();
  }
}

const runtime::LoadedConfig* ReducerCore::find_config(const Settings& settings,
                                                      std::int64_t count) const {
  const auto found = std::ranges::find_if(configs_, [&](const auto& config) {
    const runtime::ConfigChoice& choice = config->choice();
    return choice.settings == settings && have_same_kernels(choice.problem.count, count);
  });
  return found == configs_.end() ? nullptr : found->get();
}

}  // namespace redtune::detail
