// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The code of a text in C++ without what means nothing there.
#pragma once

#include <string>
#include <string_view>

namespace redtune::kernels {

/// Without comments, marks of lines ("#line") and empty lines; blanks and ends of lines are one
/// blank, but for the ends of a preprocessor's lines. What stands in quotation marks stays.
[[nodiscard]] std::string code_words(std::string_view text);

/// Whether a text ends with what makes a raw string of a quotation mark behind it.
[[nodiscard]] bool ends_raw_prefix(std::string_view text);

}  // namespace redtune::kernels
