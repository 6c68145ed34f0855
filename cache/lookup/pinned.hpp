// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The one snapshot that look-ups are pinned to: it answers alone, or nothing does.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "cache/lookup/lookup.hpp"
#include "cache/snapshot/kept.hpp"

namespace redtune::cache {

/// The value of REDTUNE_SNAPSHOT; nothing where it is not set or empty.
[[nodiscard]] std::optional<std::string_view> pin_of_environment();

/// Throws UsageError that says how it is written; by: who has it, "REDTUNE_SNAPSHOT".
[[nodiscard]] SnapshotHash parse_pin(std::string_view text, std::string_view by);

struct PinnedSnapshot {
  LoadedLayer layer;  ///< with a view
  bool is_kept;       ///< false: it is a place's present snapshot, which a publication replaces
};

/// Looks for it among those kept beside the snapshots of all places, or beside the named store's,
/// and then among these snapshots themselves. Its content is what it is known by, so it may lie
/// where others can write. Throws IoError that says what is there instead and how to get it.
[[nodiscard]] PinnedSnapshot find_pinned(const SnapshotHash& hash,
                                         const std::optional<std::filesystem::path>& named);

/// Its layer. What this process has found once it keeps: whatever becomes of the files, it has the
/// same answers to its end. From any thread.
[[nodiscard]] LoadedLayer load_pinned(const SnapshotHash& hash,
                                      const std::optional<std::filesystem::path>& named);

}  // namespace redtune::cache
