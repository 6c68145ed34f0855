// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A line of a description, whichever file it stands in: a key and a text. All ways to describe a
// kernel become statements first.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernel_templates/description/formula.hpp"
#include "kernel_templates/description/place.hpp"

namespace redtune::kernels {

struct Statement {
  std::string key;
  std::string text;
  Place place;  ///< of the text
};

/// Reads a statement's text from the left to the right. What is refused is told with its place.
class StatementReader {
 public:
  explicit StatementReader(const Statement& statement) : statement_(statement) {}

  [[nodiscard]] std::size_t offset() const { return offset_; }
  [[nodiscard]] std::string_view rest() const {
    return std::string_view(statement_.text).substr(offset_);
  }
  [[nodiscard]] Place place() const { return statement_.place.behind(offset_); }
  [[nodiscard]] Place place_at(std::size_t offset) const { return statement_.place.behind(offset); }
  [[noreturn]] void refuse(std::string_view why) const { refuse_at(place(), why); }
  [[noreturn]] void refuse_from(std::size_t offset, std::string_view why) const {
    refuse_at(statement_.place.behind(offset), why);
  }

  void skip_blanks();
  /// Behind blanks, whether nothing is left.
  [[nodiscard]] bool is_done();
  /// Refuses what is left. usage: how the statement is written.
  void require_done(std::string_view usage);

  /// A name behind blanks; empty: there is none.
  [[nodiscard]] std::string_view peek_word();
  std::string_view take_word();
  bool take_word(std::string_view word);
  /// A name. what: of what; usage: how the statement is written.
  std::string_view require_word(std::string_view what, std::string_view usage);
  bool take(std::string_view text);
  void require(std::string_view text, std::string_view usage);
  /// A decimal number, with its sign, fraction and exponent. what: of what.
  double require_number(std::string_view what);
  /// A file's name: in quotation marks, or up to the next blank.
  std::string require_path();

  /// The text up to one of these characters outside of brackets and quotation marks, or all of it.
  std::string_view take_until(std::string_view ends);
  /// That text as a formula.
  [[nodiscard]] Formula formula_until(std::string_view ends);
  /// A part of the text that begins at a place as a formula.
  [[nodiscard]] Formula formula_of(std::string_view part, std::size_t begin) const;

 private:
  const Statement& statement_;
  std::size_t offset_ = 0;
};

/// Without blanks on either side.
[[nodiscard]] std::string_view trimmed(std::string_view text);
/// Whether a text is a name of C.
[[nodiscard]] bool is_name(std::string_view text);

}  // namespace redtune::kernels
