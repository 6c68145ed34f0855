// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a store stands on: the file system of its folder, and SQLite.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace redtune::cache {

struct FileSystem {
  std::string name;  ///< "ext4", "tmpfs", "nfs"; a number for one without a name here
  /// Shared memory and locks work as a write-ahead log needs it. Elsewhere, as on network file
  /// systems, stores use a rollback journal.
  bool serves_wal = false;
};

/// Of an existing file or folder; nothing where it cannot be asked.
[[nodiscard]] std::optional<FileSystem> file_system_of(const std::filesystem::path& file);

/// Of the library in use, "3.40.1".
[[nodiscard]] std::string sqlite_version();

}  // namespace redtune::cache
