// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The generations of a snapshot: best-v1.snap is the newest one's second name, best-v1.42.snap,
// with its publication number, its own. Older ones stay for a while: for people, and so that a file
// that a process has read does not leave its number on the file system to its successor.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace redtune::cache {

/// best-v1.42.snap for best-v1.snap.
[[nodiscard]] std::filesystem::path generation_file(const std::filesystem::path& file,
                                                    std::int64_t generation);

struct Generation {
  std::int64_t number = 0;
  std::filesystem::path file;
  std::chrono::sys_time<std::chrono::file_clock::duration> at;  ///< when it was published
};

/// Those of a snapshot that are kept, the current one too, newest first. Their content is unread.
[[nodiscard]] std::vector<Generation> kept_generations(const std::filesystem::path& file);

/// Gives the file its own name, and removes what is out of date. Of the others stay the two newest,
/// for a day, and the last of each day (UTC), for 30 days. Temporary files that somebody left
/// behind go after a day. What cannot be done is left undone: no answer depends on it.
void keep_generation(const std::filesystem::path& file, std::int64_t generation) noexcept;

}  // namespace redtune::cache
