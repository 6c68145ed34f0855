// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Opens or creates the database file of a store, and sets a damaged one aside.
#pragma once

#include <filesystem>
#include <string>

#include "cache/sqlite.hpp"

namespace redtune::cache {

struct OpenedDatabase {
  Database database;
  std::string warning;  ///< empty when all is well
};

/// The folder is created with mode 0700 and the file with mode 0600. A file that is no database, or
/// a damaged one, is renamed to NAME.corrupt-<n>: nothing is lost, and an empty one takes its
/// place. Throws IoError for a newer redtune's store, another program's database and an unusable
/// path.
[[nodiscard]] OpenedDatabase open_database(const std::filesystem::path& file);

/// Gives an empty database the tables.
void create_schema(Database& database);

}  // namespace redtune::cache
