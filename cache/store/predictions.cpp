// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The part of Store that keeps what a model expects of problems that were not tuned.
#include "cache/keys/predictions.hpp"

#include <map>

#include "cache/keys/key.hpp"
#include "cache/store/impl.hpp"
#include "cache/store/rows.hpp"

namespace redtune::cache {
namespace {

/// What is read of a row.
struct Read {
  enum Column {
    id,
    at,
    family,
    space,
    problem,
    device_class,
    toolchain,
    problem_key,
    device_class_key,
    toolchain_key,
    settings,
    trials,
    hash
  };
};

constexpr QuestionColumns prediction_question{
    Read::family,    Read::space,       Read::problem,          Read::device_class,
    Read::toolchain, Read::problem_key, Read::device_class_key, Read::toolchain_key};

constexpr std::string_view prediction_columns = R"sql(
SELECT prediction.id, prediction.at, prediction.family, prediction.space, problem.fields,
       device_class.fields, toolchain.fields, prediction.problem, prediction.device_class,
       prediction.toolchain, prediction.settings, prediction.trials, prediction.row_hash
FROM prediction
LEFT JOIN problem ON problem.key = prediction.problem
LEFT JOIN device_class ON device_class.key = prediction.device_class
LEFT JOIN toolchain ON toolchain.key = prediction.toolchain
ORDER BY prediction.id
)sql";

/// Whether the row is undamaged; what it says is read all the same.
bool read_prediction(const Statement& row, StoredPrediction& stored) {
  const auto settings = fields_from_json_text(row.text(Read::settings));
  if (!settings) return false;
  stored.settings = *settings;
  stored.trials = row.integer(Read::trials);
  stored.at = row.text(Read::at);
  const QuestionKeys question = question_keys_from(row, prediction_question);
  return row.blob(Read::hash) == row_hash(question, stored.settings, stored.trials);
}

/// Without a time it is made now.
void insert_prediction(Database& database, const StoredPrediction& stored) {
  const QuestionKeys keys = keep(database, stored.question);
  database
      .prepare(
          "INSERT OR REPLACE INTO prediction (family, space, problem, device_class, toolchain,"
          " settings, trials, row_hash, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?,"
          " ifnull(nullif(?, ''), strftime('%Y-%m-%dT%H:%M:%fZ', 'now')))")
      .bind(keys.family, keys.space, keys.problem, keys.device_class, keys.toolchain)
      .bind(to_json_text(stored.settings), stored.trials)
      .bind(Blob{row_hash(keys, stored.settings, stored.trials)}, stored.at)
      .run();
}

}  // namespace

std::size_t Store::publish(std::span<const StoredPrediction> predictions) {
  std::map<Question, StoredPrediction> known;
  for (StoredPrediction& one : this->predictions()) known.emplace(one.question, std::move(one));
  std::size_t written = 0;
  write_row(impl_->database, "prediction", [&] {
    for (const StoredPrediction& one : predictions) {
      const auto before = known.find(one.question);
      const bool is_same = before != known.end() && before->second.settings == one.settings &&
                           before->second.trials == one.trials;
      if (is_same) continue;
      insert_prediction(impl_->database, one);
      ++written;
    }
  });
  if (written > 0) renew_snapshot();
  return written;
}

std::vector<StoredPrediction> Store::predictions() const {
  std::vector<StoredPrediction> all;
  Statement row = impl_->database.prepare(prediction_columns);
  while (row.step()) {
    StoredPrediction stored;
    if (!read_prediction(row, stored)) {
      impl_->damaged_rows.emplace("prediction", row.integer(Read::id));
      continue;
    }
    auto question = question_from(row, prediction_question);
    if (!question) continue;
    stored.question = std::move(*question);
    all.push_back(std::move(stored));
  }
  return all;
}

bool Store::has_predictions(const DeviceClass& device_class) const {
  Statement row =
      impl_->database.prepare("SELECT 1 FROM prediction WHERE device_class = ? LIMIT 1");
  row.bind(key_of(device_class).hash);
  return row.step();
}

/// What the store has itself is newer, whatever it says.
void Store::adopt_predictions(std::span<const StoredPrediction> predictions,
                              std::span<const StoredPrediction> own) {
  if (predictions.empty()) return;
  std::set<Question> known;
  for (const StoredPrediction& one : own) known.insert(one.question);
  for (const StoredPrediction& one : predictions) {
    if (known.insert(one.question).second) insert_prediction(impl_->database, one);
  }
}

}  // namespace redtune::cache
