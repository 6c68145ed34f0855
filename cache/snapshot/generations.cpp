// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cache/snapshot/generations.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <fmt/format.h>
#include <string>
#include <vector>

#include "cache/files/files.hpp"
#include "cache/files/paths.hpp"

namespace redtune::cache {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t newest_kept = 2;
constexpr std::chrono::hours newest_kept_for{24};
constexpr std::chrono::days days_kept_for{30};

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

/// Newest first.
std::vector<OldFile> generations_beside(const fs::path& file) {
  const std::string stem = stem_of(file);
  auto found =
      files_beside(file, [&](const std::string& name) { return is_generation(name, stem); });
  std::ranges::sort(found, std::ranges::greater{});
  return found;
}

/// The day in UTC.
auto day_of(fs::file_time_type at) {
  return std::chrono::floor<std::chrono::days>(std::chrono::file_clock::to_sys(at));
}

void collect(const fs::path& file, const fs::path& current) {
  const auto now = fs::file_time_type::clock::now();
  const auto younger_than = [&](const OldFile& one, auto age) { return one.at > now - age; };
  std::error_code ignored;
  std::size_t newer = 0;
  auto day = day_of(now);  // the current one is today's last
  for (const OldFile& one : generations_beside(file)) {
    if (one.path.filename() == current.filename()) continue;
    const bool is_last_of_day = day_of(one.at) < day;
    day = std::min(day, day_of(one.at));
    const bool is_kept = (newer++ < newest_kept && younger_than(one, newest_kept_for)) ||
                         (is_last_of_day && younger_than(one, days_kept_for));
    if (!is_kept) fs::remove(one.path, ignored);
  }
  const std::string name = file.filename().string();
  for (const OldFile& left :
       files_beside(file, [&](const std::string& other) { return is_temporary_of(other, name); })) {
    if (!younger_than(left, newest_kept_for)) fs::remove(left.path, ignored);
  }
}

/// best-v1.42.snap: 42.
std::int64_t number_of(const fs::path& generation) {
  const std::string digits = generation.stem().extension().string();
  std::int64_t number = 0;
  std::from_chars(digits.data() + 1, digits.data() + digits.size(), number);
  return number;
}

}  // namespace

fs::path generation_file(const fs::path& file, std::int64_t generation) {
  return file.parent_path() / fmt::format("{}.{}{}", stem_of(file), generation, snapshot_suffix);
}

std::vector<Generation> kept_generations(const fs::path& file) {
  std::vector<Generation> kept;
  std::error_code missing;
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, missing)) return kept;
  for (const OldFile& one : generations_beside(file)) {
    kept.push_back({number_of(one.path), one.path, std::chrono::file_clock::to_sys(one.at)});
  }
  return kept;
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
