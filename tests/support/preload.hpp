// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A library for LD_PRELOAD, which takes spaces and colons of a path for the end of it.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/support/scratch_folder.hpp"

namespace redtune::checks {

/// A name of a library that can stand there wherever the build lies.
[[nodiscard]] inline std::string preloadable(const std::filesystem::path& library) {
  if (library.string().find_first_of(" :") == std::string::npos) return library;
  static const ScratchFolder folder("/tmp");
  const auto name = folder / library.filename().string();
  if (!std::filesystem::exists(name)) std::filesystem::create_symlink(library, name);
  return name;
}

/// LD_PRELOAD=LIBRARY, and whatever is preloaded already.
[[nodiscard]] inline std::string preloading(const std::filesystem::path& library) {
  const char* const others = std::getenv("LD_PRELOAD");
  return "LD_PRELOAD=" + preloadable(library) + (others ? std::string(":") + others : "");
}

}  // namespace redtune::checks
