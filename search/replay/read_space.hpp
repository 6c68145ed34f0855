// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Recorded search spaces from files of others and of our own. Whoever wrote a file is not trusted.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "search/replay/recorded_space.hpp"

namespace redtune::search {

/// Of a file, unpacked.
inline constexpr std::size_t most_space_bytes = std::size_t{512} << 20;

/// A T4 file or a cache file of Kernel Tuner, plain or packed by gzip, told apart by content.
/// Throws UsageError for anything else; the text goes on after the name of a file.
[[nodiscard]] RecordedSpace read_space(std::string bytes);

/// The same from a file, named after it. Throws IoError for one that cannot be read, UsageError
/// that names the file for one that holds no space.
[[nodiscard]] RecordedSpace read_space_file(const std::filesystem::path& file);

/// What such a file holds, unpacked. Throws IoError, and UsageError; that text goes on after the
/// name of the file.
[[nodiscard]] std::string read_space_text(const std::filesystem::path& file);

}  // namespace redtune::search
