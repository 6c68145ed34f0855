// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Files that are read whole or replaced whole, and folders that only their owner can enter.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <variant>

namespace redtune::cache {

/// Creates a folder and the missing ones above it, each with mode 0700. Existing ones stay as they
/// are. Throws IoError.
void make_private_folder(const std::filesystem::path& folder);

/// Whether what was written survives a power cut. unsynced: it may then be there in part, and is for
/// readers that notice.
enum class Durability { synced, unsynced };

/// Replaces a file at once or not at all: temporary file (mode 0600) in the same folder, fsync,
/// rename, fsync of the folder. A reader sees the old or the new content, never a part.
/// Throws IoError; the old file then stays.
void replace_file(const std::filesystem::path& file, std::string_view content,
                  Durability durability = Durability::synced);

/// The whole content of a regular file of at most max_bytes, or why it cannot be had
/// (file_too_large for more bytes). Never throws for a bad file, never blocks on a pipe.
[[nodiscard]] std::variant<std::string, std::errc> read_whole(const std::filesystem::path& file,
                                                              std::size_t max_bytes);

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
