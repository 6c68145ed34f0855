// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Compiled kernels on disk, under keys that name everything they depend on. Deletable at any time:
// what is missing is compiled again.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace redtune::cache {

/// Several processes may use one folder at once, and several threads one object.
class Binaries {
 public:
  /// folder: of this user, e.g. binaries_folder(); nothing: keeps nothing.
  explicit Binaries(std::optional<std::filesystem::path> folder);

  /// key: 64 hexadecimal digits. Nothing for what is not there, is damaged, or may have been
  /// written by somebody else: not owned by this user or root, or writable by others.
  [[nodiscard]] std::optional<std::string> get(const std::string& key) const;
  /// A disk that is full or read-only costs a later compile, nothing else.
  void put(const std::string& key, std::string_view content) const noexcept;

 private:
  [[nodiscard]] std::filesystem::path file_of(const std::string& key) const;

  std::optional<std::filesystem::path> folder_;
};

}  // namespace redtune::cache
