// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Where results, logs and binaries of the current user lie, and how their files are named.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

namespace redtune::cache {

/// The schema's major number: it is part of every file name, so that old and new programs can live
/// side by side.
inline constexpr int schema_major = 1;
inline constexpr std::string_view store_name = "results-v1.db";
inline constexpr std::string_view snapshot_name = "best-v1.snap";
inline constexpr std::string_view snapshot_suffix = ".snap";

/// Folders of the user by the XDG Base Directory rules: unset, empty or relative variables count as
/// unset. Nothing when HOME is missing too. They need not exist.
[[nodiscard]] std::optional<std::filesystem::path> results_folder();  ///< they cost GPU time
[[nodiscard]] std::optional<std::filesystem::path> logs_folder();
[[nodiscard]] std::optional<std::filesystem::path> binaries_folder();  ///< deletable at any time

/// The store that somebody named: the option `--cache` (empty: not given), else REDTUNE_CACHE.
[[nodiscard]] std::optional<std::filesystem::path> named_store(std::string_view option = {});

/// The store to write: the named one, else the user's. Nothing: use a store in memory and warn.
[[nodiscard]] std::optional<std::filesystem::path> store_path(std::string_view option = {});

/// The file that a path means: a symbolic link that stands there is followed to its end. Others,
/// and links to nothing, are returned as they are.
[[nodiscard]] std::filesystem::path follow_link(const std::filesystem::path& file);

/// The snapshot that stands beside a store, and beside what a link leads to, so that a store has
/// one: best-v1.snap for results-v1.db, else the store's whole name with ".best-v1.snap" appended.
/// A path that names a snapshot already is returned as it is.
[[nodiscard]] std::filesystem::path snapshot_of(const std::filesystem::path& store);

/// Whether a path ends as snapshots do, in ".snap", and so cannot be a store.
[[nodiscard]] bool names_snapshot(const std::filesystem::path& file);

}  // namespace redtune::cache
