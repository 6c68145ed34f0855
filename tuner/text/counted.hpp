// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// "1 trial", "2 trials".
#pragma once

#include <cstddef>
#include <fmt/format.h>
#include <string>
#include <string_view>

namespace redtune::tuner {

/// A number and what it counts; one of it has no "s".
[[nodiscard]] inline std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace redtune::tuner
