// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/session/final_phase.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <optional>

#include "redtune/error.hpp"
#include "tuner/compile/interrupted.hpp"
#include "tuner/measure/finalists.hpp"
#include "tuner/measure/inert.hpp"
#include "tuner/measure/statistics.hpp"
#include "tuner/measure/untrustworthy.hpp"

namespace redtune::tuner {
namespace {

/// The final of a run that is interrupted.
constexpr Seconds brief_final{10};
constexpr std::size_t rounds_of_brief_final = 12;
/// Of a budget that is brief.
constexpr std::size_t rounds_of_brief_budget = 18;
constexpr std::size_t best_of_brief_budget = 5;
/// Of equals most finals have half a percent by then; the others would take three times as long.
constexpr Seconds time_of_brief_budget{0.4};

/// What is still asked of the device at the end is not worth the result: why it failed, empty when
/// it did not. A person who wants an end is heard all the same.
template <class Action>
std::string failure_of(const Action& action) {
  try {
    action();
    return {};
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace

FinalPhase::FinalPhase(const TuneRequest& request, Evaluator& evaluator,
                       const TuneObserver& observer, SearchPhase& search)
    : request_(request), evaluator_(evaluator), observer_(observer), search_(search) {}

TuneResult FinalPhase::run() {
  search_.require_valid_default();
  require_reaction();
  while (true) {
    const auto chosen = challenged_finalists();
    observer_.on_final(chosen.size());
    const auto found = evaluator_.confirm(chosen, limits());
    const auto* update = std::get_if<Update>(&found);
    if (update == nullptr) return conclude(chosen, std::get<Rounds>(found));
    search_.disqualify(*update);
    search_.require_valid_default();
  }
}

/// The measured points that may win, the default before all.
std::vector<search::Point> FinalPhase::finalists() const {
  std::vector<search::Point> points;
  std::vector<TimedCandidate> timed;
  FinalistRules rules;
  if (request_.budget.is_brief) rules.best = best_of_brief_budget;
  if (const Calibration* found = evaluator_.calibration()) rules.noise_floor = found->noise_floor;
  const auto standing = request_.standing
                            ? std::optional(request_.family->point_of(*request_.standing))
                            : std::nullopt;
  for (const auto& [point, time] : search_.times()) {
    const CandidateId id{points.size()};
    points.push_back(point);
    timed.push_back({id, time});
    if (point == search_.default_point()) rules.default_candidate = id;
    if (point == standing) rules.standing = id;
  }
  std::vector<search::Point> chosen;
  for (const CandidateId id : choose_finalists(timed, rules)) {
    chosen.push_back(points[static_cast<std::size_t>(id)]);
  }
  return chosen;
}

/// Finalists that are right on inputs made to find mistakes as well. Who is not is out, and
/// others move up, also some that were given up against it.
std::vector<search::Point> FinalPhase::challenged_finalists() {
  while (true) {
    search_.race_again();
    const auto chosen = finalists();
    const auto fresh =
        std::ranges::find_if(chosen, [&](const auto& point) { return !passed_.contains(point); });
    if (fresh == chosen.end()) return chosen;
    evaluator_.prepare_final(chosen);
    if (const auto found = evaluator_.challenge(*fresh)) {
      search_.disqualify(*found);
      search_.require_valid_default();
    } else {
      passed_.insert(*fresh);
    }
  }
}

void FinalPhase::require_reaction() const {
  std::vector<double> times;
  for (const auto& [point, time] : search_.times()) times.push_back(time.median);
  const std::string why = why_inert(times);
  if (!why.empty()) throw UntrustworthySession(why);
}

FinalLimits FinalPhase::limits() const {
  FinalLimits limits{.stop = request_.stop};
  if (request_.budget.is_brief) {
    limits.least_rounds = rounds_of_brief_budget;
    limits.time_for_narrow = Seconds(0);
    limits.time_for_wide = time_of_brief_budget;
  }
  if (stopped()) {
    limits = {.least_rounds = 2, .most_rounds = rounds_of_brief_final, .most_time = brief_final};
  }
  return limits;
}

TuneResult FinalPhase::conclude(const std::vector<search::Point>& chosen,
                                const Rounds& rounds) const {
  TuneResult result;
  std::vector<FinalistTraits> traits;
  for (const search::Point& point : chosen) {
    result.finalists.push_back(request_.family->settings_at(point));
    traits.push_back(evaluator_.traits(point));
    traits.back().is_standing = request_.standing == result.finalists.back();
    traits.back().rank = search_.space().rank(point).value_or(search_.space().size());
  }
  time_displaced(chosen, rounds, traits);
  result.rounds = rounds.size();
  result.decision = decide(rounds, traits);
  result.was_standing = traits[result.decision.winner].is_standing;
  result.interrupted = stopped();
  if (const Calibration* found = evaluator_.calibration()) result.calibration = *found;
  ask_after_final(chosen[result.decision.winner], result);
  result.had_standing = request_.standing.has_value();
  // A run that goes on later has not told anything where its default may be far from the best, has
  // met nobody, or not the stored answer. A default that is kept for another reason was told apart.
  const bool is_open = result.decision.open_gain > least_gain || search_.trials() <= 1 ||
                       (result.had_standing && !result.was_standing);
  const bool is_told = result.decision.significant || result.decision.passed_over.has_value();
  result.is_undecided = result.interrupted && !is_told && is_open;
  return result;
}

void FinalPhase::time_displaced(const std::vector<search::Point>& chosen, const Rounds& rounds,
                                std::vector<FinalistTraits>& traits) const {
  if (stopped() || !request_.family->is_timed_displaced(request_.problem)) return;
  const std::vector<std::size_t> near = near_the_winner(rounds, decide(rounds, traits));
  if (near.size() < 2) return;
  std::vector<search::Point> points;
  for (const std::size_t i : near) points.push_back(chosen[i]);
  // Where they cannot be timed so, the final's rounds say enough: all were right when they were
  // checked. Who wants everything to stop now gets that here as elsewhere.
  (void)failure_of([&] {
    const Rounds displaced = evaluator_.displaced(points);
    if (displaced.empty()) return;
    for (std::size_t n = 0; n < near.size(); ++n) {
      traits[near[n]].displaced_us = median(times_in(displaced, n));
    }
  });
}

void FinalPhase::ask_after_final(const search::Point& winner, TuneResult& result) const {
  // Who cannot be asked about may have been there.
  const std::string why = failure_of([&] { result.disturbance = evaluator_.disturbance(); });
  if (!why.empty()) result.disturbance = fmt::format("which ones is not known ({})", why);
  const std::string unknown = failure_of([&] { result.figures = evaluator_.figures(winner); });
  if (!unknown.empty()) result.figures = {.unknown = unknown};
  (void)failure_of([&] { result.readings = evaluator_.readings(); });
}

}  // namespace redtune::tuner
