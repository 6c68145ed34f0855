// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// All platforms of this machine, and the choice of a device by name.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "device/platform.hpp"

namespace redtune::device {

/// A platform, or why it could not be opened.
struct PlatformEntry {
  std::string name;
  std::unique_ptr<Platform> platform;  ///< null: see problem
  std::string problem;
};

/// Of all platforms that this version knows, here or not; opens none.
[[nodiscard]] std::span<const std::string_view> platform_names();

/// Which device a person means.
struct Selection {
  Platform* platform = nullptr;
  int ordinal = 0;
  std::string variant;
  /// As it is typed: "host", "host:wave32", "hip:0".
  [[nodiscard]] std::string text() const;
};

class Registry {
 public:
  /// Opens the host platform and every module found beside the program, in the installed library
  /// folder or in REDTUNE_MODULE_PATH (a list of folders separated by ':').
  Registry();
  [[nodiscard]] const std::vector<PlatformEntry>& platforms() const { return platforms_; }
  /// Throws UsageError for an unknown platform, NoSuchDevice with the reason for an unusable one.
  [[nodiscard]] Platform& platform(std::string_view name) const;
  /// "auto" (first usable GPU, else host), "host", "host:wave32", "hip", "hip:1".
  [[nodiscard]] Selection select(std::string_view text) const;

 private:
  std::vector<PlatformEntry> platforms_;
};

/// Opens what was selected.
[[nodiscard]] std::unique_ptr<Device> open(const Selection& selection);

}  // namespace redtune::device
