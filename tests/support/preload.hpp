// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A library for LD_PRELOAD, which takes spaces and colons of a path for the end of it.
#pragma once

#include <filesystem>
#include <string>

#include "tests/cache/samples.hpp"

namespace redtune::checks {

/// LD_PRELOAD=LIBRARY, by a name that can stand there wherever the build lies.
[[nodiscard]] inline std::string preloading(const std::filesystem::path& library) {
  static const cache::testing::ScratchFolder folder("/tmp");
  const auto name = folder / library.filename().string();
  if (!std::filesystem::exists(name)) std::filesystem::create_symlink(library, name);
  return "LD_PRELOAD=" + name.string();
}

}  // namespace redtune::checks
