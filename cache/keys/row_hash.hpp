// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Finds rows that are not what was written: SQLite's own checks miss a few bits in a hundred.
// Private to cache/.
#pragma once

#include <string>

#include "cache/keys/borders.hpp"
#include "cache/keys/records.hpp"

namespace redtune::cache {

/// The question of a run as the keys that stand in its row.
struct QuestionKeys {
  std::string family;
  std::string space;
  std::string problem;
  std::string device_class;
  std::string toolchain;
};

/// The first 16 bytes of the SHA-256 over everything a row says but its id, its date and members of
/// Kept::in_later_stores. What it refers to is covered by key, so by content.
/// config: the key of its settings.
[[nodiscard]] std::string row_hash(RunId run, const Trial& trial, const std::string& config);
[[nodiscard]] std::string row_hash(RunId run, const QuestionKeys& question, const Best& best);
[[nodiscard]] std::string row_hash(const QuestionKeys& question, const Border& border);
/// Of a prediction.
[[nodiscard]] std::string row_hash(const QuestionKeys& question, const Settings& settings,
                                   std::int64_t trials);

}  // namespace redtune::cache
