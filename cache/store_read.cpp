// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The reading half of Store: rows back into plain data.
#include <charconv>
#include <fmt/format.h>

#include "cache/fields_text.hpp"
#include "cache/key.hpp"
#include "cache/process_mark.hpp"
#include "cache/store.hpp"
#include "cache/store_impl.hpp"

namespace redtune::cache {
namespace {

/// A process that cannot be seen from here counts as gone after this time without a trial.
constexpr double silent_hours = 1;

constexpr std::string_view run_columns = R"sql(
SELECT run.id, run.family, run.space, problem.fields, device_class.fields, toolchain.fields,
       run.device_name, run.device_address, run.strategy, run.seed, run.budget,
       run.program_version, run.command_line, run.state, run.note, run.started_at,
       run.heartbeat_at, ifnull(run.finished_at, ''), run.host, run.boot, run.pid_namespace,
       run.pid, run.process_start, (julianday('now') - julianday(run.heartbeat_at)) * 24,
       (SELECT count(*) FROM trial WHERE trial.run = run.id)
FROM run
JOIN problem ON problem.key = run.problem
JOIN device_class ON device_class.key = run.device_class
JOIN toolchain ON toolchain.key = run.toolchain
)sql";

constexpr std::string_view trial_columns = R"sql(
SELECT trial.sequence, config.fields, trial.phase, trial.status, trial.low_us, trial.median_us,
       trial.high_us, trial.samples, trial.detail, trial.compile_ms, trial.wall_ms
FROM trial JOIN config ON config.key = trial.config
)sql";

constexpr std::string_view best_columns = R"sql(
SELECT generation, run, at, family, space, problem, device_class, toolchain, device_name, settings,
       low_us, median_us, high_us, default_us, gain_low, gain_median, gain_high,
       gigabytes_per_second, reason
FROM best_now
)sql";

template <class Thing>
using FromFields = std::optional<Thing> (*)(const Fields&);

/// A thing from the JSON text of its fields.
template <class Thing>
std::optional<Thing> parse(const std::string& json, FromFields<Thing> from_fields) {
  const auto fields = fields_from_json_text(json);
  return fields ? from_fields(*fields) : std::nullopt;
}

RunState state_from(const std::string& name) {
  for (const RunState state : {RunState::running, RunState::done, RunState::failed}) {
    if (to_string(state) == name) return state;
  }
  return RunState::interrupted;
}

std::uint64_t seed_from(const std::string& text) {
  std::uint64_t seed = 0;
  std::from_chars(text.data(), text.data() + text.size(), seed);
  return seed;
}

/// The state to show: a run whose process is gone does not run any more, whatever it wrote.
RunState shown_state(const Statement& row) {
  const RunState written = state_from(row.text(13));
  if (written != RunState::running) return written;
  const ProcessMark mark{row.text(18), row.text(19), row.text(20), row.integer(21), row.text(22)};
  const Liveness seen = liveness(mark);
  const bool gone =
      seen == Liveness::gone || (seen == Liveness::unknown && row.number(23) > silent_hours);
  return gone ? RunState::interrupted : RunState::running;
}

/// Nothing for a row with names that only another version of redtune knows.
std::optional<RunSummary> run_from(const Statement& row) {
  const auto problem = parse<Problem>(row.text(3), problem_from);
  const auto device_class = parse<DeviceClass>(row.text(4), device_class_from);
  const auto toolchain = parse<Toolchain>(row.text(5), toolchain_from);
  if (!problem || !device_class || !toolchain) return std::nullopt;
  return RunSummary{.id = RunId{row.integer(0)},
                    .start = {.family = row.text(1),
                              .space_key = row.text(2),
                              .problem = *problem,
                              .device = {.device_class = *device_class,
                                         .toolchain = *toolchain,
                                         .name = row.text(6),
                                         .address = row.text(7)},
                              .strategy = row.text(8),
                              .seed = seed_from(row.text(9)),
                              .budget = row.text(10),
                              .program_version = row.text(11),
                              .command_line = row.text(12)},
                    .state = shown_state(row),
                    .started_at = row.text(15),
                    .heartbeat_at = row.text(16),
                    .finished_at = row.text(17),
                    .note = row.text(14),
                    .trial_count = row.integer(24)};
}

Trial trial_from(const Statement& row) {
  Trial trial{.sequence = row.integer(0),
              .settings = fields_from_json_text(row.text(1)).value_or(Settings{}),
              .phase = row.text(2),
              .status = row.text(3),
              .samples = static_cast<int>(row.integer(7)),
              .detail = row.text(8),
              .compile_ms = row.number(9),
              .wall_ms = row.number(10)};
  if (!row.is_null(4) && !row.is_null(5) && !row.is_null(6)) {
    trial.time_us = Interval{row.number(4), row.number(5), row.number(6)};
  }
  return trial;
}

std::vector<Trial> read_trials(Statement rows) {
  std::vector<Trial> trials;
  while (rows.step()) trials.push_back(trial_from(rows));
  return trials;
}

