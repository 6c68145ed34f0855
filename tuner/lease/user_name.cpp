// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/lease/user_name.hpp"

#include <array>
#include <fmt/format.h>
#include <pwd.h>

namespace redtune::tuner {

std::string user_name(uid_t user) {
  std::array<char, 4096> buffer{};
  passwd entry{};
  passwd* found = nullptr;
  const int status = getpwuid_r(user, &entry, buffer.data(), buffer.size(), &found);
  return status == 0 && found != nullptr ? found->pw_name : fmt::format("user {}", user);
}

}  // namespace redtune::tuner
