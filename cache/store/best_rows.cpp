// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cache/store/best_rows.hpp"

#include <fmt/format.h>
#include <type_traits>

#include "cache/keys/described_best.hpp"
#include "cache/keys/key.hpp"
#include "cache/store/rows.hpp"

namespace redtune::cache {

namespace {

/// What is read of a row before the members of its best result.
struct At {
  enum Column {
    generation,
    run,
    at,
    family,
    space,
    problem,
    device_class,
    toolchain,
    device_name,
    settings,
    hash,
    problem_key,
    device_class_key,
    toolchain_key,
    settings_key,
    origin,
    first_member
  };
};

constexpr QuestionColumns best_question{At::family,           At::space,        At::problem,
                                        At::device_class,     At::toolchain,    At::problem_key,
                                        At::device_class_key, At::toolchain_key};

/// The columns of a best result's members, each with what is before it.
std::string member_columns(std::string_view before) {
  std::string columns;
  for_each_row<Best>([&]<class Row>(const Row& row) {
    if constexpr (std::is_same_v<typename Row::Value, Interval>) {
      for (const std::string_view column : row.columns)
        columns += fmt::format("{}{}", before, column);
    } else {
      columns += fmt::format("{}{}", before, row.name);
    }
  });
  return columns;
}

void read_value(const Statement& row, int& column, double& value) {
  value = row.number(column++);
}
void read_value(const Statement& row, int& column, int& value) {
  value = static_cast<int>(row.integer(column++));
}
void read_value(const Statement& row, int& column, std::string& value) {
  value = row.text(column++);
}
void read_value(const Statement& row, int& column, Interval& value) {
  for (double* const number : {&value.low, &value.median, &value.high})
    *number = row.number(column++);
}

template <class Value>
void bind_value(Statement& row, const Value& value) {
  if constexpr (std::is_same_v<Value, Interval>)
    row.bind(value.low, value.median, value.high);
  else
    row.bind(value);
}

}  // namespace

const std::string best_columns = fmt::format(
    R"sql(
SELECT best.generation, best.run, best.at, run.family, run.space, problem.fields,
       device_class.fields, toolchain.fields, run.device_name, config.fields,
       best.row_hash, run.problem, run.device_class, run.toolchain, best.config, run.origin{}
FROM best
LEFT JOIN run ON run.id = best.run
LEFT JOIN config ON config.key = best.config
LEFT JOIN problem ON problem.key = run.problem
LEFT JOIN device_class ON device_class.key = run.device_class
LEFT JOIN toolchain ON toolchain.key = run.toolchain
)sql",
    member_columns(", best."));

std::optional<Best> checked_best(const Statement& row) {
  const auto found = settings_from(row.text(At::settings), row.text(At::settings_key));
  if (!found) return std::nullopt;
  Best best{.settings = *found, .time_us = {}};
  int column = At::first_member;
  for_each_member(best, [&](const auto&, auto& value) { read_value(row, column, value); });
  const QuestionKeys question = question_keys_from(row, best_question);
  const bool is_old = row.is_null(At::hash);
  if (!is_old && row.blob(At::hash) != row_hash(RunId{row.integer(At::run)}, question, best)) {
    return std::nullopt;
  }
  return best;
}

std::optional<StoredBest> best_from(const Statement& row, const Best& best) {
  const auto question = question_from(row, best_question);
  if (!question) return std::nullopt;
  return StoredBest{.generation = row.integer(At::generation),
                    .run = RunId{row.integer(At::run)},
                    .question = *question,
                    .device_name = row.text(At::device_name),
                    .at = row.text(At::at),
                    .best = best};
}

std::string origin_of(const Statement& row) {
  return row.text(At::origin);
}

QuestionKeys question_keys(Database& database, RunId run) {
  Statement row = database.prepare(
      "SELECT family, space, problem, device_class, toolchain FROM run WHERE id = ?");
  row.bind(number(run));
  if (!row.step()) return {};
  return {row.text(0), row.text(1), row.text(2), row.text(3), row.text(4)};
}

void require_publishable(const Best& best) {
  if (!is_plausible(best)) {
    throw UsageError("a best result needs finite positive times and gains; it is not published");
  }
  if (best.contended) {
    throw UsageError("another process used the device meanwhile; the result is not published");
  }
}

void insert_best(Database& database, RunId run, const Best& best,
                 const std::optional<std::string>& at) {
  const QuestionKeys question = question_keys(database, run);
  const std::string columns = member_columns(", ");
  std::string places;
  for (const char c : columns) places += c == ',' ? ", ?" : "";
  Statement row = database.prepare(
      fmt::format("INSERT INTO best (run, config{}, row_hash, at) VALUES (?, ?{}, ?,"
                  " ifnull(?, strftime('%Y-%m-%dT%H:%M:%fZ', 'now')))",
                  columns, places));
  row.bind(number(run), keep(database, best.settings));
  for_each_member(best, [&](const auto&, const auto& value) { bind_value(row, value); });
  row.bind(Blob{row_hash(run, question, best)}, at).run();
}

bool is_kept(Database& database, const Question& question, const SharedResult& result) {
  Statement row = database.prepare(fmt::format(
      "{} WHERE run.family = ? AND run.space = ? AND run.problem = ? AND run.device_class = ?"
      " AND run.toolchain = ? AND best.at = ? AND best.config = ?",
      best_columns));
  bind_question(row, question);
  row.bind(result.at, key_of(result.best.settings).hash);
  while (row.step()) {
    Statement revoked = database.prepare("SELECT 1 FROM revoked WHERE generation = ?");
    revoked.bind(row.integer(0));
    if (checked_best(row) || revoked.step()) return true;
  }
  return false;
}

std::int64_t change_count(Database& database) {
  return database.integer(
      "SELECT ifnull((SELECT seq FROM sqlite_sequence WHERE name = 'best'), 0)"
      " + (SELECT count(*) FROM revocation) + (SELECT count(*) FROM border)"
      " + ifnull((SELECT seq FROM sqlite_sequence WHERE name = 'prediction'), 0)");
}

}  // namespace redtune::cache
