// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The current best results of a store as one JSON file: all that applications ever read.
// Readers take no lock and write nothing; any damage is noticed by the checksum.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cache/records.hpp"

namespace redtune::cache {

inline constexpr std::size_t max_snapshot_bytes = std::size_t{64} << 20;

struct Snapshot {
  std::int64_t generation = 0;  ///< that of the newest entry the store had
  std::vector<StoredBest> entries{};
  std::size_t skipped = 0;  ///< entries of an intact file that make no sense here

  bool operator==(const Snapshot&) const = default;
};

enum class SnapshotFault {
  missing,
  unreadable,  ///< no permission, no regular file, an input error
  too_large,
  truncated,
  garbage,  ///< no snapshot of redtune, or not what its own format demands
  wrong_checksum,
  newer,      ///< of a version that this program does not know
  untrusted,  ///< somebody else could have written it; see trust.hpp
};

[[nodiscard]] std::string_view to_string(SnapshotFault fault);

struct SnapshotRefusal {
  SnapshotFault fault = SnapshotFault::missing;
  std::string detail;  ///< a sentence for people, with the path
};

using SnapshotResult = std::variant<Snapshot, SnapshotRefusal>;

/// Throws only when memory runs out: bad content is an answer, not an error.
[[nodiscard]] SnapshotResult load_snapshot(const std::filesystem::path& file);

/// Replaces the file at once or not at all. Throws IoError; the old file then stays.
void publish_snapshot(const std::filesystem::path& file, const Snapshot& snapshot);

/// The text of a snapshot file, and its reading; the name is used in texts only.
[[nodiscard]] std::string to_text(const Snapshot& snapshot);
[[nodiscard]] SnapshotResult parse_snapshot(std::string_view text, const std::string& name);

}  // namespace redtune::cache
