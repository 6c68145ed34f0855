// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The part of Store that shows every result it ever published, and takes results back.
#include <fmt/format.h>
#include <set>

#include "cache/store/best_rows.hpp"
#include "cache/store/impl.hpp"
#include "cache/store/rows.hpp"

namespace redtune::cache {
namespace {

std::optional<Revocation> revocation_of(Database& database, std::int64_t generation) {
  Statement row = database.prepare("SELECT reason, at FROM revoked WHERE generation = ?");
  row.bind(generation);
  if (!row.step()) return std::nullopt;
  return Revocation{row.text(0), row.text(1)};
}

}  // namespace

void insert_revocation(Database& database, std::int64_t generation, Word word,
                       const std::string& reason) {
  const bool is_there = [&] {
    Statement row = database.prepare("SELECT 1 FROM best WHERE generation = ?");
    row.bind(generation);
    return row.step();
  }();
  if (!is_there) {
    throw UsageError(
        fmt::format("there is no result {}; see: redtune cache list --all", generation));
  }
  const bool is_revoked = revocation_of(database, generation).has_value();
  if (is_revoked == (word == Word::revoked)) {
    throw UsageError(
        fmt::format("result {} is {}", generation, is_revoked ? "already revoked" : "not revoked"));
  }
  database.prepare("INSERT INTO revocation (generation, what, reason) VALUES (?, ?, ?)")
      .bind(generation, std::string_view(word == Word::revoked ? "revoked" : "restored"), reason)
      .run();
}

std::vector<PastResult> Store::history() const {
  Database& database = impl_->database;
  std::vector<PastResult> all;
  std::set<Question> answered;
  Statement row = database.prepare(fmt::format("{} ORDER BY best.generation DESC", best_columns));
  while (row.step()) {
    const auto best = checked_best(row);
    if (!best) {
      impl_->damaged_rows.emplace("best", row.integer(0));
      continue;
    }
    auto stored = best_from(row, *best);
    if (!stored) continue;
    PastResult result{.stored = std::move(*stored), .origin = origin_of(row)};
    result.revoked = revocation_of(database, result.stored.generation);
    result.answers = !result.revoked && answered.insert(result.stored.question).second;
    all.push_back(std::move(result));
  }
  return all;
}

void Store::mark(std::int64_t generation, Word word, const std::string& reason) {
  Database& database = impl_->database;
  write_row(database, "revocation", [&] { insert_revocation(database, generation, word, reason); });
  renew_snapshot();
}

}  // namespace redtune::cache