/// Nothing for a row with names that only another version of redtune knows.
std::optional<StoredBest> best_from(const Statement& row) {
  const auto problem = parse<Problem>(row.text(5), problem_from);
  const auto device_class = parse<DeviceClass>(row.text(6), device_class_from);
  const auto toolchain = parse<Toolchain>(row.text(7), toolchain_from);
  const auto settings = fields_from_json_text(row.text(9));
  if (!problem || !device_class || !toolchain || !settings) return std::nullopt;
  return StoredBest{.generation = row.integer(0),
                    .run = RunId{row.integer(1)},
                    .question = {.family = row.text(3),
                                 .space_key = row.text(4),
                                 .problem = *problem,
                                 .device_class = *device_class,
                                 .toolchain = *toolchain},
                    .device_name = row.text(8),
                    .at = row.text(2),
                    .best = {.settings = *settings,
                             .time_us = {row.number(10), row.number(11), row.number(12)},
                             .default_us = row.number(13),
                             .gain = {row.number(14), row.number(15), row.number(16)},
                             .gigabytes_per_second = row.number(17),
                             .reason = row.text(18)}};
}

std::optional<ReadPeaks> peaks_from(Statement& row) {
  if (!row.step()) return std::nullopt;
  return ReadPeaks{row.number(0), row.number(1)};
}

/// Binds the five key columns of a question, in the order of the index run_question.
void bind_question(Statement& statement, const Question& question) {
  statement.bind(question.family, question.space_key, key_of(question.problem).hash,
                 key_of(question.device_class).hash, key_of(question.toolchain).hash);
}

}  // namespace

std::optional<StoredBest> Store::best(const Question& question) const {
  Statement row = impl_->database.prepare(
      fmt::format("{} WHERE family = ? AND space = ? AND problem_key = ? AND device_class_key = ?"
                  " AND toolchain_key = ?",
                  best_columns));
  bind_question(row, question);
  return row.step() ? best_from(row) : std::nullopt;
}

Snapshot Store::bests() const {
  Snapshot snapshot{.generation = impl_->database.integer("SELECT max(generation) FROM best")};
  Statement row = impl_->database.prepare(fmt::format("{} ORDER BY generation", best_columns));
  while (row.step()) {
    if (auto entry = best_from(row)) {
      snapshot.entries.push_back(std::move(*entry));
    } else {
      ++snapshot.skipped;
    }
  }
  return snapshot;
}

std::vector<RunSummary> Store::runs() const {
  std::vector<RunSummary> summaries;
  Statement row = impl_->database.prepare(fmt::format("{} ORDER BY run.id DESC", run_columns));
  while (row.step()) {
    if (auto summary = run_from(row)) summaries.push_back(std::move(*summary));
  }
  return summaries;
}

std::optional<RunSummary> Store::run(RunId id) const {
  Statement row = impl_->database.prepare(fmt::format("{} WHERE run.id = ?", run_columns));
  row.bind(static_cast<std::int64_t>(id));
  return row.step() ? run_from(row) : std::nullopt;
}

std::optional<ReadPeaks> Store::peaks(RunId run) const {
  Statement row = impl_->database.prepare("SELECT memory_gbps, cache_gbps FROM peak WHERE run = ?");
  row.bind(static_cast<std::int64_t>(run));
  return peaks_from(row);
}

std::optional<ReadPeaks> Store::newest_peaks(const DeviceClass& device_class) const {
  Statement row = impl_->database.prepare(
      "SELECT memory_gbps, cache_gbps FROM peak JOIN run ON run.id = peak.run"
      " WHERE run.device_class = ? ORDER BY run.id DESC LIMIT 1");
  row.bind(key_of(device_class).hash);
  return peaks_from(row);
}

std::vector<Trial> Store::trials(RunId run) const {
  Statement rows = impl_->database.prepare(
      fmt::format("{} WHERE trial.run = ? ORDER BY trial.id", trial_columns));
  rows.bind(static_cast<std::int64_t>(run));
  return read_trials(std::move(rows));
}

std::vector<Trial> Store::known_trials(const Question& question,
                                       std::optional<std::uint64_t> seed) const {
  // Whether a run ended early is more than its state tells, so the runs are chosen here.
  Statement row = impl_->database.prepare(
      fmt::format("{} WHERE run.family = ? AND run.space = ? AND run.problem = ?"
                  " AND run.device_class = ? AND run.toolchain = ? AND run.state <> 'done'",
                  run_columns));
  bind_question(row, question);
  std::string ids = "[";
  while (row.step()) {
    const RunState state = shown_state(row);
    if (state != RunState::interrupted && state != RunState::failed) continue;
    if (seed && seed_from(row.text(9)) != *seed) continue;
    ids += fmt::format("{}{}", ids.size() > 1 ? "," : "", row.integer(0));
  }
  ids += "]";
  Statement rows = impl_->database.prepare(fmt::format(
      "{} WHERE trial.id IN (SELECT max(id) FROM trial WHERE phase = 'search' AND run IN"
      " (SELECT value FROM json_each(?)) GROUP BY config) ORDER BY trial.id",
      trial_columns));
  rows.bind(ids);
  return read_trials(std::move(rows));
}

}  // namespace redtune::cache
