// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The part of Store that keeps the best results and shows them to applications.
#include <fmt/format.h>

#include "cache/key.hpp"
#include "cache/paths.hpp"
#include "cache/store_impl.hpp"
#include "cache/store_rows.hpp"

namespace redtune::cache {
namespace {

constexpr std::string_view best_columns = R"sql(
SELECT best.generation, best.run, best.at, run.family, run.space, problem.fields,
       device_class.fields, toolchain.fields, run.device_name, config.fields,
       best.low_us, best.median_us, best.high_us, best.default_us, best.gain_low,
       best.gain_median, best.gain_high, best.gigabytes_per_second, best.reason, best.samples,
       best.batch_us, best.noise_floor, best.protocol, best.stream_us, best.measurement,
       best.row_hash, run.problem, run.device_class, run.toolchain, best.config
FROM best
LEFT JOIN run ON run.id = best.run
LEFT JOIN config ON config.key = best.config
LEFT JOIN problem ON problem.key = run.problem
LEFT JOIN device_class ON device_class.key = run.device_class
LEFT JOIN toolchain ON toolchain.key = run.toolchain
)sql";

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

/// The best result of an undamaged row.
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

/// Nothing for a row with names that only another version of redtune knows.
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

void insert_best(Database& database, RunId run, const QuestionKeys& question, const Best& best) {
  database
      .prepare(
          "INSERT INTO best (run, config, low_us, median_us, high_us, default_us, gain_low,"
          " gain_median, gain_high, gigabytes_per_second, reason, samples, batch_us, noise_floor,"
          " protocol, stream_us, measurement, row_hash)"
          " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
      .bind(number(run), keep(database, best.settings))
      .bind(best.time_us.low, best.time_us.median, best.time_us.high, best.default_us)
      .bind(best.gain.low, best.gain.median, best.gain.high)
      .bind(best.gigabytes_per_second, best.reason, best.samples, best.batch_us)
      .bind(best.noise_floor, best.protocol, best.stream_us, best.measurement)
      .bind(Blob{row_hash(run, question, best)})
      .run();
}

/// Empty for a run that does not exist; the row is refused then.
QuestionKeys question_keys(Database& database, RunId run) {
  Statement row = database.prepare(
      "SELECT family, space, problem, device_class, toolchain FROM run WHERE id = ?");
  row.bind(number(run));
  if (!row.step()) return {};
  return {row.text(0), row.text(1), row.text(2), row.text(3), row.text(4)};
}

/// The newest generation of every question, those in bad_generations (a JSON list) apart.
std::string newest_generations(std::string_view bad_generations) {
  return fmt::format(
      "{} WHERE best.generation IN (SELECT max(b.generation) FROM best AS b LEFT JOIN run AS r"
      " ON r.id = b.run WHERE b.generation NOT IN (SELECT value FROM json_each('{}'))"
      " GROUP BY r.family, r.space, r.problem, r.device_class, r.toolchain)"
      " ORDER BY best.generation",
      best_columns, bad_generations);
}

}  // namespace

void Store::publish(RunId run, const Best& best) {
  if (!is_plausible(best)) {
    throw UsageError("a best result needs finite positive times and gains; it is not published");
  }
  if (best.contended) {
    throw UsageError("another process used the device meanwhile; the result is not published");
  }
  Database& database = impl_->database;
  write_row(database, "best result",
            [&] { insert_best(database, run, question_keys(database, run), best); });
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

std::optional<StoredBest> Store::best(const Question& question) const {
  Statement row = impl_->database.prepare(
      fmt::format("{} WHERE run.family = ? AND run.space = ? AND run.problem = ?"
                  " AND run.device_class = ? AND run.toolchain = ? ORDER BY best.generation DESC",
                  best_columns));
  bind_question(row, question);
  while (row.step()) {
    if (const auto best = checked_best(row)) return best_from(row, *best);
    impl_->damaged_rows.emplace("best", row.integer(0));
  }
  return std::nullopt;
}

Snapshot Store::bests() const {
  Snapshot snapshot{.generation = impl_->database.integer("SELECT max(generation) FROM best")};
  std::string bad;
  for (bool found_bad = true; found_bad;) {
    found_bad = false;
    snapshot.entries.clear();
    snapshot.skipped = 0;
    Statement row = impl_->database.prepare(newest_generations("[" + bad + "]"));
    while (row.step()) {
      auto best = checked_best(row);
      if (!best) {
        // An older result of the same question may be whole: asked again without this one.
        impl_->damaged_rows.emplace("best", row.integer(0));
        bad += fmt::format("{}{}", bad.empty() ? "" : ",", row.integer(0));
        found_bad = true;
        continue;
      }
      best->measurement.clear();
      if (auto entry = best_from(row, *best)) {
        snapshot.entries.push_back(std::move(*entry));
      } else {
        ++snapshot.skipped;
      }
    }
  }
  return snapshot;
}

}  // namespace redtune::cache
