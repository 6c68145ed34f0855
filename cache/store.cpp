// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cache/store.hpp"

#include <fmt/format.h>

#include "cache/open_database.hpp"
#include "cache/paths.hpp"
#include "cache/store_impl.hpp"
#include "cache/store_rows.hpp"

namespace redtune::cache {
namespace {

/// Runs whose process died without a word are shown as interrupted anyway (see store_rows.cpp);
/// writing it down serves people who open the file with an SQLite browser.
void settle_abandoned(Database& database) {
  Statement running = database.prepare(
      "SELECT id, host, boot, pid_namespace, pid, process_start FROM run WHERE state = 'running'");
  while (running.step()) {
    const ProcessMark mark{running.text(1), running.text(2), running.text(3), running.integer(4),
                           running.text(5)};
    if (liveness(mark) != Liveness::gone) continue;
    database
        .prepare(
            "UPDATE run SET state = 'interrupted', note = 'its process ended without a word',"
            " finished_at = heartbeat_at WHERE id = ?")
        .bind(running.integer(0))
        .run();
  }
}

void insert_run(Database& database, const RunStart& start) {
  const DeviceIdentity& device = start.device;
  const ProcessMark mark = mark_of_this_process();
  const QuestionKeys keys = keep(database, question_of(start));
  database
      .prepare(
          "INSERT INTO run (family, space, problem, device_class, toolchain, device_name,"
          " device_address, strategy, seed, budget, program_version, command_line, state,"
          " host, boot, pid_namespace, pid, process_start)"
          " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'running', ?, ?, ?, ?, ?)")
      .bind(keys.family, keys.space, keys.problem, keys.device_class, keys.toolchain)
      .bind(device.name, device.address, start.strategy, std::to_string(start.seed))
      .bind(start.budget, start.program_version, start.command_line)
      .bind(mark.host, mark.boot, mark.pid_namespace, mark.pid, mark.start)
      .run();
}

void insert_trial(Database& database, RunId run, const Trial& trial) {
  using OptionalNumber = std::optional<double>;
  const auto& time = trial.time_us;
  const std::string config = keep(database, trial.settings);
  database
      .prepare(
          "INSERT INTO trial (run, sequence, config, phase, status, low_us, median_us,"
          " high_us, samples, detail, compile_ms, wall_ms, attempts, worker, row_hash)"
          " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
      .bind(number(run), trial.sequence, config, trial.phase, trial.status)
      .bind(time ? OptionalNumber(time->low) : std::nullopt)
      .bind(time ? OptionalNumber(time->median) : std::nullopt)
      .bind(time ? OptionalNumber(time->high) : std::nullopt)
      .bind(trial.samples, trial.detail, trial.compile_ms, trial.wall_ms)
      .bind(trial.attempts, trial.worker, Blob{row_hash(run, trial)})
      .run();
  database.prepare("DELETE FROM intent WHERE run = ? AND config = ?")
      .bind(number(run), config)
      .run();
}

/// What this process wanted; what an earlier process of the run left tells of its end.
void take_back_own_intents(Database& database, RunId run) {
  const ProcessMark mark = mark_of_this_process();
  database
      .prepare(
          "DELETE FROM intent WHERE run = ? AND host = ? AND boot = ? AND pid_namespace = ?"
          " AND pid = ? AND process_start = ?")
      .bind(number(run), mark.host, mark.boot, mark.pid_namespace, mark.pid, mark.start)
      .run();
}

}  // namespace

Store::Store(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

Store Store::open(const std::filesystem::path& file) {
  if (!file.has_filename()) {
    throw UsageError(fmt::format("'{}' names no file; pass a file with --cache", file.string()));
  }
  if (names_snapshot(file)) {
    throw UsageError(
        fmt::format("{} has the name of a snapshot, which is only read; pass the store beside it "
                    "with --cache",
                    file.string()));
  }
  auto [database, warning] = open_database(file);
  Store store(
      std::make_unique<Impl>(Impl{std::move(database), std::filesystem::absolute(file), {}}));
  if (!warning.empty()) store.impl_->warnings.push_back(warning);
  // A process that died between its commit and its snapshot left an old one.
  const auto newest = store.impl_->database.integer("SELECT max(generation) FROM best");
  const auto known = load_snapshot(snapshot_of(file));
  const auto* snapshot = std::get_if<Snapshot>(&known);
  if (newest > 0 && (snapshot == nullptr || snapshot->generation != newest)) store.renew_snapshot();
  return store;
}

Store Store::in_memory() {
  Store store(std::make_unique<Impl>(Impl{Database::in_memory(), std::nullopt, {}}));
  create_schema(store.impl_->database);
  return store;
}

RunId Store::begin(const RunStart& start) {
  Database& database = impl_->database;
  RunId id{};
  write_row(database, "run", [&] {
    settle_abandoned(database);
    insert_run(database, start);
    id = RunId{database.last_row()};
  });
  return id;
}

void Store::record(RunId run, const ReadPeaks& peaks) {
  write_row(impl_->database, "peaks", [&] {
    impl_->database.prepare("INSERT INTO peak (run, memory_gbps, cache_gbps) VALUES (?, ?, ?)")
        .bind(number(run), peaks.memory_gbps, peaks.cache_gbps)
        .run();
  });
}

void Store::record(RunId run, const Trial& trial) {
  write_row(impl_->database, "trial", [&] { add_trial(run, trial); });
}

void Store::add_trial(RunId run, const Trial& trial) {
  insert_trial(impl_->database, run, trial);
  impl_->database
      .prepare(
          "UPDATE run SET heartbeat_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')"
          " WHERE id = ?")
      .bind(number(run))
      .run();
}

void Store::finish(RunId run, RunState state, const std::string& note) {
  Database& database = impl_->database;
  write_row(database, "end of the run", [&] {
    database
        .prepare(
            "UPDATE run SET state = ?, note = ?,"
            " finished_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now') WHERE id = ?")
        .bind(to_string(state), note, number(run))
        .run();
    take_back_own_intents(database, run);
  });
}

std::optional<std::filesystem::path> Store::file() const {
  return impl_->file;
}

std::vector<std::string> Store::warnings() const {
  std::vector<std::string> all = impl_->warnings;
  if (const auto count = impl_->damaged_rows.size(); count > 0) {
    all.push_back(fmt::format("{} damaged row{} of {} {} skipped", count, count == 1 ? "" : "s",
                              impl_->file ? impl_->file->string() : "the store in memory",
                              count == 1 ? "was" : "were"));
  }
  return all;
}

}  // namespace redtune::cache
