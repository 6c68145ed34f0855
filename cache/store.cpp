// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cache/store.hpp"

#include <fmt/format.h>

#include "cache/fields_text.hpp"
#include "cache/key.hpp"
#include "cache/open_database.hpp"
#include "cache/paths.hpp"
#include "cache/process_mark.hpp"
#include "cache/store_impl.hpp"

namespace redtune::cache {
namespace {

/// The tables of things that are kept once under their key.
enum class KeyedTable { device_class, toolchain, space, problem, config };

constexpr std::string_view insert_into(KeyedTable table) {
  switch (table) {
    case KeyedTable::device_class:
      return "INSERT INTO device_class (key, fields) VALUES (?, ?) ON CONFLICT DO NOTHING";
    case KeyedTable::toolchain:
      return "INSERT INTO toolchain (key, fields) VALUES (?, ?) ON CONFLICT DO NOTHING";
    case KeyedTable::space:
      return "INSERT INTO space (key, fields) VALUES (?, ?) ON CONFLICT DO NOTHING";
    case KeyedTable::problem:
      return "INSERT INTO problem (key, fields) VALUES (?, ?) ON CONFLICT DO NOTHING";
    case KeyedTable::config:
      return "INSERT INTO config (key, fields) VALUES (?, ?) ON CONFLICT DO NOTHING";
  }
  return {};
}

/// Keeps a thing unless it is known, and returns its key.
std::string keep(Database& database, KeyedTable table, const Key& key) {
  database.prepare(insert_into(table)).bind(key.hash, to_json_text(key.fields)).run();
  return key.hash;
}

/// Writes a row; what the schema refuses is the caller's mistake, not the file's.
template <class Write>
void write_row(Database& database, std::string_view what, const Write& write) {
  try {
    Transaction transaction(database);
    write();
    transaction.commit();
  } catch (const SqliteError& error) {
    if (!error.is_refused_row()) throw;
    throw UsageError(fmt::format("the {} cannot be stored: {}", what, error.what()));
  }
}

/// Runs whose process died without a word are shown as interrupted anyway (see store_read.cpp);
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
  const Key space{.hash = start.space_key, .fields = {{"family", start.family}}};
  const std::string space_key = keep(database, KeyedTable::space, space);
  const std::string problem = keep(database, KeyedTable::problem, key_of(start.problem));
  const std::string device_class =
      keep(database, KeyedTable::device_class, key_of(device.device_class));
  const std::string toolchain = keep(database, KeyedTable::toolchain, key_of(device.toolchain));
  database
      .prepare(
          "INSERT INTO run (family, space, problem, device_class, toolchain, device_name,"
          " device_address, strategy, seed, budget, program_version, command_line, state,"
          " host, boot, pid_namespace, pid, process_start)"
          " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'running', ?, ?, ?, ?, ?)")
      .bind(start.family, space_key, problem, device_class, toolchain)
      .bind(device.name, device.address, start.strategy, std::to_string(start.seed))
      .bind(start.budget, start.program_version, start.command_line)
      .bind(mark.host, mark.boot, mark.pid_namespace, mark.pid, mark.start)
      .run();
}

void insert_trial(Database& database, RunId run, const Trial& trial) {
  using OptionalNumber = std::optional<double>;
  const auto& time = trial.time_us;
  const std::string config = keep(database, KeyedTable::config, key_of(trial.settings));
  database
      .prepare(
          "INSERT INTO trial (run, sequence, config, phase, status, low_us, median_us,"
          " high_us, samples, detail, compile_ms, wall_ms)"
          " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
      .bind(static_cast<std::int64_t>(run), trial.sequence, config, trial.phase, trial.status)
      .bind(time ? OptionalNumber(time->low) : std::nullopt)
      .bind(time ? OptionalNumber(time->median) : std::nullopt)
      .bind(time ? OptionalNumber(time->high) : std::nullopt)
      .bind(trial.samples, trial.detail, trial.compile_ms, trial.wall_ms)
      .run();
}

void insert_best(Database& database, RunId run, const Best& best) {
  const std::string config = keep(database, KeyedTable::config, key_of(best.settings));
  database
      .prepare(
          "INSERT INTO best (run, config, low_us, median_us, high_us, default_us, gain_low,"
          " gain_median, gain_high, gigabytes_per_second, reason)"
          " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
      .bind(static_cast<std::int64_t>(run), config)
      .bind(best.time_us.low, best.time_us.median, best.time_us.high, best.default_us)
      .bind(best.gain.low, best.gain.median, best.gain.high)
      .bind(best.gigabytes_per_second, best.reason)
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
        .bind(static_cast<std::int64_t>(run), peaks.memory_gbps, peaks.cache_gbps)
        .run();
  });
}

void Store::record(RunId run, const Trial& trial) {
  Database& database = impl_->database;
  write_row(database, "trial", [&] {
    insert_trial(database, run, trial);
    database
        .prepare(
            "UPDATE run SET heartbeat_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')"
            " WHERE id = ?")
        .bind(static_cast<std::int64_t>(run))
        .run();
  });
}

void Store::finish(RunId run, RunState state, const std::string& note) {
  Database& database = impl_->database;
  write_row(database, "end of the run", [&] {
    database
        .prepare(
            "UPDATE run SET state = ?, note = ?,"
            " finished_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now') WHERE id = ?")
        .bind(to_string(state), note, static_cast<std::int64_t>(run))
        .run();
  });
}

void Store::publish(RunId run, const Best& best) {
  if (!is_plausible(best)) {
    throw UsageError("a best result needs finite positive times and gains; it is not published");
  }
  write_row(impl_->database, "best result", [&] { insert_best(impl_->database, run, best); });
  renew_snapshot();
}

void Store::renew_snapshot() {
  if (!impl_->file) return;
  try {
    // The write lock keeps the order: no older snapshot can replace a newer one.
    Transaction transaction(impl_->database);
    publish_snapshot(snapshot_of(*impl_->file), bests());
  } catch (const IoError& error) {
    impl_->warnings.push_back(
        fmt::format("the result is stored, but applications do not see it yet: {}", error.what()));
  }
}

std::optional<std::filesystem::path> Store::file() const {
  return impl_->file;
}

std::vector<std::string> Store::warnings() const {
  return impl_->warnings;
}

}  // namespace redtune::cache
