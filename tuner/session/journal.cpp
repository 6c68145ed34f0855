// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/session/journal.hpp"

#include <algorithm>

#include "redtune/error.hpp"
#include "tuner/measure/batch_size.hpp"
#include "tuner/measure/peak.hpp"
#include "tuner/measure/protocol.hpp"
#include "tuner/session/added_values.hpp"
#include "tuner/session/session_time.hpp"
#include "tuner/text/measured_json.hpp"

namespace redtune::tuner {
namespace {

cache::Trial stored(const Trial& trial) {
  const Evaluation& evaluation = trial.evaluation;
  const Outcome& outcome = evaluation.outcome;
  cache::Trial row;
  row.sequence = static_cast<std::int64_t>(trial.sequence);
  row.settings = trial.settings;
  row.phase = to_string(trial.phase);
  row.status = status_of(outcome);
  row.detail = detail_of(outcome);
  row.compile_ms = evaluation.compile_ms;
  row.wall_ms = evaluation.wall_ms;
  row.attempts = evaluation.attempts;
  row.worker = evaluation.worker;
  if (const auto* measured = std::get_if<Measured>(&outcome)) {
    row.time_us = measured->time_us;
    row.samples = measured->samples;
  } else if (const auto cost = cost_of(outcome)) {
    row.time_us = Interval{*cost, *cost, *cost};
  }
  return row;
}

/// A config that was at work twice when the machine went down is not tried a third time.
constexpr std::size_t most_downs = 2;

Json rows_of(std::span<const cache::StoredBest> winners) {
  Json rows = Json::array();
  for (const cache::StoredBest& winner : winners) {
    rows.push_back({{"result", winner.generation},
                    {"problem", json_of(winner.question.problem)},
                    {"device", winner.device_name},
                    {"settings", json_of(winner.best.settings)}});
  }
  return rows;
}

Json finalists_of(const TuneResult& result) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < result.finalists.size(); ++i) {
    rows.push_back({{"settings", json_of(result.finalists[i])},
                    {"time_us", json_of(result.decision.times_us[i])}});
  }
  return rows;
}

cache::Best best_of(const TuneResult& result, const Problem& problem) {
  const Decision& decision = result.decision;
  const double bytes = kernels::family_of(problem).bytes_moved(problem);
  cache::Best best;
  best.settings = result.winner();
  best.time_us = decision.times_us[decision.winner];
  best.default_us = decision.times_us[0].median;
  if (decision.significant) best.gain = decision.gain;
  best.gigabytes_per_second = bytes / best.time_us.median / 1e3;
  best.reason = decision.significant   ? "winner"
                : decision.passed_over ? std::string(cache::kept_off_the_alignment)
                                       : "no significant gain";
  best.samples = static_cast<int>(result.rounds / 2);
  best.noise_floor = result.calibration.noise_floor;
  best.protocol = protocol_version;
  best.stream_us = result.figures.stream_us;
  best.batch_us = batch_us_for(result.calibration.resolution_us);
  Json measurement{{"finalists", finalists_of(result)},
                   {"ties", decision.ties},
                   {"fastest", decision.fastest},
                   {"figures", json_of(result.figures)},
                   {"calibration", json_of(result.calibration)}};
  if (!decision.displaced_us.empty()) measurement["displaced_us"] = decision.displaced_us;
  if (decision.passed_over) measurement["passed_over"] = *decision.passed_over;
  Json values = searched_values(kernels::family_of(problem));
  if (!values.is_null()) measurement["values"] = std::move(values);
  if (!result.readings.empty()) measurement["readings"] = Json::parse(result.readings);
  best.measurement = measurement.dump();
  return best;
}

}  // namespace

Journal::Journal(cache::Store& store, const cache::RunStart& start, RunLog& log, Resume resume,
                 std::optional<cache::RunId> finished)
    : store_(store), start_(start), log_(log) {
  attempt([&] { begin(resume, finished); });
  attempt([&] { heed_exclusions(); });
  attempt([&] { heed_intents(); });
}

void Journal::begin(Resume resume, std::optional<cache::RunId> finished) {
  auto ended = resume == Resume::yes ? store_.resumable(start_) : std::nullopt;
  if (!ended) ended = finished;
  is_resumed_ = ended && store_.resume(*ended, start_, cache::Ended::at_all);
  run_ = is_resumed_ ? *ended : store_.begin(start_);
}

void Journal::heed_exclusions() {
  for (const cache::Exclusion& row : store_.exclusions(cache::question_of(start_))) {
    if (auto outcome = outcome_of(row.status, std::nullopt, 0, "excluded: " + row.detail)) {
      excluded_.emplace(row.settings, std::move(*outcome));
    }
  }
}

