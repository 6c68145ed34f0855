// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What stands under a name, told from a look at its first bytes: so that a file of somebody else's
// is never taken for a store, nor a snapshot put in its place.
#pragma once

#include <filesystem>
#include <string>

namespace redtune::cache {

enum class FileKind {
  missing,
  empty,        ///< a file of no bytes: becomes whatever is written to it
  store,        ///< a store of redtune, whole or damaged
  database,     ///< another SQLite database, or one that has no tables yet
  snapshot,     ///< of redtune, whole or damaged
  foreign,      ///< none of these
  folder,       ///< or a device, a pipe, a socket: no regular file
  broken_link,  ///< a symbolic link to what is not there
  unreadable,   ///< the system does not let us look
};

struct SeenFile {
  FileKind kind = FileKind::missing;
  std::string what{};  ///< goes on after the name: "is a text file", "cannot be read: …"
};

/// Opens the file to read only, and never blocks. A file without SQLite's header counts as a
/// damaged store only with a store's tables in it.
[[nodiscard]] SeenFile look_at_file(const std::filesystem::path& file);

}  // namespace redtune::cache
