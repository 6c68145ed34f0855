// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Snapshots for tests: as they are published, changed by somebody, and what is said of them.
#pragma once

#include <string>

#include "cache/keys/key.hpp"
#include "cache/snapshot/format.hpp"
#include "samples.hpp"

namespace redtune::cache::testing {

inline Snapshot sample_snapshot() {
  Snapshot snapshot{.generation = 9};
  snapshot.entries = {sample_entry(4), sample_entry(9)};
  snapshot.entries[1].question.problem.count = 1000;
  return snapshot;
}

/// Between the two results of the snapshot above.
inline StoredBorder sample_border(std::int64_t first = 50'000) {
  const StoredBest below = sample_snapshot().entries[1];
  const StoredBest above = sample_snapshot().entries[0];
  return {.question = below.question,
          .border = {.above = above.question.problem.count,
                     .below_config = key_of(below.best.settings).hash,
                     .above_config = key_of(above.best.settings).hash,
                     .first = first,
                     .still_below = first - 1'000,
                     .first_above = first + 1'000},
          .at = "2026-01-03T03:04:05.678Z"};
}

inline Snapshot snapshot_with_border(const StoredBorder& border = sample_border()) {
  Snapshot snapshot = sample_snapshot();
  snapshot.borders = {border};
  return snapshot;
}

/// A change of a file by somebody who then makes its hashes right.
template <class Change>
std::string resealed(std::string file, const Change& change) {
  change(file);
  format::seal(file);
  return file;
}

inline std::string fault_of(const SnapshotResult& result) {
  const auto* refusal = std::get_if<SnapshotRefusal>(&result);
  return refusal == nullptr ? "accepted" : std::string(to_string(refusal->fault));
}

}  // namespace redtune::cache::testing
