// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cache/binaries/binaries.hpp"

#include <exception>
#include <sys/stat.h>
#include <unistd.h>

#include "cache/files/files.hpp"
#include "cache/keys/sha256.hpp"

namespace redtune::cache {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_bytes = std::size_t{1} << 30;
constexpr std::size_t digest_digits = 64;

/// What is loaded here runs on the device: nobody else may have written it.
bool is_trusted(const fs::path& path) {
  struct stat status {};
  if (lstat(path.c_str(), &status) != 0 || S_ISLNK(status.st_mode)) return false;
  const bool is_ours = status.st_uid == geteuid() || status.st_uid == 0;
  return is_ours && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

}  // namespace

Binaries::Binaries(std::optional<fs::path> folder) : folder_(std::move(folder)) {}

fs::path Binaries::file_of(const std::string& key) const {
  return *folder_ / "co-v1" / key.substr(0, 2) / key;
}

std::optional<std::string> Binaries::get(const std::string& key) const {
  if (!folder_) return std::nullopt;
  const fs::path file = file_of(key);
  if (!is_trusted(file) || !is_trusted(file.parent_path()) || !is_trusted(*folder_)) {
    return std::nullopt;
  }
  auto read = read_whole(file, most_bytes);
  auto* content = std::get_if<std::string>(&read);
  if (content == nullptr || content->size() < digest_digits) return std::nullopt;
  // The digest comes first; a file that was cut or changed has another.
  const std::string_view payload = std::string_view(*content).substr(digest_digits);
  if (sha256_hex(payload) != content->substr(0, digest_digits)) return std::nullopt;
  return std::string(payload);
}

void Binaries::put(const std::string& key, std::string_view content) const noexcept {
  if (!folder_) return;
  try {
    const fs::path file = file_of(key);
    make_private_folder(file.parent_path());
    replace_file(file, sha256_hex(content) + std::string(content), Durability::unsynced);
  } catch (const std::exception&) {
  }
}

}  // namespace redtune::cache
