// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What the parts of Store share: things kept once under their key, and rows of runs. Private to
// this folder.
#pragma once

#include <fmt/format.h>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "cache/keys/fields_text.hpp"
#include "cache/keys/row_hash.hpp"
#include "cache/store/process_mark.hpp"
#include "cache/store/sqlite.hpp"

namespace redtune::cache {

[[nodiscard]] inline std::int64_t number(RunId run) {
  return static_cast<std::int64_t>(run);
}

/// Keeps a thing unless it is known, and returns its key.
std::string keep(Database& database, const Settings& settings);
QuestionKeys keep(Database& database, const Question& question);

/// Takes back the config's intents in this run.
void insert_trial(Database& database, RunId run, const Trial& trial);

/// Writes rows in one transaction; what the schema refuses is the caller's mistake, not the file's.
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

/// A thing from the JSON text of its fields. Nothing when it is not what its key says, or has names
/// that only another version of redtune knows.
template <class Thing>
[[nodiscard]] std::optional<Thing> thing_from(const std::string& json, const std::string& key,
                                              std::optional<Thing> (*from_fields)(const Fields&)) {
  const auto fields = fields_from_json_text(json);
  auto thing = fields ? from_fields(*fields) : std::nullopt;
  if (thing && key_of(*thing).hash != key) return std::nullopt;
  return thing;
}

/// Likewise, of one way to read each type. Thousands of rows name the same few things, each of
/// which is parsed once.
template <class Thing>
[[nodiscard]] std::optional<Thing> known_thing_from(
    const std::string& json, const std::string& key,
    std::optional<Thing> (*from_fields)(const Fields&)) {
  struct Known {
    std::string json;
    std::optional<Thing> thing;
  };
  constexpr std::size_t most_known = 4096;
  thread_local std::unordered_map<std::string, Known> known;
  auto found = known.find(key);
  if (found == known.end() || found->second.json != json) {
    if (known.size() >= most_known) known.clear();
    Known now{json, thing_from(json, key, from_fields)};
    found = known.insert_or_assign(key, std::move(now)).first;
  }
  return found->second.thing;
}

/// Likewise. Nothing for damage only: settings are texts that every version
/// reads.
[[nodiscard]] std::optional<Settings> settings_from(const std::string& json,
                                                    const std::string& key);

/// Where a SELECT has what a question is made of.
struct QuestionColumns {
  int family;
  int space;
  int problem;  ///< fields, as those of device class and toolchain
  int device_class;
  int toolchain;
  int problem_key;
  int device_class_key;
  int toolchain_key;
};

[[nodiscard]] QuestionKeys question_keys_from(const Statement& row, const QuestionColumns& at);
/// Nothing for names that only another version of redtune knows.
[[nodiscard]] std::optional<Question> question_from(const Statement& row,
                                                    const QuestionColumns& at);

/// Binds the five key columns of a question, in the order of the index run_question.
void bind_question(Statement& statement, const Question& question);

/// Rows of runs as run_from reads them; a WHERE may follow.
extern const std::string_view run_columns;

/// Nothing for a row with names that only another version of redtune knows.
[[nodiscard]] std::optional<RunSummary> run_from(const Statement& row);

/// Whether the writer of a row does not live any more. A process that cannot be seen from here
/// counts as gone after an hour without a word.
[[nodiscard]] bool is_gone(const ProcessMark& mark, double silent_hours);

}  // namespace redtune::cache
