// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What redtune doctor said, taken apart.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/run_redtune.hpp"

namespace redtune::cli {

[[nodiscard]] inline std::vector<std::string> text_lines(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// The lines with that mark.
[[nodiscard]] inline std::vector<std::string> marked(const Said& said, char mark) {
  std::vector<std::string> found;
  for (const std::string& line : text_lines(said.out)) {
    const auto at = line.find_first_not_of(' ');
    if (at <= 2 && line.substr(at).starts_with(std::string(1, mark) + " ")) found.push_back(line);
  }
  return found;
}

[[nodiscard]] inline json topic(const json& document, const char* section, const char* name) {
  const bool of_devices = std::string(section) == "devices";
  for (const json& one : document.at(section)) {
    if (one.at(of_devices ? "device" : "name") == name) return one;
  }
  ADD_FAILURE() << name << " is not in " << document.dump(1);
  return {};
}

}  // namespace redtune::cli
