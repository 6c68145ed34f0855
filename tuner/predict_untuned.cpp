// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The part of Tuner that says what is likely the fastest where nothing was tuned.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tuner/session/predict.hpp"
#include "tuner/tuner.hpp"
#include "tuner/workload/standard_set.hpp"
#include "vocabulary/described.hpp"

namespace redtune::tuner {
namespace {

/// Configs that failed on the device, or do not compile, whatever the problem.
std::set<Settings> excluded_on(const cache::Store& store, const DeviceClass& device_class) {
  std::set<Settings> excluded;
  for (const cache::StoredExclusion& one : store.exclusions()) {
    if (!one.device_class || *one.device_class == device_class) excluded.insert(one.settings);
  }
  return excluded;
}

/// Every operator on every type, as they are asked for when nothing more is said.
void add_usual_kinds(std::vector<Problem>& kinds) {
  for (const OpInfo& op : all_ops()) {
    for (const DTypeInfo& type : all_dtypes()) {
      if (why_not_taken(op.op, type.dtype).empty()) {
        kinds.push_back(make_problem(op.op, type.dtype, 1));
      }
    }
  }
}

/// Others answer nothing. Of kernels of users those that the run does not name are not known.
bool may_run(const cache::StoredBest& result, const Limits& limits) {
  const Problem& problem = result.question.problem;
  if (problem.op == Op::kernel) return true;
  const auto families = kernels::all_families();
  const auto family = std::ranges::find_if(
      families, [&](const kernels::Family* one) { return one->name() == result.question.family; });
  return family != families.end() &&
         (*family)->why_invalid(result.best.settings, problem, limits).empty();
}

std::vector<Problem> tuned_on(const cache::Store& store, const DeviceClass& device_class,
                              const Limits& limits) {
  std::vector<Problem> tuned;
  for (const cache::StoredBest& result : store.results().entries) {
    const bool is_here = result.question.device_class == device_class && may_run(result, limits);
    if (is_here) tuned.push_back(result.question.problem);
  }
  return tuned;
}

}  // namespace

bool Tuner::has_predictions() const {
  return store_.store.has_predictions(device().identity.device_class);
}

std::size_t Tuner::predict(std::span<const TuneTask> tasks) {
  cache::Store& store = store_.store;
  const DeviceClass& device_class = device().identity.device_class;
  const std::vector<Problem> tuned = tuned_on(store, device_class, device().limits);
  std::vector<Problem> kinds;
  for (const TuneTask& task : tasks) kinds.push_back(task.problem);
  const bool are_kernels =
      std::ranges::all_of(kinds, [](const Problem& problem) { return problem.op == Op::kernel; });
  if (!are_kernels) {  // whose trials say nothing of reductions
    for (const WorkloadItem& item : standard_set(device_class).items) kinds.push_back(item.problem);
    if (tells_of_all_kinds(tuned)) add_usual_kinds(kinds);
  }
  const auto problems = problems_to_predict(
      kinds, tuned, {.memory_bytes = device_class.memory_bytes, .limits = device().limits});
  const std::set<Settings> excluded = excluded_on(store, device_class);
  std::map<std::string, Predictor> by_family;
  const auto predictor_of = [&](const Problem& problem) -> Predictor& {
    TuneTask task;
    task.problem = problem;
    const cache::Question asked = cache::question_of(start_of(task));
    const auto known = by_family.find(asked.family);
    if (known != by_family.end()) return known->second;
    return by_family
        .emplace(asked.family,
                 Predictor(asked, device().limits, told_problems(store, asked), excluded))
        .first->second;
  };
  std::vector<cache::StoredPrediction> predictions;
  for (const Problem& problem : problems) {
    if (Stop::asked()) return 0;
    Predictor& predictor = predictor_of(problem);
    auto one = predictor.predict(problem);
    if (!one) continue;
    auto behind = predictor.predict_behind(*one);
    predictions.push_back(std::move(*one));
    if (behind) predictions.push_back(std::move(*behind));
  }
  // Those of another toolchain stay what they are.
  std::vector<cache::StoredPrediction> before = store.predictions();
  std::erase_if(before, [&](const cache::StoredPrediction& one) {
    return one.question.device_class != device_class ||
           one.question.toolchain != device().identity.toolchain;
  });
  for (const Problem& problem : left_behind(before, predictions)) {
    if (Stop::asked()) return 0;
    if (auto one = predictor_of(problem).predict(problem)) predictions.push_back(std::move(*one));
  }
  return store.publish(predictions);
}

}  // namespace redtune::tuner
