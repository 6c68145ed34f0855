// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Where something stands that somebody wrote, and how it is refused.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace redtune::kernels {

/// A line on which a text goes on.
struct FurtherLine {
  std::size_t offset = 0;  ///< of its first byte in the whole text
  int line = 1;
  int column = 1;
};

struct Place {
  std::string file;
  int line = 1;
  int column = 1;          ///< in bytes, from 1
  bool is_fixed = false;   ///< of a text that was put together: its parts have no places
  std::size_t offset = 0;  ///< in a text of several lines
  std::shared_ptr<const std::vector<FurtherLine>> further = {};

  /// So many bytes further on in the same text.
  [[nodiscard]] Place behind(std::size_t bytes) const;
};

/// Throws UsageError: "FILE:LINE:COLUMN: why", one line whatever is quoted in it.
[[noreturn]] void refuse_at(const Place& place, std::string_view why);

}  // namespace redtune::kernels
