// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/doctor/folder.hpp"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "cache/files/files.hpp"
#include "cli/names.hpp"
#include "tuner/lease/user_name.hpp"

namespace redtune::cli {
namespace {

namespace fs = std::filesystem;
using cache::Descriptor;

std::string error_text(int error) {
  return std::generic_category().message(error);
}

/// The folder or the nearest one above it that exists.
fs::path nearest_existing(fs::path folder) {
  std::error_code ignored;
  while (!fs::exists(folder, ignored) && folder.has_relative_path()) folder = folder.parent_path();
  return folder.empty() ? fs::path(".") : folder;
}

/// Writes a block, so that a full disk is noticed. Empty when it can be.
std::string why_no_block(int file) {
  constexpr std::array<char, 4096> block{};
  const ssize_t written = write(file, block.data(), block.size());
  if (written == static_cast<ssize_t>(block.size())) return {};
  return written < 0 ? error_text(errno) : error_text(ENOSPC);
}

/// Tries with a file that has no name or, where the file system has none such, loses it at once.
std::string why_no_file(const fs::path& folder) {
  const Descriptor nameless(open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (nameless.valid()) return why_no_block(nameless.number());
  if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL) return error_text(errno);
  std::string name = (folder / "redtune-doctor-XXXXXX").string();
  const Descriptor named(mkostemp(name.data(), O_CLOEXEC));
  if (!named.valid()) return error_text(errno);
  unlink(name.c_str());
  return why_no_block(named.number());
}

/// Of a folder that does not exist: whether the one above it would take it.
std::string why_no_folder(const fs::path& above) {
  std::error_code ignored;
  if (!fs::is_directory(above, ignored)) return fmt::format("{} is no folder", above.string());
  std::string name = (above / "redtune-doctor-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) {
    return fmt::format("it cannot be created in {}: {}", above.string(), error_text(errno));
  }
  rmdir(name.c_str());
  return {};
}

bool locks_work_in(const fs::path& folder) {
  const Descriptor opened(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // Locked by somebody else: then they work. Ours goes with the descriptor.
  return opened.valid() && (flock(opened.number(), LOCK_SH | LOCK_NB) == 0 || errno == EWOULDBLOCK);
}

}  // namespace

FolderState state_of(const fs::path& folder) {
  FolderState state;
  std::error_code error;
  const fs::path existing = nearest_existing(folder);
  struct stat status {};
  if (stat(folder.c_str(), &status) == 0) {
    state.exists = true;
    state.owner = user_name(status.st_uid);
    state.is_ours = status.st_uid == geteuid();
    state.permissions = status.st_mode & 07777U;
    state.why_not_writable =
        S_ISDIR(status.st_mode) ? why_no_file(folder) : std::string("it is no folder");
  } else if (errno == ENOENT) {
    state.why_not_writable = why_no_folder(existing);
  } else {
    state.why_not_writable = error_text(errno);
  }
  const fs::space_info space = fs::space(existing, error);
  // What is no disk, like /proc, has no room at all.
  if (!error && space.capacity > 0) state.free_bytes = space.available;
  state.file_system = cache::file_system_of(existing);
  state.locks_work = locks_work_in(existing);
  return state;
}

}  // namespace redtune::cli