/// A machine that went down while a config was at work for the first time may have gone down of it.
/// A process that was killed was killed by somebody: its config is innocent.
void Journal::heed_intents() {
  std::map<Settings, std::size_t> downs;
  for (const cache::OpenIntent& open : store_.open_intents(cache::question_of(start_))) {
    const bool counts = open.machine_went_down && open.intent.stage == cache::IntentStage::launch;
    if (counts && ++downs[open.intent.settings] == most_downs) {
      exclude(open.intent.settings, cache::ExclusionScope::device,
              Crashed{"the machine went down twice while it was at work"});
    }
  }
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

void Journal::record_start(std::span<const cache::StoredBest> winners) {
  log_.write("start", {{"run", has_run() ? Json(static_cast<std::int64_t>(run_)) : Json()},
                       {"resumed", is_resumed_},
                       {"family", start_.family},
                       {"problem", json_of(start_.problem)},
                       {"device", json_of(start_.device)},
                       {"strategy", start_.strategy},
                       {"seed", start_.seed},
                       {"budget", start_.budget},
                       {"version", start_.program_version},
                       {"protocol", protocol_version},
                       {"warm_start", rows_of(winners)}});
}

void Journal::record(const Probe& probe) {
  log_.write("probe", json_of(probe));
  attempt([&] {
    if (!store_.peaks(run_)) store_.record(run_, peaks_of(probe));
  });
}

void Journal::record(const Calibration& calibration) {
  log_.write("calibration", json_of(calibration));
}

void Journal::record_guides(std::size_t sources, std::size_t learned_ahead) {
  log_.write("guides", {{"sources", sources}, {"learned_ahead", learned_ahead}});
}

void Journal::record(const Trial& trial) {
  log_.write(trial);
  if (trial.replayed) return;  // its row is there
  attempt([&] { store_.record(run_, stored(trial)); });
}

void Journal::record(const TimeSpent& spent) {
  SessionTime time{.run = run_, .spent = spent};
  attempt([&] {
    if (const auto summary = store_.run(run_)) time.run_started_at = summary->started_at;
  });
  log_.write("time", json_of(time));
}

void Journal::publish(const TuneResult& result, const Problem& problem) {
  log_.write(result);
  // Times that others disturbed are no beginning for another run: this one is done.
  const bool goes_on = result.interrupted && result.disturbance.empty();
  const auto state = goes_on ? cache::RunState::interrupted : cache::RunState::done;
  if (const std::string why = result.why_not_published(); !why.empty()) return close(state, why);
  const cache::Best best = best_of(result, problem);
  attempt([&] { store_.publish_and_finish(run_, best, state, best.reason); });
}

void Journal::fail(const std::string& why, cache::RunState state) {
  log_.write("failed", {{"why", why}});
  close(state, why);
}

void Journal::close(cache::RunState state, const std::string& note) {
  attempt([&] { store_.finish(run_, state, note); });
}

void Journal::intend(std::span<const Settings> all, cache::IntentStage stage) {
  std::vector<cache::Intent> intents;
  for (const Settings& settings : all) intents.push_back({settings, stage});
  attempt([&] { store_.intend(run_, intents); });
}

std::optional<Outcome> Journal::excluded(const Settings& settings) const {
  const auto known = excluded_.find(settings);
  return known == excluded_.end() ? std::nullopt : std::optional(known->second);
}

void Journal::exclude(const Settings& settings, cache::ExclusionScope scope,
                      const Outcome& outcome) {
  const std::string status(status_of(outcome));
  log_.write("excluded", {{"settings", json_of(settings)},
                          {"scope", cache::to_string(scope)},
                          {"status", status},
                          {"detail", detail_of(outcome)}});
  attempt([&] {
    store_.exclude({.question = cache::question_of(start_),
                    .settings = settings,
                    .scope = scope,
                    .status = status,
                    .detail = detail_of(outcome)});
  });
  if (auto later = outcome_of(status, std::nullopt, 0, "excluded: " + detail_of(outcome))) {
    excluded_.emplace(settings, std::move(*later));
  }
}

Known Journal::known(const kernels::Family& family) const {
  Known known;
  if (!is_resumed_) return known;
  for (const cache::Trial& row : store_.trials(run_)) {
    auto outcome = outcome_of(row.status, row.time_us, row.samples, row.detail);
    if (!outcome) continue;
    const bool is_search = row.phase == to_string(TrialPhase::search);
    const auto after = static_cast<std::size_t>(row.sequence) + 1;
    if (is_search) known.next_sequence = std::max(known.next_sequence, after);
    const auto point = kernels::known_point(family, row.settings);
    if (!point) continue;
    (is_search ? known.trials : known.disqualified).insert_or_assign(*point, std::move(*outcome));
    if (is_search) known.tried.push_back(*point);
  }
  return known;
}

}  // namespace redtune::tuner
