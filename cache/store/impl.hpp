// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a Store holds; private to this folder.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "cache/store/sqlite.hpp"
#include "cache/store/store.hpp"

namespace redtune::cache {

struct Store::Impl {
  Database database;
  std::optional<std::filesystem::path> file;
  std::string name{};  ///< of the file that it is, or of which it is a copy
  std::vector<std::string> warnings{};
  bool is_published = true;  ///< the snapshot shows what the store knows
  /// Rows whose hash was found to be wrong, each once: table and id.
  std::set<std::pair<std::string, std::int64_t>> damaged_rows{};
  std::map<std::int64_t, StoredBest> known_bests{};  ///< by their generations
  std::int64_t bests_version = 0;  ///< of the database as others wrote it, when these were read

  /// Brings these among the known ones, but for those with names that only another version knows:
  /// which of them are damaged.
  std::vector<std::int64_t> read_bests(const std::vector<std::int64_t>& generations);
};

/// Within a transaction: takes a result back, or takes that back. Throws as Store::mark().
void insert_revocation(Database& database, std::int64_t generation, Word word,
                       const std::string& reason);

}  // namespace redtune::cache
