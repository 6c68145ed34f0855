// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The current best results of a store in one file: all that applications ever read. Readers take no
// lock and write nothing; what is damaged is noticed before it is used.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cache/keys/borders.hpp"
#include "cache/keys/predictions.hpp"
#include "cache/keys/records.hpp"

namespace redtune::cache {

inline constexpr std::size_t max_snapshot_bytes = std::size_t{64} << 20;

/// How much of a file of so many bytes is taken into memory at once. Entries share their texts, so
/// that a small file can name a large one very often; what redtune writes is far below.
[[nodiscard]] constexpr std::size_t max_loaded_bytes(std::size_t file_bytes) {
  constexpr std::size_t most = std::size_t{1} << 30;
  constexpr std::size_t for_any_file = std::size_t{16} << 20;
  return std::min(most, for_any_file + 64 * file_bytes);
}

struct Snapshot {
  /// The publication number: grows with each result that the store published, revoked or restored,
  /// and with each border and prediction.
  std::int64_t generation = 0;
  std::vector<StoredBest> entries{};
  std::vector<StoredBorder> borders{};  ///< those that hold between the entries
  std::vector<StoredPrediction> predictions{};
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

  bool operator==(const SnapshotRefusal&) const = default;
};

using SnapshotResult = std::variant<Snapshot, SnapshotRefusal>;

class SnapshotView;
using SharedView = std::shared_ptr<const SnapshotView>;
using OpenedSnapshot = std::variant<SharedView, SnapshotRefusal>;

/// How much of a file is read when it is opened.
enum class Reading {
  whole,   ///< and the file is closed; may be asked from any thread
  needed,  ///< its head; the rest as it is asked for, by one thread, and the file is open meanwhile
};

// None of these throws but when memory runs out: bad content is an answer, not an error.

/// Opens a file to look things up in it: checks its head, and the rest when it is asked for.
[[nodiscard]] OpenedSnapshot open_snapshot(const std::filesystem::path& file,
                                           Reading reading = Reading::whole);
/// Likewise of a file's content; the name is used in texts only.
[[nodiscard]] OpenedSnapshot open_snapshot(std::string_view content, const std::string& name);

/// The publication number of an intact file.
[[nodiscard]] std::optional<std::int64_t> generation_in(const std::filesystem::path& file);

/// Everything in a file, oldest generation first, all of it checked; too_large where that is more
/// than max_loaded_bytes.
[[nodiscard]] SnapshotResult load_snapshot(const std::filesystem::path& file);
[[nodiscard]] SnapshotResult parse_snapshot(std::string_view content, const std::string& name);

/// The content of a snapshot file: the same bytes for the same entries in any order. Throws
/// UsageError for more than a file can hold.
[[nodiscard]] std::string to_bytes(const Snapshot& snapshot);

/// For people, and programs that are not ours: one JSON object.
[[nodiscard]] std::string describe_as_json(const Snapshot& snapshot);

/// Replaces the file at once or not at all, and gives it a second name with its publication number,
/// under which it stays for a while. Throws IoError; the old file then stays.
void publish_snapshot(const std::filesystem::path& file, const Snapshot& snapshot);

}  // namespace redtune::cache
