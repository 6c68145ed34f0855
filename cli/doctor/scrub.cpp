// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/doctor/scrub.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <functional>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/names.hpp"
#include "tuner/lease/lease.hpp"
#include "tuner/lease/user_name.hpp"

namespace redtune::cli {
namespace {

/// Replaces a name wherever neither a letter, a digit nor one of these characters stands beside it;
/// what names a member of JSON is no name.
std::string replaced(std::string_view text, std::string_view name, std::string_view by,
                     std::string_view joints) {
  const auto goes_on = [joints](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || joints.find(c) != joints.npos;
  };
  std::string result;
  std::size_t copied = 0;
  for (auto at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool is_whole = at >= copied && (at == 0 || !goes_on(text[at - 1])) &&
                          (end == text.size() || !goes_on(text[end]));
    if (!is_whole || text.substr(end).starts_with("\":")) continue;
    result.append(text.substr(copied, at - copied)).append(by);
    copied = end;
  }
  return result.append(text.substr(copied));
}

/// Of a user without a name, or a machine without one, the number says nothing.
bool is_number(std::string_view name) {
  return name.find_first_not_of("0123456789") == name.npos;
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
  for (const std::string& home : longest_first(secrets.homes)) {
    if (home.size() > 1) result = replaced(result, home, "~", "_-");
  }
  for (const std::string& user : longest_first(secrets.users)) {
    if (user != "root" && !is_number(user)) result = replaced(result, user, "USER", "");
  }
  return is_number(secrets.host) ? result : replaced(result, secrets.host, "HOST", "");
}

}  // namespace redtune::cli
