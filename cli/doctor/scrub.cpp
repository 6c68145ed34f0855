// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/doctor/scrub.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <functional>
#include <pwd.h>
#include <set>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/names.hpp"
#include "device/registry.hpp"
#include "kernel_templates/family/family.hpp"
#include "redtune/problem.hpp"
#include "tuner/lease/lease.hpp"
#include "tuner/lease/user_name.hpp"

namespace redtune::cli {
namespace {

using WordSet = std::set<std::string, std::less<>>;

/// What redtune itself calls things: operators, types, platforms, settings and their values.
WordSet words_of_redtune() {
  WordSet words;
  for (const OpInfo& op : all_ops()) words.emplace(op.name);
  for (const DTypeInfo& type : all_dtypes()) words.emplace(type.name);
  for (const std::string_view platform : device::platform_names()) words.emplace(platform);
  for (const kernels::Family* family : kernels::all_families()) {
    words.emplace(family->name());
    for (const kernels::TunableInfo& tunable : family->tunables()) {
      words.insert(tunable.name);
      words.insert(tunable.values.begin(), tunable.values.end());
    }
  }
  for (const CacheMode mode : {CacheMode::cold, CacheMode::warm}) words.emplace(to_string(mode));
  for (const Order order : {Order::fixed, Order::any}) words.emplace(to_string(order));
  return words;
}

bool is_alphanumeric(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

bool is_part_of_word(char c) {
  return is_alphanumeric(c) || c == '_' || c == '-';
}

bool is_part_of_path(char c) {
  return is_part_of_word(c) || std::string_view("/.+~@%").find(c) != std::string_view::npos;
}

bool is_number(std::string_view text) {
  return std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
}

/// Where a name stands in a text.
struct Place {
  std::string_view text;
  std::size_t begin;
  std::size_t end;

  /// Whether neither the character before it nor the one behind it belongs to it.
  [[nodiscard]] bool is_bounded(const std::function<bool(char)>& belongs) const {
    if (begin > 0 && belongs(text[begin - 1])) return false;
    return end == text.size() || !belongs(text[end]);
  }

  [[nodiscard]] bool names_member() const { return text.substr(end).starts_with("\":"); }

  /// "/data/NAME", "~/NAME", "-I/data/NAME"; a quotient as in "a/NAME" is none.
  [[nodiscard]] bool is_in_path() const {
    std::size_t from = begin;
    std::size_t to = end;
    while (from > 0 && is_part_of_path(text[from - 1])) --from;
    while (to < text.size() && is_part_of_path(text[to])) ++to;
    const std::string_view token = text.substr(from, to - from);
    const auto slashes = std::ranges::count(token, '/');
    return slashes > 1 || (slashes == 1 && std::string_view("/~.").find(token[0]) < 3);
  }

  /// "owner NAME", "\"user\": \"NAME\"", "process 4711 of NAME".
  [[nodiscard]] bool names_somebody() const {
    std::string_view before = text.substr(0, begin);
    while (!before.empty() && std::string_view("\": ").find(before.back()) < 3) {
      before.remove_suffix(1);
    }
    return std::ranges::any_of(std::array<std::string_view, 3>{"owner", "user", "of"},
                               [before](std::string_view word) {
                                 if (!before.ends_with(word)) return false;
                                 const auto rest = before.substr(0, before.size() - word.size());
                                 return rest.empty() || !is_part_of_word(rest.back());
                               });
  }
};

std::string replaced(std::string_view text, std::string_view what, std::string_view by,
                     const std::function<bool(const Place&)>& is_meant) {
  std::string result;
  std::size_t copied = 0;
  for (auto at = text.find(what); at != std::string_view::npos;) {
    const std::size_t end = at + what.size();
    const bool meant = is_meant({text, at, end});
    if (meant) {
      result.append(text.substr(copied, at - copied)).append(by);
      copied = end;
    }
    at = text.find(what, meant ? end : at + 1);
  }
  return result.append(text.substr(copied));
}

std::string without_home(std::string_view text, const std::string& home) {
  if (home.size() < 2) return std::string(text);
  return replaced(text, home, "~", [](const Place& place) {
    return place.is_bounded(is_part_of_word) && !place.names_member();
  });
}

std::string without_name(std::string_view text, const std::string& name, std::string_view by) {
  static const WordSet own_words = words_of_redtune();
  if (is_number(name)) return std::string(text);
  const bool is_own_word = own_words.contains(name);
  return replaced(text, name, by, [is_own_word](const Place& place) {
    if (!place.is_bounded(is_alphanumeric) || place.names_member()) return false;
    if (place.is_in_path()) return true;
    return place.is_bounded(is_part_of_word) && (!is_own_word || place.names_somebody());
  });
}

/// A name that is part of another comes after it.
std::vector<std::string> longest_first(std::vector<std::string> names) {
  std::ranges::sort(names, std::greater{}, &std::string::size);
  return names;
}

}  // namespace

void Private::add_home(std::string folder) {
  while (folder.ends_with('/')) folder.pop_back();
  if (std::ranges::count(homes, folder) == 0) homes.push_back(std::move(folder));
}

void Private::add_user(const std::string& name) {
  if (std::ranges::count(users, name) > 0) return;
  users.push_back(name);
  const passwd* entry = getpwnam(name.c_str());
  if (entry != nullptr && entry->pw_dir != nullptr) add_home(entry->pw_dir);
}

Private Private::here(const std::vector<std::filesystem::path>& folders) {
  Private found;
  if (const char* home = std::getenv("HOME"); home != nullptr) found.add_home(home);
  found.add_user(user_name(geteuid()));
  found.add_user(user_name(getuid()));
  if (const char* caller = std::getenv("SUDO_USER"); caller != nullptr) found.add_user(caller);
  for (const auto& folder : folders) {
    struct stat status {};
    if (stat(folder.c_str(), &status) == 0) found.add_user(user_name(status.st_uid));
  }
  for (const LeaseState& lease : leases()) {
    if (lease.holder) found.add_user(lease.holder->user);
  }
  std::array<char, 256> host{};
  if (gethostname(host.data(), host.size() - 1) == 0) found.host = host.data();
  return found;
}

std::string scrubbed(std::string_view text, const Private& secrets) {
  std::string result(text);
  for (const std::string& home : longest_first(secrets.homes)) result = without_home(result, home);
  for (const std::string& user : longest_first(secrets.users)) {
    if (user != "root") result = without_name(result, user, "USER");
  }
  return without_name(result, secrets.host, "HOST");
}

}  // namespace redtune::cli
