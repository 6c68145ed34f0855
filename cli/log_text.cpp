// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/log_text.hpp"

#include <algorithm>
#include <cstdlib>

#include "cli/doctor/examine.hpp"
#include "cli/names.hpp"
#include "tuner/text/printable.hpp"

namespace redtune::cli {
namespace {

void replace_all(std::string& text, const std::string& what, const std::string& by) {
  for (auto at = text.find(what); at != text.npos; at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
}

}  // namespace

LogText::LogText(std::span<const std::string> given) {
  for (const std::string& word : given) {
    // A message may name the folder of a file, or a part of a value.
    for (std::size_t at = 0, end = 0; at <= word.size(); at = end + 1) {
      end = std::min(word.find_first_of("/=:,", at), word.size());
      const std::string part = word.substr(at, end - at);
      if (part.find('\n') != part.npos) names_.emplace_back(part, printable(part));
    }
  }
  std::ranges::sort(names_, std::greater{}, [](const auto& name) { return name.first.size(); });
}

std::string LogText::line(std::string_view text) {
  return printable(text);
}

std::string LogText::lines(std::string text) const {
  for (const auto& [name, shown] : names_) replace_all(text, name, shown);
  while (text.ends_with('\n')) text.pop_back();
  std::string indented;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool begins = at > 0 && text[at - 1] == '\n' && text[at] != ' ' && text[at] != '\t';
    indented += begins ? std::string("  ") + text[at] : std::string(1, text[at]);
  }
  return printable_lines(indented);
}

std::vector<std::string> values_of_variables() {
  std::vector<std::string> values;
  for (const char* name : {"HOME", "TMPDIR", "PATH"}) {
    if (const char* value = std::getenv(name)) values.emplace_back(value);
  }
  for (const Variable& variable : variables()) {
    if (const char* value = std::getenv(std::string(variable.name).c_str())) {
      values.emplace_back(value);
    }
  }
  return values;
}

}  // namespace redtune::cli
