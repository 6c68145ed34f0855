// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Some texts, and what commands print, as one .tar.gz to send to somebody: packed by tar, which is
// on every Linux.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace redtune::cli {

/// A file of a bundle; its name may have folders in it.
struct BundleMember {
  std::string name;
  std::string text;
};

/// Throws UsageError when the file is there already or is not to be a .tar.gz, IoError when its
/// folder cannot be written or there is no tar.
void check_bundle_file(const std::filesystem::path& file);

/// Packs the members as they are, in a folder named after the file; its size in bytes. The archive
/// itself names no owner. Throws IoError when it cannot be written, and leaves no part of it.
std::uintmax_t write_bundle(const std::filesystem::path& file,
                            const std::vector<BundleMember>& members);

/// Whether a command opens devices, which may hang.
enum class Opens { nothing, devices };

/// Keeps what the commands of a program print. Each runs in a process of its own: a driver that
/// takes one of them down costs its file, not the bundle.
class CommandRecorder {
 public:
  /// most_time: of a command.
  CommandRecorder(std::string program, std::chrono::milliseconds most_time)
      : program_(std::move(program)), most_time_(most_time) {}

  /// Keeps what a command prints under a name, and under NAME.err.txt its errors and how it ended,
  /// unless it had none and ended well. After one that hung, others that open devices are not run.
  /// Returns what it printed.
  std::string record(const std::string& name, const std::vector<std::string>& words, Opens opens);

  [[nodiscard]] const std::vector<BundleMember>& members() const { return members_; }

 private:
  std::string program_;
  std::chrono::milliseconds most_time_;
  std::string hung_;  ///< the command that opened devices and gave no answer
  std::vector<BundleMember> members_;
};

}  // namespace redtune::cli
