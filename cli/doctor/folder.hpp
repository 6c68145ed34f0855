// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// One folder as redtune would use it: there, writable, whose, on what.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "cache/store/storage.hpp"

namespace redtune::cli {

struct FolderState {
  bool exists = false;
  std::string owner = {};        ///< where it exists
  bool is_ours = true;           ///< so it is when it does not exist
  unsigned permissions = 0;      ///< mode bits, where it exists
  std::string why_not_writable;  ///< empty: it can be written, or created
  /// Of the folder or, where it does not exist, of the nearest one above it that does.
  std::optional<std::uintmax_t> free_bytes;
  std::optional<cache::FileSystem> file_system;
  bool locks_work = false;  ///< flock, by which stores are created by one process at a time
};

/// Tries what can be tried and leaves nothing behind.
[[nodiscard]] FolderState state_of(const std::filesystem::path& folder);

}  // namespace redtune::cli
