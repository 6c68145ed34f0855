// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What compilers' logs say of one file of a program, in the same words whichever compiler it was.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace redtune::kernels {

/// A part of a program that somebody else wrote.
struct GivenText {
  std::string name;              ///< for people
  std::string line_name;         ///< as compilers are told it
  std::string line_name_behind;  ///< and the lines that follow it
  std::string source;
};

/// The errors of a log that are about a text: its name, line and the first error's words, then the
/// lines they are about. Of errors elsewhere, what the program says behind "redtune says: ".
/// Nothing when there is neither.
[[nodiscard]] std::optional<std::string> explain_log(const GivenText& text, std::string_view log);

}  // namespace redtune::kernels
