// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The files of trials beside this one, inside the program.
#pragma once

#include <span>
#include <string_view>

namespace redtune::tuner {

struct EmbeddedFile {
  std::string_view name;
  std::string_view text;
};

[[nodiscard]] std::span<const EmbeddedFile> embedded_files();

}  // namespace redtune::tuner
