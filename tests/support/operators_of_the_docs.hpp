// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The operators that a reader of the how-to finds there.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "tests/cache/samples.hpp"

namespace redtune::checks {

/// The operators of the how-to, by their file names, which stand in their first lines.
[[nodiscard]] inline std::map<std::string, std::string> operators_of_the_docs() {
  std::map<std::string, std::string> found;
  const std::string text = cache::testing::read_text(std::filesystem::path(REDTUNE_SOURCE_DIR) /
                                                     "docs/how-to/bring_your_own_operator.md");
  const std::string open = "```cpp\n// ";
  for (auto at = text.find(open); at != std::string::npos; at = text.find(open, at + 1)) {
    const auto name = at + open.size();
    const auto body = text.find('\n', name) + 1;
    found[text.substr(name, body - 1 - name)] = text.substr(body, text.find("```", body) - body);
  }
  return found;
}

}  // namespace redtune::checks
