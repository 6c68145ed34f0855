// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A compiler's or a program's own words are pages; the first line is for people.
#pragma once

#include <string>
#include <string_view>

namespace redtune::device {

/// What comes before the first line break.
[[nodiscard]] inline std::string first_line(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

}  // namespace redtune::device
