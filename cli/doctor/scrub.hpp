// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Takes out of a text who wrote it and where, before it is given to others.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace redtune::cli {

/// What a text must not tell. Empty members are not looked for.
struct Private {
  std::vector<std::string> homes;  ///< folders, which become ~
  std::vector<std::string> users;  ///< become USER; nobody is told by "root"
  std::string host;                ///< becomes HOST

  /// Of this process: its user and whoever called sudo, the owners of these folders, and those who
  /// hold leases now.
  [[nodiscard]] static Private here(const std::vector<std::filesystem::path>& folders = {});

  void add_home(std::string folder);
  /// With the home that the system knows for it.
  void add_user(const std::string& name);
};

/// Names are replaced wherever no letter and no digit stands beside them, also where they are words
/// of redtune, such as "max"; never as names of JSON members, so that documents can be read.
[[nodiscard]] std::string scrubbed(std::string_view text, const Private& secrets);

}  // namespace redtune::cli
