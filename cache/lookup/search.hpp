// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Finds what a snapshot knows about a question, by its indexes; private to this folder.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "cache/lookup/grade.hpp"
#include "cache/snapshot/view.hpp"

namespace redtune::cache {

/// The entry that fits best, whatever its grade.
struct Candidate {
  StoredBest entry;
  Grade grade;
  std::vector<Difference> differences;
  std::optional<MeasuredBorder> border = {};  ///< that it was chosen by
  std::int64_t trials = 0;                    ///< see LookupResult
};

/// Nothing when there is no entry of the family at all. Throws SnapshotDamage.
[[nodiscard]] std::optional<Candidate> find_candidate(const SnapshotView& view, const Query& query);

/// Adds the shapes of all entries that a question with their shape would find as more than near.
/// Throws SnapshotDamage.
void add_tuned_shapes(const SnapshotView& view, const Query& query, std::set<Shape>& shapes);

}  // namespace redtune::cache
