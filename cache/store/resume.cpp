// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The part of Store that is about runs that ended early: taking them over, and what they were about
// to do.
#include <fmt/format.h>

#include "cache/keys/key.hpp"
#include "cache/store/impl.hpp"
#include "cache/store/rows.hpp"

namespace redtune::cache {
namespace {

/// By keys: the name of a custom operator, for one, is no part of the question.
bool is_same_search(const RunStart& a, const RunStart& b) {
  return a.family == b.family && a.space_key == b.space_key &&
         key_of(a.problem).hash == key_of(b.problem).hash &&
         a.device.device_class == b.device.device_class &&
         a.device.toolchain == b.device.toolchain && a.strategy == b.strategy && a.seed == b.seed;
}

void insert_intent(Database& database, RunId run, const Intent& intent, const ProcessMark& mark) {
  database
      .prepare(
          "INSERT OR REPLACE INTO intent (run, config, stage, host, boot, pid_namespace, pid,"
          " process_start) VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
      .bind(number(run), keep(database, intent.settings), to_string(intent.stage))
      .bind(mark.host, mark.boot, mark.pid_namespace, mark.pid, mark.start)
      .run();
}

void take_over(Database& database, RunId run, const RunStart& start) {
  const ProcessMark mark = mark_of_this_process();
  database
      .prepare(
          "UPDATE run SET state = 'running', note = '', finished_at = NULL, resumed = resumed + 1,"
          " heartbeat_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), budget = ?, program_version = ?,"
          " command_line = ?, device_name = ?, device_address = ?, host = ?, boot = ?,"
          " pid_namespace = ?, pid = ?, process_start = ? WHERE id = ?")
      .bind(start.budget, start.program_version, start.command_line)
      .bind(start.device.name, start.device.address)
      .bind(mark.host, mark.boot, mark.pid_namespace, mark.pid, mark.start, number(run))
      .run();
}

}  // namespace

std::optional<RunId> Store::resumable(const RunStart& start) const {
  Statement row = impl_->database.prepare(fmt::format(
      "{} WHERE run.family = ? AND run.space = ? AND run.problem = ?"
      " AND run.device_class = ? AND run.toolchain = ? AND run.strategy = ?"
      " AND run.seed = ? AND run.state <> 'done' AND run.origin = '' ORDER BY run.id DESC",
      run_columns));
  bind_question(row, question_of(start));
  row.bind(start.strategy, std::to_string(start.seed));
  while (row.step()) {
    const auto summary = run_from(row);
    if (summary && ended_early(summary->state)) return summary->id;
  }
  return std::nullopt;
}

bool Store::is_finished(RunId id, const RunStart& start) const {
  const auto summary = run(id);
  return summary && summary->origin.empty() && summary->state == RunState::done &&
         is_same_search(summary->start, start);
}

bool Store::resume(RunId id, const RunStart& start, Ended ended) {
  bool taken = false;
  write_row(impl_->database, "continued run", [&] {
    // Asked under the write lock: whoever comes second sees the mark of the first.
    const auto summary = run(id);
    if (!summary || !is_same_search(summary->start, start)) {
      throw UsageError(
          fmt::format("run {} has another question, strategy or seed; it cannot be "
                      "continued",
                      number(id)));
    }
    const bool may_be_done = ended == Ended::at_all && summary->state == RunState::done;
    if (!ended_early(summary->state) && !may_be_done) return;
    take_over(impl_->database, id, start);
    taken = true;
  });
  return taken;
}

void Store::add_intents(RunId run, std::span<const Intent> intents) {
  if (intents.empty()) return;
  const ProcessMark mark = mark_of_this_process();
  for (const Intent& intent : intents) insert_intent(impl_->database, run, intent, mark);
}

void Store::intend(RunId run, std::span<const Intent> intents) {
  write_row(impl_->database, "intent", [&] { add_intents(run, intents); });
}

std::vector<OpenIntent> Store::open_intents(const Question& question) const {
  Statement row = impl_->database.prepare(
      "SELECT intent.run, config.fields, intent.config, intent.stage, intent.at, intent.host,"
      " intent.boot, intent.pid_namespace, intent.pid, intent.process_start,"
      " (julianday('now') - julianday(intent.at)) * 24"
      " FROM intent JOIN run ON run.id = intent.run JOIN config ON config.key = intent.config"
      " WHERE run.family = ? AND run.space = ? AND run.problem = ? AND run.device_class = ?"
      " AND run.toolchain = ? ORDER BY intent.at, intent.run, intent.config, intent.stage");
  bind_question(row, question);
  const ProcessMark here = mark_of_this_process();
  std::vector<OpenIntent> open;
  while (row.step()) {
    const ProcessMark mark{row.text(5), row.text(6), row.text(7), row.integer(8), row.text(9)};
    const auto settings = settings_from(row.text(1), row.text(2));
    if (!settings || !is_gone(mark, row.number(10))) continue;
    const auto stage = row.text(3) == "compile" ? IntentStage::compile : IntentStage::launch;
    open.push_back({.run = RunId{row.integer(0)},
                    .intent = {*settings, stage},
                    .machine_went_down = mark.host == here.host && mark.boot != here.boot,
                    .at = row.text(4)});
  }
  return open;
}

}  // namespace redtune::cache
