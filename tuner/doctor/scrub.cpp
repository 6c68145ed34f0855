// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/doctor/scrub.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <pwd.h>
#include <unistd.h>

#include "tuner/lease/user_name.hpp"

namespace redtune::tuner {
namespace {

bool is_part_of_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
}

bool is_number(std::string_view text) {
  return std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
}

/// Whether a piece of text, given by where it begins and ends, stands alone.
bool is_whole(std::string_view text, std::size_t begin, std::size_t end) {
  if (begin > 0 && is_part_of_word(text[begin - 1])) return false;
  if (end < text.size() && is_part_of_word(text[end])) return false;
  return !text.substr(end).starts_with("\":");
}

std::string replaced(std::string_view text, std::string_view what, std::string_view by) {
  std::string result;
  for (;;) {
    const std::size_t at = text.find(what);
    if (at == std::string_view::npos) return result.append(text);
    const std::size_t end = at + what.size();
    result.append(text.substr(0, at)).append(is_whole(text, at, end) ? by : what);
    // What stands before the next place still decides whether that is a whole word.
    text.remove_prefix(end);
    if (!text.empty() && is_part_of_word(text.front())) {
      result += text.front();
      text.remove_prefix(1);
    }
  }
}

}  // namespace

Private Private::here() {
  Private found;
  if (const char* home = std::getenv("HOME"); home != nullptr) found.homes.emplace_back(home);
  if (const passwd* entry = getpwuid(geteuid()); entry != nullptr && entry->pw_dir != nullptr) {
    found.homes.emplace_back(entry->pw_dir);
  }
  found.user = user_name(geteuid());
  std::array<char, 256> host{};
  if (gethostname(host.data(), host.size() - 1) == 0) found.host = host.data();
  return found;
}

std::string scrubbed(std::string_view text, const Private& secrets) {
  std::string result(text);
  for (const std::string& home : secrets.homes) {
    if (home.size() > 1) result = replaced(result, home, "~");
  }
  if (!is_number(secrets.user) && secrets.user != "root") {
    result = replaced(result, secrets.user, "USER");
  }
  if (!is_number(secrets.host)) result = replaced(result, secrets.host, "HOST");
  return result;
}

}  // namespace redtune::tuner
