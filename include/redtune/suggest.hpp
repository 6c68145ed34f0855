// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// "Did you mean": the known name nearest to a mistyped one, for one-line error texts.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace redtune {

/// Returns " (did you mean 'NAME'?)" for the known name at edit distance 1 or 2 (at most a third of
/// its length, rounded up), else an empty text.
[[nodiscard]] std::string suggest(std::string_view wrong, std::span<const std::string_view> known);

/// Joins names with ", ".
[[nodiscard]] std::string join(std::span<const std::string_view> names);

}  // namespace redtune
