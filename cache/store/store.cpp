// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cache/store/store.hpp"

#include <fmt/format.h>

#include "cache/files/paths.hpp"
#include "cache/files/trust.hpp"
#include "cache/store/best_rows.hpp"
#include "cache/store/impl.hpp"
#include "cache/store/open_database.hpp"
#include "cache/store/rows.hpp"

namespace redtune::cache {
namespace {

/// Runs whose process died without a word are shown as interrupted anyway (see rows.cpp);
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
            "UPDATE run SET state = 'interrupted', note = 'its process ended unexpectedly',"
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

void end_run(Database& database, RunId run, RunState state, const std::string& note) {
  database
      .prepare(
          "UPDATE run SET state = ?, note = ?,"
          " finished_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now') WHERE id = ?")
      .bind(to_string(state), note, number(run))
      .run();
  take_back_own_intents(database, run);
}

}  // namespace

Store::Store(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

Store Store::open(const std::filesystem::path& file) {
  return open(file, Check::what_answers);
}

Store Store::mend(const std::filesystem::path& file) {
  return open(file, Check::every_page);
}

Store Store::open(const std::filesystem::path& file, Check check) {
  if (!file.has_filename()) {
    throw UsageError(fmt::format("'{}' names no file; pass a file with --cache", file.string()));
  }
  if (names_snapshot(file)) {
    throw UsageError(
        fmt::format("{} has the name of a snapshot, which is only read; pass the store beside it "
                    "with --cache",
                    file.string()));
  }
  auto [database, warning] = open_database(follow_link(file), check);
  Store store(std::make_unique<Impl>(
      Impl{std::move(database), follow_link(std::filesystem::absolute(file)), file.string()}));
  if (!warning.empty()) store.impl_->warnings.push_back(warning);
  // Said where results are written: where they are read, nobody may see why they are not used.
  const auto users = results_folder();
  if (const std::string why = why_untrusted(file);
      users && *users / store_name == file && !why.empty()) {
    store.impl_->warnings.push_back(
        fmt::format("applications will not use the results: {} {}", file.string(), why));
  }
  // A process that died between its commit and its snapshot left an old one; one that is ahead
  // knows what this store does not.
  const auto newest = change_count(store.impl_->database);
  const auto seen = generation_in(snapshot_of(file));
  if (seen != newest && (seen || newest > 0)) store.renew_snapshot();
  return store;
}

void Store::check_place(const std::filesystem::path& file) {
  refuse_foreign(follow_link(file));
}

Store Store::copy_of(const std::filesystem::path& file) {
  return Store(
      std::make_unique<Impl>(Impl{copy_database(follow_link(file)), std::nullopt, file.string()}));
}

Store Store::in_memory() {
  Store store(
      std::make_unique<Impl>(Impl{Database::in_memory(), std::nullopt, "the results in memory"}));
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
  write_row(database, "end of the run", [&] { end_run(database, run, state, note); });
}

void Store::publish_and_finish(RunId run, const Best& best, RunState state,
                               const std::string& note) {
  require_publishable(best);
  Database& database = impl_->database;
  write_row(database, "best result", [&] {
    insert_best(database, run, best, std::nullopt);
    end_run(database, run, state, note);
  });
  renew_snapshot();
}

std::optional<std::filesystem::path> Store::file() const {
  return impl_->file;
}

bool Store::is_published() const {
  return impl_->is_published;
}

std::vector<std::string> Store::warnings() const {
  std::vector<std::string> all = impl_->warnings;
  if (const auto count = impl_->damaged_rows.size(); count > 0) {
    all.push_back(fmt::format("{} damaged row{} of {} {} skipped", count, count == 1 ? "" : "s",
                              impl_->name, count == 1 ? "was" : "were"));
  }
  return all;
}

}  // namespace redtune::cache
