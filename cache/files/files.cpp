// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cache/files/files.hpp"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "redtune/error.hpp"

namespace redtune::cache {
namespace {

namespace fs = std::filesystem;

/// Of temporary files, for mkostemp to fill in.
constexpr std::string_view temporary_suffix = ".tmp-XXXXXX";

/// Throws with the text of errno.
[[noreturn]] void fail(std::string_view action, const fs::path& path) {
  const std::string reason = std::generic_category().message(errno);
  throw IoError(fmt::format(
      "cannot {} {}: {}; free space or make the folder writable, or pass another file with --cache",
      action, path.string(), reason));
}

fs::path folder_of(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

/// A folder that its owner opened for everybody to read, and for nobody to write.
bool is_for_all(const fs::path& folder) {
  struct stat status {};
  constexpr mode_t entered = S_IROTH | S_IXOTH;
  return stat(folder.c_str(), &status) == 0 && (status.st_mode & entered) == entered &&
         (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/// A temporary file beside its target that vanishes unless it was renamed.
class TemporaryFile {
 public:
  explicit TemporaryFile(const fs::path& target)
      : name_(target.string().append(temporary_suffix)),
        descriptor_(mkostemp(name_.data(), O_CLOEXEC)) {
    if (!descriptor_.valid()) fail("create a temporary file for", target);
  }
  ~TemporaryFile() {
    if (!renamed_ && descriptor_.valid()) unlink(name_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  void write_all(std::string_view content) {
    while (!content.empty()) {
      const ssize_t written = write(descriptor_.number(), content.data(), content.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail("write", name_);
      content.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  void sync() const {
    if (fsync(descriptor_.number()) != 0) fail("write", name_);
  }

  void rename_to(const fs::path& target) {
    if (is_for_all(folder_of(target))) (void)fchmod(descriptor_.number(), 0644);
    if (rename(name_.c_str(), target.c_str()) != 0) fail("replace", target);
    renamed_ = true;
  }

 private:
  std::string name_;
  Descriptor descriptor_;
  bool renamed_ = false;
};

/// Makes a rename durable. A file system that cannot do it has renamed anyway: no error.
void sync_folder(const fs::path& folder) {
  const Descriptor descriptor(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (descriptor.valid()) (void)fsync(descriptor.number());
}

}  // namespace

FileMark mark_of(const struct stat& status) {
  return {.file_system = status.st_dev,
          .number = status.st_ino,
          .bytes = status.st_size,
          .seconds = status.st_mtim.tv_sec,
          .nanoseconds = status.st_mtim.tv_nsec};
}

Descriptor::~Descriptor() {
  if (valid()) close(number_);
}

void make_private_folder(const fs::path& folder) {
  std::error_code ignored;
  if (folder.empty() || fs::is_directory(folder, ignored)) return;
  make_private_folder(folder.parent_path() == folder ? fs::path{} : folder.parent_path());
  // Somebody else may have created it meanwhile, or its name ends in a slash.
  if (mkdir(folder.c_str(), 0700) == 0) return;
  const int why = errno;
  if (fs::is_directory(folder, ignored)) return;
  errno = why;
  fail("create the folder", folder);
}

void replace_file(const fs::path& file, std::string_view content, Durability durability) {
  TemporaryFile temporary(file);
  temporary.write_all(content);
  if (durability == Durability::synced) temporary.sync();
  temporary.rename_to(file);
  if (durability == Durability::unsynced) return;
  sync_folder(folder_of(file));
}

bool is_temporary_of(std::string_view name, std::string_view file_name) {
  return name.size() == file_name.size() + temporary_suffix.size() && name.starts_with(file_name) &&
         name.substr(file_name.size()).starts_with(".tmp-");
}

std::variant<std::string, std::errc> read_whole(const fs::path& file, std::size_t max_bytes) {
  const Descriptor descriptor(open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!descriptor.valid()) return static_cast<std::errc>(errno);
  struct stat status {};
  if (fstat(descriptor.number(), &status) != 0) return static_cast<std::errc>(errno);
  if (S_ISDIR(status.st_mode)) return std::errc::is_a_directory;
  if (!S_ISREG(status.st_mode)) return std::errc::invalid_argument;
  if (static_cast<std::uintmax_t>(status.st_size) > max_bytes) return std::errc::file_too_large;
  // One byte more than announced: a file that grows meanwhile is noticed, not cut.
  std::string content(static_cast<std::size_t>(status.st_size) + 1, '\0');
  std::size_t size = 0;
  while (size < content.size()) {
    const ssize_t got = read(descriptor.number(), content.data() + size, content.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return static_cast<std::errc>(errno);
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  if (size == content.size()) return std::errc::resource_unavailable_try_again;
  content.resize(size);
  return content;
}

}  // namespace redtune::cache
