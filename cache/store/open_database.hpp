// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Opens or creates the database file of a store, and sets a damaged one aside.
#pragma once

#include <filesystem>
#include <string>

#include "cache/store/sqlite.hpp"

namespace redtune::cache {

/// A store that is only read and cannot be.
class DamagedStore : public IoError {
 public:
  using IoError::IoError;
};

/// What of a store is looked at before it is used.
enum class Check {
  what_answers,  ///< of a large one everything but trials
  every_page,
};

struct OpenedDatabase {
  Database database;
  std::string warning;  ///< empty when all is well
};

/// The folder is created with mode 0700 and the file with mode 0600. A damaged store is kept as
/// NAME.corrupt-<n>, and a new one with what could be read of it takes its place. A store of an
/// earlier minor version is brought forward, after a copy of it was put aside as NAME.before-<n>.
/// Throws UsageError for a file that is no store: it is left as it is; IoError for a newer
/// redtune's store and an unusable path.
[[nodiscard]] OpenedDatabase open_database(const std::filesystem::path& file,
                                           Check check = Check::what_answers);

/// Throws UsageError for a file that is no store, and IoError for one that cannot be looked at.
/// SQLite itself is asked only of what may be a store: opening a database of somebody else's could
/// undo what its owner was stopped in.
void refuse_foreign(const std::filesystem::path& file);

/// What a store holds now, in memory: the file is only read, and an older one is brought forward in
/// memory only. Throws IoError for a file that cannot be read, DamagedStore for a damaged one, and
/// UsageError for what is no store.
[[nodiscard]] Database copy_database(const std::filesystem::path& file);

/// The same with whatever damage it has, and of the version that it is of: damage shows when it is
/// read, as SqliteError.
[[nodiscard]] Database copy_as_it_is(const std::filesystem::path& file);

/// An existing store of any minor version where it is, to be read only. Throws like copy_database,
/// but for its size.
[[nodiscard]] Database look_at_database(const std::filesystem::path& file);

/// Gives an empty database the tables, and an older one what it lacks.
void create_schema(Database& database);

}  // namespace redtune::cache
