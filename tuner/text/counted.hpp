// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// "1 trial", "2 trials"; "50 MiB".
#pragma once

#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <string>
#include <string_view>

namespace redtune::tuner {

/// A number and what it counts; one of it has no "s".
[[nodiscard]] inline std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

[[nodiscard]] inline std::string mebibytes(std::int64_t bytes) {
  return fmt::format("{} MiB", bytes >> 20);
}

}  // namespace redtune::tuner
