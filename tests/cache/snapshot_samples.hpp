// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Snapshots for tests: as they are published, changed by somebody, and what is said of them.
#pragma once

#include <string>

#include "cache/snapshot/format.hpp"
#include "samples.hpp"

namespace redtune::cache::testing {

inline Snapshot sample_snapshot() {
  Snapshot snapshot{.generation = 9};
  snapshot.entries = {sample_entry(4), sample_entry(9)};
  snapshot.entries[1].question.problem.count = 1000;
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
