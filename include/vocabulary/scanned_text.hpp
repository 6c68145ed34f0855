// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A text in the language of the kernels, read as far as it takes to tell code from comments:
// whether it is whole, and where a word stands.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace redtune {

/// Why a text is no whole piece of code.
struct TextFault {
  int line = 0;  ///< from 1
  std::string what;
};

/// Whether a character may stand in a name.
[[nodiscard]] bool is_of_word(char c);

class ScannedText {
 public:
  explicit ScannedText(std::string_view text);

  /// The first thing that is wrong: a bracket, comment or literal that is not closed or closes
  /// nothing, a conditional without its end, an #include.
  [[nodiscard]] const std::optional<TextFault>& fault() const { return fault_; }
  /// The line where a word of code first stands; 0: nowhere.
  [[nodiscard]] int line_of(std::string_view word) const;
  /// The text with blanks for comments and literals.
  [[nodiscard]] const std::string& code() const { return code_; }

 private:
  std::string code_;
  std::optional<TextFault> fault_;
};

}  // namespace redtune
