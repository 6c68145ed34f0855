// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The part of Tuner that tries a result of elsewhere on this device before it may answer here.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "cache/files/paths.hpp"
#include "device/compiler.hpp"
#include "redtune/error.hpp"
#include "tuner/measure/statistics.hpp"
#include "tuner/session/bench_evaluator.hpp"
#include "tuner/session/restriction.hpp"
#include "tuner/text/printable.hpp"
#include "tuner/tuner.hpp"

namespace redtune::tuner {
namespace {

constexpr FinalLimits proof_rounds{.least_rounds = 12,
                                   .most_rounds = 24,
                                   .most_time = Seconds(2),
                                   .stop = nullptr,
                                   .most_time_once_stopped = Seconds(0)};

/// Of one's times / the other's, in all rounds that both were in.
Interval ratio_over(const Rounds& rounds, std::size_t one, std::size_t other) {
  std::vector<double> ratios;
  for (const std::vector<double>& times : rounds) {
    const double ratio = times[one] / times[other];
    if (!std::isnan(ratio)) ratios.push_back(ratio);
  }
  return median_interval(ratios);
}

std::string slower_text(const Interval& ratio, const std::string& than) {
  const auto percent = [](double value) { return 100 * (value - 1); };
  return fmt::format("{:.1f} % slower here than {} (95 %: {:.1f} to {:.1f} %)",
                     percent(ratio.median), than, percent(ratio.low), percent(ratio.high));
}

Proof failed(const Outcome& outcome) {
  return {Proof::Verdict::fails, fmt::format("{} here: {}", status_of(outcome),
                                             printable(device::first_line(detail_of(outcome))))};
}

/// Those that are timed side by side, the default first, each config once.
class SideBySide {
 public:
  SideBySide(search::Point usual, search::Point arriving, std::optional<search::Point> present)
      : usual_(std::move(usual)), arriving_(std::move(arriving)), present_(std::move(present)) {
    if (present_ == usual_ || present_ == arriving_) present_.reset();
  }

  [[nodiscard]] std::vector<search::Point> points() const {
    std::vector<search::Point> all{usual_};
    if (arriving_ != usual_) all.push_back(arriving_);
    if (present_) all.push_back(*present_);
    return all;
  }
  [[nodiscard]] const search::Point& arriving() const { return arriving_; }
  /// Nobody is there to be slower than.
  [[nodiscard]] bool is_alone() const { return points().size() == 1; }

  /// One of them cannot be timed: what that means for who arrives, unless the others go on.
  [[nodiscard]] std::optional<Proof> without(const search::Point& point, const Outcome& outcome) {
    if (point == usual_) {
      throw DeviceUnhealthy(fmt::format("the default configuration fails here: {}: {}",
                                        status_of(outcome),
                                        device::first_line(detail_of(outcome))));
    }
    if (point == arriving_) return failed(outcome);
    present_.reset();
    return std::nullopt;
  }

  [[nodiscard]] Proof judge(const Rounds& rounds, const std::string& present_at) const {
    const std::size_t at = arriving_ == usual_ ? 0 : 1;
    if (present_) {
      const Interval ratio = ratio_over(rounds, at, at + 1);
      if (is_behind(ratio)) {
        return {Proof::Verdict::slower,
                slower_text(ratio, fmt::format("the answer of {}", present_at))};
      }
    }
    const Interval ratio = ratio_over(rounds, at, 0);
    if (at > 0 && is_behind(ratio)) {
      return {Proof::Verdict::slower, slower_text(ratio, "the default")};
    }
    return {};
  }

 private:
  search::Point usual_;
  search::Point arriving_;
  std::optional<search::Point> present_;
};

/// Verifies each, times them against each other.
Proof prove_by(BenchEvaluator& evaluator, SideBySide& all, const FinalLimits& limits,
               const std::string& present_at) {
  const std::vector<search::Point> points = all.points();
  const auto evaluations = evaluator.evaluate(points);
  for (std::size_t i = 0; i < evaluations.size(); ++i) {
    const Outcome& outcome = evaluations[i].outcome;
    if (cost_of(outcome)) continue;
    if (const auto proof = all.without(points[i], outcome)) return *proof;
  }
  while (true) {
    if (const auto update = evaluator.challenge(all.arriving())) {
      if (const auto proof = all.without(update->point, update->outcome)) return *proof;
      continue;
    }
    const auto found = evaluator.confirm(all.points(), limits);
    if (const auto* rounds = std::get_if<Rounds>(&found)) return all.judge(*rounds, present_at);
    const auto& update = std::get<Update>(found);
    if (const auto proof = all.without(update.point, update.outcome)) return *proof;
  }
}

}  // namespace

Proof Tuner::prove(const cache::StoredBest& arriving,
                   const std::optional<cache::StoredBest>& present, const TuneTask& how) {
  if (Stop::asked()) throw Interrupted("interrupted between two proofs");
  TuneTask task = how;
  task.problem = arriving.question.problem;
  task.budget = "brief";
  const Problem& problem = task.problem;
  if (is_users_own(problem.op)) {
    return {Proof::Verdict::unproved, "code of somebody's own is not run for a proof"};
  }
  const kernels::Family& family = kernels::find_family(arriving.question.family);
  const Limits& limits = device().limits;
  if (const std::string why = family.why_invalid(arriving.best.settings, problem, limits);
      !why.empty()) {
    return {Proof::Verdict::fails, fmt::format("it cannot run here: {}", printable(why))};
  }
  const bool can_present =
      present && family.why_invalid(present->best.settings, problem, limits).empty();
  SideBySide all(
      family.point_of(reference_config(family, problem, limits, {})),
      family.point_of(arriving.best.settings),
      can_present ? std::optional(family.point_of(present->best.settings)) : std::nullopt);
  if (all.is_alone()) return {};
  make_ready_alone(task);
  try {
    make_room_for(problem, device().identity);
  } catch (const UsageError& error) {
    return {Proof::Verdict::unproved, error.what()};
  }
  const cache::Binaries binaries(cache::binaries_folder());
  BenchEvaluator evaluator(
      {.family = &family,
       .problem = problem,
       .limits = limits,
       .task = measuring(task, probe_.value_or(Probe{})),
       .compiles_behind = compiles_behind(),
       .search_is_done = [&](std::unique_ptr<Bench> bench) { site_.take_back(std::move(bench)); }},
      compilers_for(problem, binaries),
      [&] { return site_.open(bench_order(family, problem, task.seed)); }, stop_.now());
  FinalLimits rounds = proof_rounds;
  rounds.stop = &Stop::asked();
  Proof proof = prove_by(evaluator, all, rounds, present ? present->at : std::string());
  site_.take_back(evaluator.release_bench());
  if (Stop::asked()) throw Interrupted("interrupted between two proofs");
  require_nobody_else();
  return proof;
}

}  // namespace redtune::tuner
