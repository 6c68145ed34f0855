// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/session/journal.hpp"

#include "redtune/error.hpp"
#include "tuner/measure/peak.hpp"
#include "tuner/report/probe_report.hpp"

namespace redtune::tuner {
namespace {

cache::Trial stored(const Trial& trial) {
  const Outcome& outcome = trial.evaluation.outcome;
  cache::Trial row;
  row.sequence = static_cast<std::int64_t>(trial.sequence);
  row.settings = trial.settings;
  row.phase = "search";
  row.status = status_of(outcome);
  row.detail = detail_of(outcome);
  row.compile_ms = trial.evaluation.compile_ms;
  row.wall_ms = trial.evaluation.wall_ms;
  if (const auto* measured = std::get_if<Measured>(&outcome)) {
    row.time_us = measured->time_us;
    row.samples = measured->samples;
  } else if (const auto cost = cost_of(outcome)) {
    row.time_us = Interval{*cost, *cost, *cost};
  }
  return row;
}

/// The outcome a stored trial stands for. Failures are tried again: nothing says they repeat.
std::optional<Outcome> outcome_of(const cache::Trial& row) {
  if (row.status == "ok" && row.time_us) return Measured{*row.time_us, row.samples};
  if (row.status == "slow" && row.time_us) return Slow{row.time_us->median};
  return std::nullopt;
}

}  // namespace

Journal::Journal(cache::Store& store, const cache::RunStart& start, RunLog& log)
    : store_(store), log_(log) {
  attempt([&] { run_ = store_.begin(start); });
  log_.write("start", {{"run", static_cast<std::int64_t>(run_)},
                       {"family", start.family},
                       {"problem", json_of(start.problem)},
                       {"device", json_of(start.device)},
                       {"strategy", start.strategy},
                       {"seed", start.seed},
                       {"budget", start.budget},
                       {"version", start.program_version}});
}

/// After the first failure the store is left alone: rows with a gap would mislead.
template <class Action>
void Journal::attempt(Action&& action) {
  if (!problem_.empty()) return;
  try {
    action();
  } catch (const IoError& error) {
    problem_ = error.what();
  }
}

void Journal::record(const Probe& probe) {
  log_.write("probe", json_of(probe));
  attempt([&] { store_.record(run_, peaks_of(probe)); });
}

void Journal::record(const Trial& trial) {
  log_.write(trial);
  attempt([&] { store_.record(run_, stored(trial)); });
}

void Journal::publish(const TuneResult& result, const Problem& problem) {
  log_.write(result);
  const Decision& decision = result.decision;
  const double bytes =
      static_cast<double>(problem.count) * static_cast<double>(size_of(problem.in));
  cache::Best best;
  best.settings = result.winner();
  best.time_us = decision.times_us[decision.winner];
  best.default_us = decision.times_us[0].median;
  if (decision.significant) best.gain = decision.gain;
  best.gigabytes_per_second = bytes / best.time_us.median / 1e3;
  best.reason = decision.significant ? "winner" : "no significant gain";
  attempt([&] { store_.publish(run_, best); });
  attempt([&] {
    store_.finish(run_, result.interrupted ? cache::RunState::interrupted : cache::RunState::done,
                  best.reason);
  });
}

void Journal::fail(const std::string& why) {
  log_.write("failed", {{"why", why}});
  attempt([&] { store_.finish(run_, cache::RunState::failed, why); });
}

std::map<search::Point, Outcome> known_outcomes(const cache::Store& store,
                                                const cache::RunStart& start,
                                                const kernels::Family& family) {
  std::map<search::Point, Outcome> known;
  for (const cache::Trial& row : store.known_trials(cache::question_of(start), start.seed)) {
    const auto outcome = outcome_of(row);
    if (outcome) known.emplace(family.point_of(row.settings), *outcome);
  }
  return known;
}

}  // namespace redtune::tuner
