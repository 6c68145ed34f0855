// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cache/snapshot/kept.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <system_error>
#include <tuple>
#include <variant>

#include "cache/files/files.hpp"
#include "cache/files/paths.hpp"
#include "cache/keys/sha256.hpp"
#include "cache/snapshot/snapshot.hpp"
#include "redtune/error.hpp"

namespace redtune::cache {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view hash_prefix = "sha256:";
constexpr std::size_t hash_digits = 64;

std::optional<SnapshotHash> hash_named_by(const fs::path& file) {
  if (!names_snapshot(file)) return std::nullopt;
  return parse_snapshot_hash(std::string(hash_prefix) + file.stem().string());
}

/// Who may read the folder that it lies in may read it.
void make_folder_like(const fs::path& folder) {
  make_private_folder(folder);
  constexpr fs::perms readable = fs::perms::group_read | fs::perms::group_exec |
                                 fs::perms::others_read | fs::perms::others_exec;
  std::error_code error;
  const fs::perms above = fs::status(fs::absolute(folder).parent_path(), error).permissions();
  if (!error) fs::permissions(folder, above & readable, fs::perm_options::add, error);
}

}  // namespace

std::string to_string(const SnapshotHash& hash) {
  return std::string(hash_prefix) + hash.digits;
}

std::optional<SnapshotHash> parse_snapshot_hash(std::string_view text) {
  if (!text.starts_with(hash_prefix)) return std::nullopt;
  text.remove_prefix(hash_prefix.size());
  const auto is_digit = [](unsigned char c) { return std::isxdigit(c) != 0; };
  if (text.size() != hash_digits || !std::ranges::all_of(text, is_digit)) return std::nullopt;
  SnapshotHash hash{std::string(text)};
  std::ranges::transform(hash.digits, hash.digits.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return hash;
}

SnapshotHash snapshot_hash_of(std::string_view content) {
  return {sha256_hex(content)};
}

fs::path kept_folder(const fs::path& snapshot) {
  return snapshot.parent_path() / fmt::format("pinned-v{}", schema_major);
}

fs::path kept_file(const fs::path& snapshot, const SnapshotHash& hash) {
  return kept_folder(snapshot) / (hash.digits + std::string(snapshot_suffix));
}

std::vector<KeptSnapshot> kept_snapshots(const fs::path& snapshot) {
  std::vector<KeptSnapshot> kept;
  std::error_code error;
  for (fs::directory_iterator file(kept_folder(snapshot), error), end; !error && file != end;
       file.increment(error)) {
    std::error_code gone;
    const auto at = file->last_write_time(gone);
    auto hash = hash_named_by(file->path());
    if (!hash || gone) continue;
    kept.push_back({std::move(*hash), file->path(), std::chrono::file_clock::to_sys(at)});
  }
  if (error && error != std::errc::no_such_file_or_directory) {
    throw IoError(
        fmt::format("{} cannot be listed: {}", kept_folder(snapshot).string(), error.message()));
  }
  std::ranges::sort(kept, [](const KeptSnapshot& one, const KeptSnapshot& other) {
    return std::tie(other.at, one.hash) < std::tie(one.at, other.hash);
  });
  return kept;
}

SnapshotHash keep_content(const fs::path& snapshot, std::string_view content) {
  const SnapshotHash hash = snapshot_hash_of(content);
  const fs::path file = kept_file(snapshot, hash);
  const auto there = read_whole(file, max_snapshot_bytes);
  const auto* const kept = std::get_if<std::string>(&there);
  if (kept != nullptr && *kept == content) return hash;
  std::error_code missing;
  if (!fs::is_directory(file.parent_path(), missing)) make_folder_like(file.parent_path());
  replace_file(file, content);
  return hash;
}

bool let_go(const fs::path& snapshot, const SnapshotHash& hash) {
  const fs::path file = kept_file(snapshot, hash);
  std::error_code error;
  const bool was_there = fs::remove(file, error);
  if (error) throw IoError(fmt::format("cannot remove {}: {}", file.string(), error.message()));
  return was_there;
}

}  // namespace redtune::cache
