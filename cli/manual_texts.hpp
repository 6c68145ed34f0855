// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What manual pages say beyond --help: a paragraph on each command, and examples.
#pragma once

#include <string_view>
#include <vector>

#include "cli/command.hpp"

namespace redtune::cli {

struct Example {
  std::string_view line;  ///< as it is typed, without a shell's own signs
  std::string_view what;
};

struct ManualText {
  std::string_view words;  ///< of the command
  std::string_view description;
  std::vector<Example> examples;
};

/// There is a row for each command that people type; null: this is another.
[[nodiscard]] const ManualText* manual_text_of(const Command& command);

}  // namespace redtune::cli
