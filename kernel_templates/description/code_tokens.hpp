// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The code of a text in C++ as its compiler sees it: tokens, wherever somebody put blanks.
#pragma once

#include <string>
#include <string_view>

namespace redtune::kernels {

/// The words of a code, see code_words(), with one blank between tokens: so texts that a formatter
/// has gone over are the same, and others are not. Where blanks tell something they stay: between
/// what follows immediately on the name of a macro or on a literal, in lines that include, and in
/// all of a text that has a macro which makes a string of its argument.
[[nodiscard]] std::string code_tokens(std::string_view text);

}  // namespace redtune::kernels
