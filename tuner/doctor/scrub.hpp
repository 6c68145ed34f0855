// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Takes out of a text who wrote it and where, before it is given to others.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace redtune::tuner {

/// What a text must not tell. Empty members are not looked for.
struct Private {
  std::vector<std::string> homes;  ///< folders, which become ~
  std::string user;                ///< becomes USER; nobody is told by "root"
  std::string host;                ///< becomes HOST

  /// Of this process.
  [[nodiscard]] static Private here();
};

/// Names are replaced as whole words, and never as names of JSON members.
[[nodiscard]] std::string scrubbed(std::string_view text, const Private& secrets);

}  // namespace redtune::tuner
