// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cache/store/rows.hpp"

#include <charconv>

#include "cache/keys/key.hpp"

namespace redtune::cache {
namespace {

/// A process that cannot be seen from here counts as gone after this time without a trial.
constexpr double patience_hours = 1;

/// The tables of things that are kept once under their key.
enum class KeyedTable { device_class, toolchain, space, problem, config };

/// A thing is what its key says: fields that are not were damaged, and are mended.
constexpr std::string_view insert_into(KeyedTable table) {
  switch (table) {
    case KeyedTable::device_class:
      return "INSERT INTO device_class (key, fields) VALUES (?, ?) ON CONFLICT (key) DO"
             " UPDATE SET fields = excluded.fields WHERE fields <> excluded.fields";
    case KeyedTable::toolchain:
      return "INSERT INTO toolchain (key, fields) VALUES (?, ?) ON CONFLICT (key) DO"
             " UPDATE SET fields = excluded.fields WHERE fields <> excluded.fields";
    case KeyedTable::space:
      return "INSERT INTO space (key, fields) VALUES (?, ?) ON CONFLICT (key) DO"
             " UPDATE SET fields = excluded.fields WHERE fields <> excluded.fields";
    case KeyedTable::problem:
      return "INSERT INTO problem (key, fields) VALUES (?, ?) ON CONFLICT (key) DO"
             " UPDATE SET fields = excluded.fields WHERE fields <> excluded.fields";
    case KeyedTable::config:
      return "INSERT INTO config (key, fields) VALUES (?, ?) ON CONFLICT (key) DO"
             " UPDATE SET fields = excluded.fields WHERE fields <> excluded.fields";
  }
  return {};
}

std::string keep(Database& database, KeyedTable table, const Key& key) {
  database.prepare(insert_into(table)).bind(key.hash, to_json_text(key.fields)).run();
  return key.hash;
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
  return is_gone(mark, row.number(23)) ? RunState::interrupted : RunState::running;
}

}  // namespace

const std::string_view run_columns = R"sql(
SELECT run.id, run.family, run.space, problem.fields, device_class.fields, toolchain.fields,
       run.device_name, run.device_address, run.strategy, run.seed, run.budget,
       run.program_version, run.command_line, run.state, run.note, run.started_at,
       run.heartbeat_at, ifnull(run.finished_at, ''), run.host, run.boot, run.pid_namespace,
       run.pid, run.process_start, (julianday('now') - julianday(run.heartbeat_at)) * 24,
       (SELECT count(*) FROM trial WHERE trial.run = run.id), run.resumed,
       problem.key, device_class.key, toolchain.key, run.origin
FROM run
JOIN problem ON problem.key = run.problem
JOIN device_class ON device_class.key = run.device_class
JOIN toolchain ON toolchain.key = run.toolchain
)sql";

std::string keep(Database& database, const Settings& settings) {
  return keep(database, KeyedTable::config, key_of(settings));
}

QuestionKeys keep(Database& database, const Question& question) {
  const Key space{.hash = question.space_key, .fields = {{"family", question.family}}};
  return {.family = question.family,
          .space = keep(database, KeyedTable::space, space),
          .problem = keep(database, KeyedTable::problem, key_of(question.problem)),
          .device_class = keep(database, KeyedTable::device_class, key_of(question.device_class)),
          .toolchain = keep(database, KeyedTable::toolchain, key_of(question.toolchain))};
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
      .bind(trial.attempts, trial.worker, Blob{row_hash(run, trial, config)})
      .run();
  database.prepare("DELETE FROM intent WHERE run = ? AND config = ?")
      .bind(number(run), config)
      .run();
}

QuestionKeys question_keys_from(const Statement& row, const QuestionColumns& at) {
  return {row.text(at.family), row.text(at.space), row.text(at.problem_key),
          row.text(at.device_class_key), row.text(at.toolchain_key)};
}

std::optional<Question> question_from(const Statement& row, const QuestionColumns& at) {
  const auto problem =
      known_thing_from<Problem>(row.text(at.problem), row.text(at.problem_key), problem_from);
  const auto device_class = known_thing_from<DeviceClass>(
      row.text(at.device_class), row.text(at.device_class_key), device_class_from);
  const auto toolchain = known_thing_from<Toolchain>(row.text(at.toolchain),
                                                     row.text(at.toolchain_key), toolchain_from);
  if (!problem || !device_class || !toolchain) return std::nullopt;
  return Question{.family = row.text(at.family),
                  .space_key = row.text(at.space),
                  .problem = *problem,
                  .device_class = *device_class,
                  .toolchain = *toolchain};
}

std::optional<Settings> settings_from(const std::string& json, const std::string& key) {
  return known_thing_from<Settings>(
      json, key, [](const Fields& fields) { return std::optional<Settings>(fields); });
}

void bind_question(Statement& statement, const Question& question) {
  statement.bind(question.family, question.space_key, key_of(question.problem).hash,
                 key_of(question.device_class).hash, key_of(question.toolchain).hash);
}

std::optional<RunSummary> run_from(const Statement& row) {
  const auto problem = known_thing_from<Problem>(row.text(3), row.text(26), problem_from);
  const auto device_class =
      known_thing_from<DeviceClass>(row.text(4), row.text(27), device_class_from);
  const auto toolchain = known_thing_from<Toolchain>(row.text(5), row.text(28), toolchain_from);
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
                    .trial_count = row.integer(24),
                    .resumed = static_cast<int>(row.integer(25)),
                    .origin = row.text(29)};
}

bool is_gone(const ProcessMark& mark, double silent_hours) {
  const Liveness seen = liveness(mark);
  return seen == Liveness::gone || (seen == Liveness::unknown && silent_hours > patience_hours);
}

}  // namespace redtune::cache
