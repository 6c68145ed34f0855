// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The part of Store that gives runs to other stores and takes runs of theirs.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "cache/store/best_rows.hpp"
#include "cache/store/impl.hpp"
#include "cache/store/rows.hpp"

namespace redtune::cache {
namespace {

std::vector<StoredTrial> with_times(Database& database, RunId run, std::vector<Trial> trials) {
  Statement row = database.prepare("SELECT sequence, phase, at FROM trial WHERE run = ?");
  row.bind(number(run));
  std::map<std::pair<std::int64_t, std::string>, std::string> times;
  while (row.step()) times[{row.integer(0), row.text(1)}] = row.text(2);
  std::vector<StoredTrial> all;
  for (Trial& trial : trials) {
    std::string at = times[{trial.sequence, trial.phase}];
    all.push_back({std::move(trial), std::move(at)});
  }
  return all;
}

/// What was not revoked, oldest first. history: newest first.
std::map<RunId, std::vector<SharedResult>> published_by_run(
    const std::vector<PastResult>& history) {
  std::map<RunId, std::vector<SharedResult>> published;
  for (const PastResult& past : history) {
    auto& results = published[past.stored.run];
    if (!past.revoked) results.insert(results.begin(), {past.stored.at, past.stored.best});
  }
  return published;
}

/// A run that is here already.
struct KnownRun {
  RunId id{};
  bool is_own = false;  ///< made by this store: nobody else adds to it
};

std::optional<KnownRun> find_run(Database& database, const SharedRun& run) {
  Statement row = database.prepare(
      "SELECT id, origin FROM run WHERE family = ? AND space = ? AND problem = ? AND device_class "
      "= ?"
      " AND toolchain = ? AND strategy = ? AND seed = ? AND started_at = ?");
  bind_question(row, question_of(run.start));
  row.bind(run.start.strategy, std::to_string(run.start.seed), run.started_at);
  if (!row.step()) return std::nullopt;
  return KnownRun{RunId{row.integer(0)}, row.text(1).empty()};
}

/// A run that runs elsewhere is not running here.
RunState state_here(const SharedRun& run) {
  return run.state == RunState::running ? RunState::interrupted : run.state;
}

RunId insert_run(Database& database, const SharedRun& run, const std::string& origin) {
  const RunStart& start = run.start;
  const QuestionKeys keys = keep(database, question_of(start));
  database
      .prepare(
          "INSERT INTO run (family, space, problem, device_class, toolchain, device_name,"
          " device_address, strategy, seed, budget, program_version, command_line, state, note,"
          " started_at, heartbeat_at, finished_at, host, boot, pid_namespace, pid, process_start,"
          " origin) VALUES (?, ?, ?, ?, ?, ?, '', ?, ?, ?, ?, '', ?, ?, ?, ?, ?, '', '', '', 0, '',"
          " ?)")
      .bind(keys.family, keys.space, keys.problem, keys.device_class, keys.toolchain)
      .bind(start.device.name, start.strategy, std::to_string(start.seed), start.budget)
      .bind(start.program_version, to_string(state_here(run)), run.note, run.started_at)
      .bind(run.finished_at.empty() ? run.started_at : run.finished_at, run.finished_at, origin)
      .run();
  return RunId{database.last_row()};
}

/// What became of a run since it was taken over. An export that was made before what is known tells
/// nothing new; one of a run that goes on has no end.
void renew_run(Database& database, RunId id, const SharedRun& run) {
  database
      .prepare(
          "UPDATE run SET state = ?, note = ?, finished_at = ?, heartbeat_at = ?"
          " WHERE id = ? AND ifnull(finished_at, '') < ?")
      .bind(to_string(state_here(run)), run.note, run.finished_at)
      .bind(run.finished_at, number(id), run.finished_at)
      .run();
}

std::set<std::pair<std::int64_t, std::string>> known_trials(Database& database, RunId run) {
  Statement row = database.prepare("SELECT sequence, phase FROM trial WHERE run = ?");
  row.bind(number(run));
  std::set<std::pair<std::int64_t, std::string>> known;
  while (row.step()) known.emplace(row.integer(0), row.text(1));
  return known;
}

void keep_peaks(Database& database, RunId run, const ReadPeaks& peaks) {
  database
      .prepare(
          "INSERT INTO peak (run, memory_gbps, cache_gbps) VALUES (?, ?, ?) ON CONFLICT DO NOTHING")
      .bind(number(run), peaks.memory_gbps, peaks.cache_gbps)
      .run();
}

/// A result on its way in, with the run that it will belong to.
struct Arrival {
  const SharedResult* result = nullptr;
  const SharedRun* run = nullptr;
  KnownRun into{};
};

}  // namespace

std::vector<SharedRun> Store::share() const {
  std::vector<SharedRun> all;
  auto published = published_by_run(history());
  for (RunSummary& run : runs()) {
    auto& results = published[run.id];
    all.push_back(share(std::move(run), std::move(results)));
  }
  std::ranges::reverse(all);
  return all;
}

std::optional<SharedRun> Store::share(RunId id) const {
  auto found = run(id);
  if (!found) return std::nullopt;
  return share(std::move(*found), std::move(published_by_run(history())[id]));
}

SharedRun Store::share(RunSummary run, std::vector<SharedResult> results) const {
  return {.start = std::move(run.start),
          .state = run.state,
          .started_at = run.started_at,
          .finished_at = run.finished_at,
          .note = run.note,
          .peaks = peaks(run.id),
          .trials = with_times(impl_->database, run.id, trials(run.id)),
          .results = std::move(results)};
}

Adopted Store::adopt(std::span<const SharedRun> runs, const std::string& origin,
                     std::span<const StoredBorder> borders) {
  Adopted done;
  write_row(impl_->database, "run from elsewhere", [&] {
    done = adopt_rows(runs, origin);
    done.borders = adopt_borders(borders, origin);
  });
  if (done.results > 0 || done.borders > 0) renew_snapshot();
  return done;
}

Adopted Store::adopt_rows(std::span<const SharedRun> runs, const std::string& origin) {
  Database& database = impl_->database;
  Adopted done;
  std::vector<Arrival> arrivals;
  for (const SharedRun& run : runs) {
    const auto known = find_run(database, run);
    const KnownRun into = known ? *known : KnownRun{insert_run(database, run, origin)};
    done.runs += known ? 0 : 1;
    if (known && !into.is_own) renew_run(database, into.id, run);
    if (!into.is_own) done.trials += add_missing(into.id, run);
    for (const SharedResult& result : run.results) arrivals.push_back({&result, &run, into});
  }
  // The newest of a question must come last: the last one answers.
  std::ranges::stable_sort(arrivals, {}, [](const Arrival& one) { return one.result->at; });
  for (const Arrival& arrival : arrivals) {
    const auto present = best(question_of(arrival.run->start));
    if (is_kept(database, question_of(arrival.run->start), *arrival.result)) {
      ++done.known;
    } else if (arrival.into.is_own) {
      ++done.refused;
    } else if (present && present->at >= arrival.result->at) {
      ++done.older;
    } else {
      insert_best(database, arrival.into.id, arrival.result->best, arrival.result->at);
      const std::string& reason = arrival.result->revoked_because;
      if (!reason.empty()) {
        insert_revocation(database, database.last_row(), Word::revoked, reason);
      }
      ++(reason.empty() ? done.results : done.revoked);
    }
  }
  return done;
}

bool Store::is_news(const SharedRun& run, const SharedResult& result) const {
  const Question question = question_of(run.start);
  const auto known = find_run(impl_->database, run);
  if ((known && known->is_own) || is_kept(impl_->database, question, result)) return false;
  const auto present = best(question);
  return !present || present->at < result.at;
}

RunId Store::adopt_run(const SharedRun& run, const std::string& origin) {
  const auto known = find_run(impl_->database, run);
  return known ? known->id : insert_run(impl_->database, run, origin);
}

std::size_t Store::add_missing(RunId id, const SharedRun& run) {
  Database& database = impl_->database;
  if (run.peaks) keep_peaks(database, id, *run.peaks);
  auto known = known_trials(database, id);
  std::size_t added = 0;
  for (const auto& [trial, at] : run.trials) {
    if (!known.emplace(trial.sequence, trial.phase).second) continue;
    insert_trial(database, id, trial);
    const auto row = database.last_row();
    if (!at.empty()) {
      database.prepare("UPDATE trial SET at = ? WHERE id = ?").bind(at, row).run();
    }
    ++added;
  }
  return added;
}

}  // namespace redtune::cache
