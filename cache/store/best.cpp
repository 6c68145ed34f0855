// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The part of Store that keeps the best results and shows them to applications.
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <utility>

#include "cache/keys/borders.hpp"
#include "cache/store/best_rows.hpp"
#include "cache/store/impl.hpp"
#include "cache/store/rows.hpp"

namespace redtune::cache {
namespace {

/// The newest generation of every question, those in bad_generations (a JSON list) apart;
/// ascending.
std::vector<std::int64_t> newest_generations(Database& database,
                                             const std::string& bad_generations) {
  Statement row = database.prepare(
      "SELECT max(b.generation) AS newest FROM best AS b LEFT JOIN run AS r ON r.id = b.run"
      " WHERE b.generation NOT IN (SELECT value FROM json_each(?))"
      " AND b.generation NOT IN (SELECT generation FROM revoked)"
      " GROUP BY r.family, r.space, r.problem, r.device_class, r.toolchain ORDER BY newest");
  row.bind(bad_generations);
  std::vector<std::int64_t> generations;
  while (row.step()) generations.push_back(row.integer(0));
  return generations;
}

std::string json_list(const std::vector<std::int64_t>& numbers) {
  return fmt::format("[{}]", fmt::join(numbers, ","));
}

}  // namespace

void Store::publish(RunId run, const Best& best) {
  require_publishable(best);
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

/// A row of a generation stays as it is: those that were whole are read once. Another process that
/// has written may have changed or removed rows, as data_version tells.
std::vector<std::int64_t> Store::Impl::read_bests(const std::vector<std::int64_t>& generations) {
  const std::int64_t version = database.integer("PRAGMA data_version");
  if (std::exchange(bests_version, version) != version) known_bests.clear();
  std::vector<std::int64_t> unknown;
  std::ranges::copy_if(generations, std::back_inserter(unknown),
                       [&](std::int64_t generation) { return !known_bests.contains(generation); });
  std::vector<std::int64_t> bad;
  if (unknown.empty()) return bad;
  Statement row = database.prepare(
      fmt::format("{} WHERE best.generation IN (SELECT value FROM json_each(?))", best_columns));
  row.bind(json_list(unknown));
  while (row.step()) {
    auto best = checked_best(row);
    if (!best) {
      damaged_rows.emplace("best", row.integer(0));
      bad.push_back(row.integer(0));
      continue;
    }
    best->measurement.clear();
    auto known = best_from(row, *best);
    if (known) known_bests.insert_or_assign(row.integer(0), std::move(*known));
  }
  return bad;
}

Snapshot Store::results() const {
  Snapshot snapshot{.generation = change_count(impl_->database)};
  std::vector<std::int64_t> bad;
  std::vector<std::int64_t> newest;
  while (true) {
    newest = newest_generations(impl_->database, json_list(bad));
    const auto found = impl_->read_bests(newest);
    if (found.empty()) break;
    // An older result of the same question may be whole: asked again without these.
    bad.insert(bad.end(), found.begin(), found.end());
  }
  for (const std::int64_t generation : newest) {
    const auto known = impl_->known_bests.find(generation);
    if (known != impl_->known_bests.end())
      snapshot.entries.push_back(known->second);
    else
      ++snapshot.skipped;
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
