// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/lease/lease_folder.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "tuner/lease/lease.hpp"

namespace redtune::tuner {
namespace {

namespace fs = std::filesystem;
using cache::Descriptor;

constexpr std::string_view prefix = "redtune-";
constexpr std::string_view suffix = ".lock";

std::string file_name(const std::string& device) {
  return fmt::format("{}{}{}", prefix, safe_name(device), suffix);
}

std::string error_text(int error) {
  return std::generic_category().message(error);
}

/// Why an open folder is not this user's alone; empty when it is.
std::string why_not_private(int folder, const fs::path& path) {
  struct stat status {};
  if (fstat(folder, &status) != 0) return fmt::format("{}: {}", path.string(), error_text(errno));
  if (status.st_uid != geteuid()) {
    return fmt::format("{} belongs to user {}, not to you", path.string(), status.st_uid);
  }
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    return fmt::format("others may write to {} (mode {:o}); chmod 700 it", path.string(),
                       status.st_mode & 07777);
  }
  return {};
}

}  // namespace

std::string safe_name(std::string_view device) {
  std::string name(device);
  std::ranges::replace_if(
      name,
      [](unsigned char c) { return std::isalnum(c) == 0 && c != '.' && c != '-' && c != '_'; },
      '-');
  return name.substr(0, 128);
}

LeaseFolder LeaseFolder::open_or_create(const fs::path& path) {
  LeaseFolder folder(path);
  if (mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) {
    const int error = errno;
    folder.exists_ = false;
    folder.problem_ = fmt::format("cannot create {}: {}", path.string(), error_text(error));
    return folder;
  }
  folder.open();
  return folder;
}

LeaseFolder LeaseFolder::open_existing(const fs::path& path) {
  LeaseFolder folder(path);
  folder.open();
  return folder;
}

void LeaseFolder::open() {
  folder_ = std::make_unique<Descriptor>(
      ::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (folder_->valid()) {
    problem_ = why_not_private(folder_->number(), path_);
    return;
  }
  const int error = errno;
  exists_ = error != ENOENT;
  std::error_code ignored;
  problem_ = fs::is_symlink(path_, ignored)
                 ? fmt::format("{} is a symbolic link; remove it", path_.string())
                 : fmt::format("{}: {}", path_.string(), error_text(error));
}

std::unique_ptr<Descriptor> LeaseFolder::open_file(const std::string& device, int flags) const {
  if (!problem_.empty()) {
    errno = EACCES;
    return nullptr;
  }
  // Not blocked by a pipe that somebody has put there.
  auto file =
      std::make_unique<Descriptor>(openat(folder_->number(), file_name(device).c_str(),
                                          flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600));
  if (!file->valid()) return nullptr;
  struct stat status {};
  const bool is_ours =
      fstat(file->number(), &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid();
  if (is_ours) return file;
  file.reset();
  errno = EPERM;
  return nullptr;
}

fs::path LeaseFolder::path_of(const std::string& device) const {
  return path_ / file_name(device);
}

std::vector<std::string> LeaseFolder::devices() const {
  std::vector<std::string> devices;
  if (!problem_.empty()) return devices;
  std::error_code error;
  for (fs::directory_iterator at(path_, error); !error && at != fs::directory_iterator{};
       at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (!name.starts_with(prefix) || !name.ends_with(suffix)) continue;
    if (name.size() <= prefix.size() + suffix.size()) continue;
    devices.push_back(name.substr(prefix.size(), name.size() - prefix.size() - suffix.size()));
  }
  std::ranges::sort(devices);
  return devices;
}

LeasePlaces LeasePlaces::of_this_user() {
  const char* named = std::getenv("XDG_RUNTIME_DIR");
  const bool is_named = named != nullptr && *named == '/';
  const std::string usual = fmt::format("/run/user/{}", geteuid());
  std::error_code ignored;
  LeasePlaces places;
  if (is_named || fs::is_directory(usual, ignored)) {
    places.folders.push_back(fs::path(is_named ? named : usual) / "redtune");
  }
  places.folders.push_back(fmt::format("/tmp/redtune-{}", geteuid()));
  return places;
}

std::string problem_of_lease_folder(const fs::path& folder) {
  const LeaseFolder opened = LeaseFolder::open_existing(folder);
  if (opened.exists()) return opened.problem();
  const fs::path parent = folder.parent_path();
  if (access(parent.c_str(), W_OK | X_OK) == 0) return {};
  return fmt::format("cannot create {}: {}", folder.string(), error_text(errno));
}

std::string leased_device(const std::string& device_address) {
  if (device_address.empty()) return "host";
  std::string device = device_address;
  std::ranges::transform(device, device.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto dot = device.rfind('.');
  return dot == std::string::npos ? device : device.substr(0, dot) + ".0";
}

}  // namespace redtune::tuner
