// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How well one stored result fits a query, and in what it does not; private to this folder.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "cache/lookup/lookup.hpp"
#include "cache/snapshot/view.hpp"

namespace redtune::cache {

/// Smaller is better, member by member.
struct Grade {
  Match match = Match::fallback;
  double shape_distance = 0;
  std::size_t differences = 0;
  std::int64_t age = 0;  ///< generation, negated

  auto operator<=>(const Grade&) const = default;
};

/// The grade of a stored question whose shape is the one asked for; fallback: it does not fit. An
/// asked space that is empty is any.
[[nodiscard]] Match grade_of(const QuestionRow& asked, const QuestionRow& stored);

/// A query without its shape; its texts are the query's.
[[nodiscard]] QuestionRow row_of(const Query& query);

[[nodiscard]] std::vector<Difference> differences(const Query& query, const StoredBest& entry);

}  // namespace redtune::cache
