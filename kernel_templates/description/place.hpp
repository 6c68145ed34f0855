// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Where something stands that somebody wrote, and how it is refused.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace redtune::kernels {

struct Place {
  std::string file;
  int line = 1;
  int column = 1;         ///< in bytes, from 1
  bool is_fixed = false;  ///< of a text that was put together: its parts have no places

  /// So many bytes further on in the same line.
  [[nodiscard]] Place behind(std::size_t bytes) const {
    Place place = *this;
    if (!is_fixed) place.column += static_cast<int>(bytes);
    return place;
  }
};

/// Throws UsageError: "FILE:LINE:COLUMN: why", one line whatever is quoted in it.
[[noreturn]] void refuse_at(const Place& place, std::string_view why);

}  // namespace redtune::kernels
