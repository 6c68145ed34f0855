// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The generations of a snapshot: best-v1.snap is the newest one's second name, best-v1.42.snap,
// with its publication number, its own. Older ones stay for a while: for people, and so that a file
// that a process has read does not leave its number on the file system to its successor. Private to
// this folder.
#pragma once

#include <cstdint>
#include <filesystem>

namespace redtune::cache {

/// best-v1.42.snap for best-v1.snap.
[[nodiscard]] std::filesystem::path generation_file(const std::filesystem::path& file,
                                                    std::int64_t generation);

/// Gives the file its own name, and removes what is out of date: all but the two newest others, and
/// of these what is older than a day; likewise temporary files that somebody left behind. What
/// cannot be done is left undone: no answer depends on it.
void keep_generation(const std::filesystem::path& file, std::int64_t generation) noexcept;

}  // namespace redtune::cache
