// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The part of Tuner that finds out where one winner takes over from another.
#include <fmt/format.h>
#include <set>

#include "cache/files/paths.hpp"
#include "cache/keys/key.hpp"
#include "redtune/error.hpp"
#include "tuner/session/bench_evaluator.hpp"
#include "tuner/text/printable.hpp"
#include "tuner/tuner.hpp"

namespace redtune::tuner {
namespace {

/// Enough for an interval of the ratio; more where the two are close.
constexpr FinalLimits few_rounds{.least_rounds = 12,
                                 .most_rounds = 24,
                                 .most_time = Seconds(3),
                                 .stop = nullptr,
                                 .most_time_once_stopped = Seconds(0)};

bool is_for_its_count(const cache::StoredBest& winner, const Limits& limits) {
  return kernels::find_family(winner.question.family)
      .is_for_its_count(winner.best.settings, limits);
}

/// Of two with one winner: nothing to measure, and nothing to keep.
cache::StoredBorder none_between(const cache::StoredBest& below, const cache::StoredBest& above) {
  const std::int64_t first = above.question.problem.count;
  const std::string config = cache::key_of(above.best.settings).hash;
  return {below.question,
          {.above = first,
           .below_config = config,
           .above_config = config,
           .first = first,
           .still_below = below.question.problem.count,
           .first_above = first}};
}

bool can_run(const cache::StoredBest& winner, const Problem& problem, const Limits& limits) {
  const kernels::Family& family = kernels::find_family(winner.question.family);
  return family.why_invalid(winner.best.settings, problem, limits).empty();
}

}  // namespace

BordersToMeasure Tuner::borders_to_measure(std::span<const TuneTask> tasks) const {
  std::set<cache::Question> asked;
  for (const TuneTask& task : tasks) asked.insert(cache::question_of(start_of(task)));
  BordersToMeasure found = tuner::borders_to_measure(
      store_.store.results(),
      [&](const cache::Question& question) { return asked.contains(question); },
      [&](const cache::StoredBest& one) { return is_for_its_count(one, device().limits); },
      [&](const cache::StoredBest& one) {
        if (asked.contains(one.question)) return true;  // that it is finished is the run's own work
        TuneTask task = tasks.front();
        task.problem = one.question.problem;
        return known(task).has_value();
      });
  const auto runs_here = [&](const cache::StoredBest& one) {
    return can_run(one, one.question.problem, device().limits);
  };
  std::erase_if(found.missing, [&](const Contestants& two) {
    return !runs_here(two.below) || !runs_here(two.above);
  });
  return found;
}

void Tuner::require_nobody_else() {
  const std::string others = site_.others();
  if (others.empty()) return;
  throw Busy(fmt::format("other processes use {}: {}", printable(device().identity.name),
                         printable(others)));
}

void Tuner::make_ready_alone(const TuneTask& task) {
  take_lease(task);
  stop_.begin_problem();
  site_.make_ready();
  require_nobody_else();
}

/// Whoever cannot run there, or gives a wrong result, is the slower one.
Faster Tuner::faster_at(const Contestants& two, const TuneTask& task) {
  if (Stop::asked()) throw Interrupted("interrupted between tuned counts");
  const Problem& problem = task.problem;
  const kernels::Family& family = kernels::family_of(problem);
  const bool below_runs = can_run(two.below, problem, device().limits);
  const bool above_runs = can_run(two.above, problem, device().limits);
  if (!below_runs) return above_runs ? Faster::above : Faster::either;
  if (!above_runs) return Faster::below;
  const cache::Binaries binaries(cache::binaries_folder());
  BenchEvaluator evaluator(
      {.family = &family,
       .problem = problem,
       .limits = device().limits,
       .task = measuring(task, probe_.value_or(Probe{})),
       .compiles_behind = compiles_behind()},
      compilers_for(problem, binaries),
      [&] { return site_.open(bench_order(family, problem, task.seed)); }, stop_.now());
  const std::vector<search::Point> points{family.point_of(two.below.best.settings),
                                          family.point_of(two.above.best.settings)};
  evaluator.prepare(points);
  FinalLimits limits = few_rounds;
  limits.stop = &Stop::asked();
  const auto found = evaluator.confirm(points, limits);
  site_.take_back(evaluator.release_bench());
  if (Stop::asked()) throw Interrupted("interrupted between tuned counts");
  require_nobody_else();
  if (const auto* failed = std::get_if<Update>(&found)) {
    return failed->point == points.front() ? Faster::above : Faster::below;
  }
  return faster_in(std::get<Rounds>(found));
}

/// Nothing where it was disturbed, and is not kept.
std::optional<cache::StoredBest> Tuner::tune_between(const Contestants& two, const TuneTask& how) {
  TuneTask task = how;
  task.problem = two.above.question.problem;
  task.problem.count = *two.between;
  if (auto best = known(task)) return best;
  const Tuned tuned = tune(task);
  if (tuned.result.interrupted) throw Interrupted("interrupted between tuned counts");
  // What could be kept until now: where nothing can, a run says so once.
  if (store_.problem.empty() && !tuned.why_not_kept.empty()) {
    throw IoError("results cannot be stored any more: " + tuned.why_not_kept);
  }
  return stored_answer(start_of(task));
}

cache::StoredBorder Tuner::measure_border(const Contestants& two, const TuneTask& how) {
  make_ready_alone(how);
  if (two.between) {
    if (const auto middle = tune_between(two, how)) {
      if (two.below.best.settings != middle->best.settings) {
        (void)measure_border({two.below, *middle}, how);
      }
      if (middle->best.settings != two.above.best.settings) {
        return measure_border({*middle, two.above}, how);
      }
      return none_between(*middle, two.above);
    }
  }
  TuneTask task = how;
  task.problem = two.above.question.problem;
  task.is_recorded = false;
  make_room_for(task.problem, device().identity);
  if (task.problem.op == Op::custom) {
    site_.check_operator({two.above.question.family, task.problem, task.seed, {}});
  }
  const cache::Question& below = two.below.question;
  const KnownOfTwo known{
      .before_jump = kernels::find_family(below.family)
                         .last_before_jump(two.below.best.settings, below.problem, device().limits),
      .is_above_for_its_count = is_for_its_count(two.above, device().limits)};
  cache::Border border =
      find_border(below.problem.count, task.problem.count, known, [&](auto count) {
        task.problem.count = count;
        return faster_at(two, task);
      });
  border.below_config = cache::key_of(two.below.best.settings).hash;
  border.above_config = cache::key_of(two.above.best.settings).hash;
  store_.store.publish(below, border);
  return {below, std::move(border)};
}

}  // namespace redtune::tuner
