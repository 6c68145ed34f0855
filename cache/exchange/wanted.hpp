// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What applications asked for and nobody had tuned: a file for each process, in a folder of the
// user's. Written without a lock, read as a whole.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cache/keys/records.hpp"
#include "redtune/match.hpp"

namespace redtune::cache {

/// A question as one process asked it.
struct Asked {
  Question question;
  std::string device;  ///< its name, for people
  Match match = Match::fallback;
  std::uint64_t launches = 0;  ///< with such an answer, as far as they were counted
};

/// Beside the user's results; nothing where there is no place for them. It need not exist.
[[nodiscard]] std::optional<std::filesystem::path> wanted_folder();

/// What processes write no more into: such a folder has more files than anybody reads.
inline constexpr std::size_t most_wanted_files = 10'000;

[[nodiscard]] bool is_full_of_wanted(const std::filesystem::path& folder);

/// Replaces a process's file, and makes its folder. Throws IoError where that cannot be done, and
/// where the folder is not the user's alone.
void write_wanted(const std::filesystem::path& file, std::span<const Asked> questions);

/// As it stands in such a file, and back: nothing of what is no such text, or is of another
/// version.
[[nodiscard]] std::string wanted_text(std::span<const Asked> questions);
[[nodiscard]] std::vector<Asked> asked_in(std::string_view text);

/// A question as all processes asked it.
struct Wanted {
  Question question;
  std::string device;
  Match match = Match::fallback;  ///< the worst of their answers
  std::uint64_t processes = 0;
  std::uint64_t launches = 0;
};

/// All files of a folder, each question once; files that cannot be read or understood are passed
/// over.
[[nodiscard]] std::vector<Wanted> read_wanted(const std::filesystem::path& folder);

/// Removes them: how many there were.
std::size_t forget_wanted(const std::filesystem::path& folder);

}  // namespace redtune::cache
