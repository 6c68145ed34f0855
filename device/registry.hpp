// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// All platforms of this machine, and the choice of a device by name; what this build knows of
// architectures by itself.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "device/platform.hpp"
#include "redtune/limits.hpp"

namespace redtune::device {

/// A platform, or why it could not be opened.
struct PlatformEntry {
  std::string name;
  std::unique_ptr<Platform> platform;  ///< null: see problem
  std::string problem;
};

/// Of all platforms that this version knows, here or not; opens none.
[[nodiscard]] std::span<const std::string_view> platform_names();

/// Limits of any device of a platform's architecture, which need not be here; nothing where either
/// is not known. Opens no module, no driver and no file, and takes no memory.
[[nodiscard]] std::optional<Limits> architecture_limits(std::string_view platform,
                                                        std::string_view arch);

/// Which device a person means.
struct Selection {
  Platform* platform = nullptr;
  int ordinal = 0;
  std::string variant;
  /// As it is typed: "host", "host:wave32", "hip:0".
  [[nodiscard]] std::string text() const;
};

/// From any thread. The host platform is built in; modules are looked for beside the program, in
/// the installed library folder or in REDTUNE_MODULE_PATH (a list of folders separated by ':'),
/// each when it is first asked for: a vendor's libraries can take 50 ms to load.
class Registry {
 public:
  Registry();
  /// Opens all.
  [[nodiscard]] const std::vector<PlatformEntry>& platforms() const;
  /// Opens one; nothing for an unknown name and for one that cannot be used.
  [[nodiscard]] Platform* find(std::string_view name) const;
  /// Throws UsageError for an unknown platform, NoSuchDevice with the reason for an unusable one.
  [[nodiscard]] Platform& platform(std::string_view name) const;
  /// "auto" (first usable GPU, else host), "host", "host:wave32", "hip", "hip:1".
  [[nodiscard]] Selection select(std::string_view text) const;
  /// A list of these, and of all GPUs of a platform: "hip:0,hip:2", "cuda:all"; "all" are those of
  /// the platform that "auto" takes. Throws as select(), and UsageError for one that stands there
  /// twice.
  [[nodiscard]] std::vector<Selection> select_all(std::string_view text) const;

 private:
  const PlatformEntry& opened(std::size_t index) const;

  mutable std::vector<PlatformEntry> platforms_;  ///< in the order of platform_names()
  std::unique_ptr<std::once_flag[]> once_;
};

/// Opens what was selected.
[[nodiscard]] std::unique_ptr<Device> open(const Selection& selection);

}  // namespace redtune::device
