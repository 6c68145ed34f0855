// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cache/generations.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <string>
#include <vector>

#include "cache/files.hpp"
#include "cache/paths.hpp"

namespace redtune::cache {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kept_generations = 2;
constexpr std::chrono::hours kept_for{24};

struct OldFile {
  fs::file_time_type at;
  fs::path path;

  auto operator<=>(const OldFile&) const = default;
};

/// What stands before the suffix: best-v1 of best-v1.snap.
std::string stem_of(const fs::path& file) {
  return file.stem().string();
}

bool is_generation(std::string_view name, const std::string& stem) {
  if (!name.starts_with(stem + ".") || !name.ends_with(snapshot_suffix)) return false;
  const std::size_t suffix = snapshot_suffix.size();
  if (name.size() <= stem.size() + 1 + suffix) return false;
  name = name.substr(stem.size() + 1, name.size() - stem.size() - 1 - suffix);
  return name.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Files beside a snapshot that a test takes by their names.
template <class Test>
std::vector<OldFile> files_beside(const fs::path& file, const Test& test) {
  std::vector<OldFile> found;
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  for (const auto& one : fs::directory_iterator(folder)) {
    std::error_code gone;
    const auto at = one.last_write_time(gone);
    if (!gone && test(one.path().filename().string())) found.push_back({at, one.path()});
  }
  return found;
}

void collect(const fs::path& file, const fs::path& current) {
  const std::string stem = stem_of(file);
  const auto oldest_kept = fs::file_time_type::clock::now() - kept_for;
  auto others = files_beside(file, [&](const std::string& name) {
    return is_generation(name, stem) && name != current.filename();
  });
  std::ranges::sort(others, std::ranges::greater{});
  std::error_code ignored;
  for (std::size_t i = 0; i < others.size(); ++i) {
    if (i >= kept_generations || others[i].at < oldest_kept) fs::remove(others[i].path, ignored);
  }
  const std::string name = file.filename().string();
  for (const OldFile& left :
       files_beside(file, [&](const std::string& other) { return is_temporary_of(other, name); })) {
    if (left.at < oldest_kept) fs::remove(left.path, ignored);
  }
}

}  // namespace

fs::path generation_file(const fs::path& file, std::int64_t generation) {
  return file.parent_path() / fmt::format("{}.{}{}", stem_of(file), generation, snapshot_suffix);
}

void keep_generation(const fs::path& file, std::int64_t generation) noexcept {
  try {
    const fs::path own = generation_file(file, generation);
    std::error_code ignored;
    fs::remove(own, ignored);  // of a store that began anew
    fs::create_hard_link(file, own, ignored);
    collect(file, own);
  } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): see the header
  }
}

}  // namespace redtune::cache
