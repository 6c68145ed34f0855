// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cache/store/best_rows.hpp"

#include "cache/keys/key.hpp"
#include "cache/store/rows.hpp"

namespace redtune::cache {

const std::string_view best_columns = R"sql(
SELECT best.generation, best.run, best.at, run.family, run.space, problem.fields,
       device_class.fields, toolchain.fields, run.device_name, config.fields,
       best.low_us, best.median_us, best.high_us, best.default_us, best.gain_low,
       best.gain_median, best.gain_high, best.gigabytes_per_second, best.reason, best.samples,
       best.batch_us, best.noise_floor, best.protocol, best.stream_us, best.measurement,
       best.row_hash, run.problem, run.device_class, run.toolchain, best.config, run.origin
FROM best
LEFT JOIN run ON run.id = best.run
LEFT JOIN config ON config.key = best.config
LEFT JOIN problem ON problem.key = run.problem
LEFT JOIN device_class ON device_class.key = run.device_class
LEFT JOIN toolchain ON toolchain.key = run.toolchain
)sql";

namespace {

Best numbers_from(const Statement& row) {
  return {.time_us = {row.number(10), row.number(11), row.number(12)},
          .default_us = row.number(13),
          .gain = {row.number(14), row.number(15), row.number(16)},
          .gigabytes_per_second = row.number(17),
          .reason = row.text(18),
          .samples = static_cast<int>(row.integer(19)),
          .batch_us = row.number(20),
          .noise_floor = row.number(21),
          .protocol = static_cast<int>(row.integer(22)),
          .stream_us = row.number(23),
          .measurement = row.text(24)};
}

}  // namespace

std::optional<Best> checked_best(const Statement& row) {
  const auto settings = settings_from(row.text(9), row.text(29));
  if (!settings) return std::nullopt;
  Best best = numbers_from(row);
  best.settings = *settings;
  const QuestionKeys question{row.text(3), row.text(4), row.text(26), row.text(27), row.text(28)};
  const bool is_old = row.is_null(25);
  if (!is_old && row.blob(25) != row_hash(RunId{row.integer(1)}, question, best)) {
    return std::nullopt;
  }
  return best;
}

std::optional<StoredBest> best_from(const Statement& row, const Best& best) {
  const auto problem = thing_from<Problem>(row.text(5), row.text(26), problem_from);
  const auto device_class = thing_from<DeviceClass>(row.text(6), row.text(27), device_class_from);
  const auto toolchain = thing_from<Toolchain>(row.text(7), row.text(28), toolchain_from);
  if (!problem || !device_class || !toolchain) return std::nullopt;
  return StoredBest{.generation = row.integer(0),
                    .run = RunId{row.integer(1)},
                    .question = {.family = row.text(3),
                                 .space_key = row.text(4),
                                 .problem = *problem,
                                 .device_class = *device_class,
                                 .toolchain = *toolchain},
                    .device_name = row.text(8),
                    .at = row.text(2),
                    .best = best};
}

QuestionKeys question_keys(Database& database, RunId run) {
  Statement row = database.prepare(
      "SELECT family, space, problem, device_class, toolchain FROM run WHERE id = ?");
  row.bind(number(run));
  if (!row.step()) return {};
  return {row.text(0), row.text(1), row.text(2), row.text(3), row.text(4)};
}

void insert_best(Database& database, RunId run, const Best& best,
                 const std::optional<std::string>& at) {
  const QuestionKeys question = question_keys(database, run);
  database
      .prepare(
          "INSERT INTO best (run, config, low_us, median_us, high_us, default_us, gain_low,"
          " gain_median, gain_high, gigabytes_per_second, reason, samples, batch_us, noise_floor,"
          " protocol, stream_us, measurement, row_hash, at)"
          " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
          " ifnull(?, strftime('%Y-%m-%dT%H:%M:%fZ', 'now')))")
      .bind(number(run), keep(database, best.settings))
      .bind(best.time_us.low, best.time_us.median, best.time_us.high, best.default_us)
      .bind(best.gain.low, best.gain.median, best.gain.high)
      .bind(best.gigabytes_per_second, best.reason, best.samples, best.batch_us)
      .bind(best.noise_floor, best.protocol, best.stream_us, best.measurement)
      .bind(Blob{row_hash(run, question, best)}, at)
      .run();
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
      " + (SELECT count(*) FROM revocation)");
}

}  // namespace redtune::cache
