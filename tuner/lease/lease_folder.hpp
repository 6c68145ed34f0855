// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A folder of leases. One in /tmp may have been put there by anybody: it is used only when it is
// this user's alone, and nothing in it is followed.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cache/files/files.hpp"

namespace redtune::tuner {

/// With everything but letters, digits, '.', '-' and '_' replaced by '-'.
[[nodiscard]] std::string safe_name(std::string_view device);

class LeaseFolder {
 public:
  /// Creates the folder (mode 0700) where it is missing, but not its parent.
  [[nodiscard]] static LeaseFolder open_or_create(const std::filesystem::path& path);
  [[nodiscard]] static LeaseFolder open_existing(const std::filesystem::path& path);

  /// Why no leases can lie here; empty when they can.
  [[nodiscard]] const std::string& problem() const { return problem_; }
  [[nodiscard]] bool exists() const { return exists_; }

  /// The file of a device's lease. Null, with errno set, where it cannot be opened, or is not a
  /// plain file of this user.
  [[nodiscard]] std::unique_ptr<cache::Descriptor> open_file(const std::string& device,
                                                             int flags) const;
  [[nodiscard]] std::filesystem::path path_of(const std::string& device) const;
  /// The safe names of the devices that have a file here.
  [[nodiscard]] std::vector<std::string> devices() const;

 private:
  explicit LeaseFolder(std::filesystem::path path) : path_(std::move(path)) {}
  void open();

  std::filesystem::path path_;
  std::unique_ptr<cache::Descriptor> folder_;
  bool exists_ = true;
  std::string problem_;
};

}  // namespace redtune::tuner
