// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Rows of published results: how they are read, checked and written. Private to this folder.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cache/keys/records.hpp"
#include "cache/keys/row_hash.hpp"
#include "cache/keys/shared_run.hpp"
#include "cache/store/sqlite.hpp"

namespace redtune::cache {

/// Rows as the functions below read them; a WHERE may follow.
extern const std::string best_columns;

/// The best result of an undamaged row.
[[nodiscard]] std::optional<Best> checked_best(const Statement& row);

/// Nothing for a row with names that only another version of redtune knows.
[[nodiscard]] std::optional<StoredBest> best_from(const Statement& row, const Best& best);

/// Where a row's run was made, if not in this store.
[[nodiscard]] std::string origin_of(const Statement& row);

/// Empty for a run that does not exist; a row that refers to it is refused.
[[nodiscard]] QuestionKeys question_keys(Database& database, RunId run);

/// Throws UsageError for numbers that are no measurement, and for a contended one.
void require_publishable(const Best& best);

/// at: when it was published; nothing: now.
void insert_best(Database& database, RunId run, const Best& best,
                 const std::optional<std::string>& at);

/// Whether a result is here, undamaged or revoked.
[[nodiscard]] bool is_kept(Database& database, const Question& question,
                           const SharedResult& result);

/// Counts what changes the answers of a store: each result published, each word on one, each
/// border, and each prediction that was ever written. Only grows.
[[nodiscard]] std::int64_t change_count(Database& database);

}  // namespace redtune::cache
