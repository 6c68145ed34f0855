// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The part of Store that reads runs and trials back into plain data.
#include <fmt/format.h>

#include "cache/keys/key.hpp"
#include "cache/store/impl.hpp"
#include "cache/store/open_database.hpp"
#include "cache/store/rows.hpp"

namespace redtune::cache {
namespace {

constexpr std::string_view trial_columns = R"sql(
SELECT trial.sequence, config.fields, trial.phase, trial.status, trial.low_us, trial.median_us,
       trial.high_us, trial.samples, trial.detail, trial.compile_ms, trial.wall_ms,
       trial.attempts, trial.worker, trial.run, trial.config, trial.row_hash, trial.id
FROM trial LEFT JOIN config ON config.key = trial.config
)sql";

/// Nothing for a damaged row. One that an older redtune wrote has no hash.
std::optional<Trial> trial_from(const Statement& row) {
  auto settings = settings_from(row.text(1), row.text(14));
  if (!settings) return std::nullopt;
  Trial trial{.sequence = row.integer(0),
              .settings = std::move(*settings),
              .phase = row.text(2),
              .status = row.text(3),
              .samples = static_cast<int>(row.integer(7)),
              .detail = row.text(8),
              .compile_ms = row.number(9),
              .wall_ms = row.number(10),
              .attempts = static_cast<int>(row.integer(11)),
              .worker = static_cast<int>(row.integer(12))};
  if (!row.is_null(4) && !row.is_null(5) && !row.is_null(6)) {
    trial.time_us = Interval{row.number(4), row.number(5), row.number(6)};
  }
  const bool is_old = row.is_null(15);
  if (!is_old && row.blob(15) != row_hash(RunId{row.integer(13)}, trial, row.text(14)))
    return std::nullopt;
  return trial;
}

template <class DamagedRows>
std::vector<Trial> read_trials(Statement rows, DamagedRows& damaged) {
  std::vector<Trial> trials;
  while (rows.step()) {
    if (auto trial = trial_from(rows)) {
      trials.push_back(std::move(*trial));
    } else {
      damaged.emplace("trial", rows.integer(16));
    }
  }
  return trials;
}

std::optional<ReadPeaks> peaks_from(Statement& row) {
  if (!row.step()) return std::nullopt;
  return ReadPeaks{row.number(0), row.number(1)};
}

std::optional<ReadPeaks> newest_peaks_in(Database& database, const DeviceClass& device_class) {
  Statement row = database.prepare(
      "SELECT memory_gbps, cache_gbps FROM peak JOIN run ON run.id = peak.run"
      " WHERE run.device_class = ? ORDER BY run.id DESC LIMIT 1");
  row.bind(key_of(device_class).hash);
  return peaks_from(row);
}

}  // namespace

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
  row.bind(number(id));
  return row.step() ? run_from(row) : std::nullopt;
}

std::vector<RunTime> Store::run_times(const DeviceClass& device_class) const {
  Statement row = impl_->database.prepare(
      "SELECT problem.fields, problem.key, run.budget,"
      " (julianday(run.finished_at) - julianday(run.started_at)) * 24 * 60 * 60"
      " FROM run JOIN problem ON problem.key = run.problem"
      " WHERE run.device_class = ? AND run.state = 'done' AND run.finished_at IS NOT NULL"
      " AND run.resumed = 0 AND run.origin = '' ORDER BY run.id DESC");
  row.bind(key_of(device_class).hash);
  std::vector<RunTime> times;
  while (row.step()) {
    auto problem = thing_from(row.text(0), row.text(1), problem_from);
    if (problem) times.push_back({std::move(*problem), row.text(2), row.number(3)});
  }
  return times;
}

std::optional<ReadPeaks> Store::peaks(RunId run) const {
  Statement row = impl_->database.prepare("SELECT memory_gbps, cache_gbps FROM peak WHERE run = ?");
  row.bind(number(run));
  return peaks_from(row);
}

std::optional<ReadPeaks> Store::newest_peaks(const DeviceClass& device_class) const {
  return newest_peaks_in(impl_->database, device_class);
}

std::optional<ReadPeaks> newest_peaks(const std::filesystem::path& file,
                                      const DeviceClass& device_class) {
  Database database = look_at_database(file);
  return newest_peaks_in(database, device_class);
}

std::vector<Trial> Store::trials(RunId run) const {
  Statement rows = impl_->database.prepare(
      fmt::format("{} WHERE trial.run = ? ORDER BY trial.id", trial_columns));
  rows.bind(number(run));
  return read_trials(std::move(rows), impl_->damaged_rows);
}

}  // namespace redtune::cache
