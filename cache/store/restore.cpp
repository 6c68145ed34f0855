// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The part of Store that lets an older generation of answers answer again. Nothing is taken back:
// what answered then is published once more.
#include <algorithm>
#include <fmt/format.h>

#include "cache/exchange/of_snapshot.hpp"
#include "cache/store/best_rows.hpp"
#include "cache/store/impl.hpp"
#include "cache/store/rows.hpp"

namespace redtune::cache {
namespace {

/// As far as a snapshot tells; when it was published is not part of what it is.
bool is_same(Best one, Best other) {
  one.measurement.clear();
  other.measurement.clear();
  return one == other;
}

bool is_same(const StoredBest& one, const StoredBest& other) {
  return one.question == other.question && is_same(one.best, other.best);
}

/// The result of a store that a snapshot shows; of several, one that is not revoked.
const PastResult* find(const std::vector<PastResult>& history, const StoredBest& shown) {
  const PastResult* found = nullptr;
  for (const PastResult& past : history) {
    if (!is_same(past.stored, shown)) continue;
    if (!past.revoked) return &past;
    found = &past;
  }
  return found;
}

bool answers(const std::optional<StoredBest>& now, const StoredBest& shown) {
  return now && is_same(now->best, shown.best);
}

}  // namespace

std::size_t Store::differing(const Snapshot& snapshot) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      snapshot.entries,
      [&](const StoredBest& shown) { return !answers(best(shown.question), shown); }));
}

Restored Store::restore(const Snapshot& snapshot, const std::string& origin) {
  Database& database = impl_->database;
  Restored done;
  std::size_t borders = 0;
  write_row(database, "older result", [&] {
    done = {};
    const std::vector<PastResult> past = history();
    for (const StoredBest& shown : snapshot.entries) {
      if (answers(best(shown.question), shown)) {
        ++done.unchanged;
        continue;
      }
      const PastResult* known = find(past, shown);
      if (known != nullptr && known->revoked) {
        done.revoked.push_back(known->stored.generation);
        continue;
      }
      if (known != nullptr) {
        insert_best(database, known->stored.run, known->stored.best, std::nullopt);
      } else {
        insert_best(database, adopt_run(run_of(shown), origin), shown.best, std::nullopt);
      }
      ++done.restored;
    }
    borders = adopt_borders(snapshot.borders, origin);
  });
  if (done.restored > 0 || borders > 0) renew_snapshot();
  return done;
}

}  // namespace redtune::cache
