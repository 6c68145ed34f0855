// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Numbers and columns as text with nothing but the standard library: this program must build where
// redtune's own dependencies are missing.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace redtune::compare {

/// With so many digits behind the point.
[[nodiscard]] std::string fixed(double value, int digits);

/// Padded with blanks up to the width; never cut.
[[nodiscard]] std::string left(std::string_view text, std::size_t width);
[[nodiscard]] std::string right(std::string_view text, std::size_t width);

}  // namespace redtune::compare
