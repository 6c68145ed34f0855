// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "redtune/settings.hpp"

#include <fmt/format.h>

#include "redtune/error.hpp"

namespace redtune {

std::string to_string(const Settings& settings) {
  std::string text;
  for (const auto& [name, value] : settings) {
    if (!text.empty()) text += ' ';
    text += fmt::format("{}={}", name, value);
  }
  return text;
}

Settings parse_settings(std::string_view text) {
  Settings settings;
  while (!text.empty()) {
    const auto end = std::min(text.find(' '), text.size());
    const auto word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    const auto equals = word.find('=');
    if (equals == 0 || equals == std::string_view::npos) {
      throw UsageError(fmt::format("'{}' is not a setting; write name=value", word));
    }
    settings.push_back({std::string(word.substr(0, equals)), std::string(word.substr(equals + 1))});
  }
  return settings;
}

}  // namespace redtune
