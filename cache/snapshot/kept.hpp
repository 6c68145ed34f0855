// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Snapshots that somebody keeps, each under the hash of its content: copies that no publication
// replaces and nothing collects. They lie in a folder beside the snapshot.
#pragma once

#include <chrono>
#include <compare>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace redtune::cache {

/// SHA-256 of a whole snapshot file, as sha256sum prints it.
struct SnapshotHash {
  std::string digits;  ///< 64 hexadecimal ones, lower case

  auto operator<=>(const SnapshotHash&) const = default;
};

/// "sha256:" and the digits.
[[nodiscard]] std::string to_string(const SnapshotHash& hash);
/// Nothing where a text is none; digits may be capitals.
[[nodiscard]] std::optional<SnapshotHash> parse_snapshot_hash(std::string_view text);
[[nodiscard]] SnapshotHash snapshot_hash_of(std::string_view content);

/// The folder of those kept beside a snapshot, and the file of one; they need not exist.
[[nodiscard]] std::filesystem::path kept_folder(const std::filesystem::path& snapshot);
[[nodiscard]] std::filesystem::path kept_file(const std::filesystem::path& snapshot,
                                              const SnapshotHash& hash);

struct KeptSnapshot {
  SnapshotHash hash;  ///< by its name; its content is unread
  std::filesystem::path file;
  std::chrono::sys_time<std::chrono::file_clock::duration> at;  ///< since when it is kept
};

/// Newest first.
[[nodiscard]] std::vector<KeptSnapshot> kept_snapshots(const std::filesystem::path& snapshot);

/// Keeps a content beside a snapshot; one that is kept already stays as it is, unless it is
/// damaged. Throws IoError.
SnapshotHash keep_content(const std::filesystem::path& snapshot, std::string_view content);

/// Whether it was there. Throws IoError where it cannot be removed.
bool let_go(const std::filesystem::path& snapshot, const SnapshotHash& hash);

}  // namespace redtune::cache
