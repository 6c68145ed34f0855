// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cache/files/trust.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace redtune::cache {
namespace {

namespace fs = std::filesystem;

bool is_link(const fs::path& path) {
  struct stat status {};
  return lstat(path.c_str(), &status) == 0 && S_ISLNK(status.st_mode);
}

/// Whether somebody else may write what has this status.
bool is_open_to_others(const struct stat& status) {
  if (S_ISDIR(status.st_mode) && (status.st_mode & S_ISVTX) != 0) return false;
  const bool own_group = status.st_gid == status.st_uid;
  return (status.st_mode & S_IWOTH) != 0 || ((status.st_mode & S_IWGRP) != 0 && !own_group);
}

std::string why_open(const fs::path& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return {};  // reading it will say why
  if (status.st_uid != geteuid() && status.st_uid != 0) {
    return fmt::format("belongs to another user ({})", status.st_uid);
  }
  if (is_open_to_others(status)) {
    return fmt::format("can be changed by others (mode {:o}); chmod go-w it",
                       status.st_mode & 07777);
  }
  return {};
}

}  // namespace

std::string why_untrusted(const fs::path& file) {
  std::error_code error;
  const fs::path named = fs::absolute(file, error).parent_path();
  if (error || !fs::exists(fs::symlink_status(file, error))) return {};
  if (is_link(file)) return "is a symbolic link";
  if (is_link(named)) return fmt::format("lies in {}, which is a symbolic link", named.string());
  if (const std::string why = why_open(file); !why.empty()) return why;
  // Links farther up are how some machines are made; what they lead to is looked at.
  const fs::path real = fs::canonical(named, error);
  if (error) return {};
  for (fs::path folder = real;; folder = folder.parent_path()) {
    if (const std::string why = why_open(folder); !why.empty()) {
      return fmt::format("lies below {}, which {}", folder.string(), why);
    }
    if (folder == folder.parent_path()) return {};
  }
}

}  // namespace redtune::cache
