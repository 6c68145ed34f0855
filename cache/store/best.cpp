// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The part of Store that keeps the best results and shows them to applications.
#include <algorithm>
#include <fmt/format.h>

#include "cache/keys/borders.hpp"
#include "cache/store/best_rows.hpp"
#include "cache/store/impl.hpp"
#include "cache/store/rows.hpp"

namespace redtune::cache {
namespace {

/// The newest generation of every question, those in bad_generations (a JSON list) apart.
std::string newest_generations(std::string_view bad_generations) {
  return fmt::format(
      "{} WHERE best.generation IN (SELECT max(b.generation) FROM best AS b LEFT JOIN run AS r"
      " ON r.id = b.run WHERE b.generation NOT IN (SELECT value FROM json_each('{}'))"
      " AND b.generation NOT IN (SELECT generation FROM revoked)"
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
  write_row(database, "best result", [&] { insert_best(database, run, best, std::nullopt); });
  renew_snapshot();
}

std::optional<StoredBest> Store::best(const Question& question) const {
  Statement row = impl_->database.prepare(
      fmt::format("{} WHERE run.family = ? AND run.space = ? AND run.problem = ?"
                  " AND run.device_class = ? AND run.toolchain = ?"
                  " AND best.generation NOT IN (SELECT generation FROM revoked)"
                  " ORDER BY best.generation DESC",
                  best_columns));
  bind_question(row, question);
  while (row.step()) {
    if (const auto best = checked_best(row)) return best_from(row, *best);
    impl_->damaged_rows.emplace("best", row.integer(0));
  }
  return std::nullopt;
}

Snapshot Store::results() const {
  Snapshot snapshot{.generation = change_count(impl_->database)};
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
  snapshot.borders = borders_among(snapshot.entries, borders());
  return snapshot;
}

Snapshot Store::bests() const {
  Snapshot snapshot = results();
  snapshot.predictions = predictions();
  std::ranges::sort(snapshot.predictions);
  return snapshot;
}

}  // namespace redtune::cache
