// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Files that are read whole or replaced whole, and folders that only their owner can enter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <variant>

namespace redtune::cache {

/// Creates a folder and the missing ones above it, each with mode 0700. Existing ones stay as they
/// are. Throws IoError.
void make_private_folder(const std::filesystem::path& folder);

/// Whether what was written survives a power cut. unsynced: it may then be there in part, and is
/// for readers that notice.
enum class Durability { synced, unsynced };

/// Replaces a file at once or not at all: temporary file in the same folder, fsync, rename, fsync
/// of the folder. Its mode is 0600, and 0644 in a folder that everybody may read and only its owner
/// write. A reader sees the old or the new content, never a part.
/// Throws IoError; the old file then stays.
void replace_file(const std::filesystem::path& file, std::string_view content,
                  Durability durability = Durability::synced);

/// Whether a name is that of a temporary file that replace_file makes for a file of this name.
[[nodiscard]] bool is_temporary_of(std::string_view name, std::string_view file_name);

/// The whole content of a regular file of at most max_bytes, or why it cannot be had
/// (file_too_large for more bytes). Never throws for a bad file, never blocks on a pipe.
[[nodiscard]] std::variant<std::string, std::errc> read_whole(const std::filesystem::path& file,
                                                              std::size_t max_bytes);

/// What tells, from one stat, that a name still means the file that was read.
struct FileMark {
  std::uint64_t file_system;
  std::uint64_t number;
  std::int64_t bytes;
  std::int64_t seconds;  ///< when it was written
  std::int64_t nanoseconds;

  bool operator==(const FileMark&) const = default;
};
[[nodiscard]] FileMark mark_of(const struct stat& status);

/// Owns a file descriptor.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor();
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] bool valid() const { return number_ >= 0; }

 private:
  int number_;
};

}  // namespace redtune::cache
