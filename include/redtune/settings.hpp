// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A configuration as named text values, in the order of its family's field table.
#pragma once

#include <compare>
#include <string>
#include <string_view>
#include <vector>

#include "redtune/export.hpp"

namespace redtune {

struct Setting {
  std::string name;
  std::string value;

  auto operator<=>(const Setting&) const = default;
};

using Settings = std::vector<Setting>;

/// "finish=last_block block_size=256 ...".
[[nodiscard]] REDTUNE_API std::string to_string(const Settings& settings);

/// Reads what to_string wrote. Throws UsageError for a word without '='.
[[nodiscard]] REDTUNE_API Settings parse_settings(std::string_view text);

}  // namespace redtune
