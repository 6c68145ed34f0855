// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Texts that fit a screen of 100 columns: numbers with three digits and a unit, lines that break at
// words, tables whose last column breaks as well, and a small chart.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace redtune::cli {

inline constexpr std::size_t screen_columns = 100;

/// "27.7", "1310", "0.0123": three significant digits, without an exponent where people use none.
[[nodiscard]] std::string three_digits(double value);
/// "27.7 us", "1.31 ms", "850 ns", "2.40 s".
[[nodiscard]] std::string us_text(double us);
/// "24.5x".
[[nodiscard]] std::string x_times_text(double ratio);

/// Characters, not bytes.
[[nodiscard]] std::size_t width_of(std::string_view text);

/// One paragraph, whatever the text holds; lines after the first begin with so many blanks. Ends
/// with a line break.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t indent = 0);

/// Columns of numbers end at the same place, others begin there; the first row names them. The last
/// column is text and breaks at blanks, so that no line is longer than the screen where words allow
/// that. Cells become lines, whatever they hold.
[[nodiscard]] std::string screen_table(std::vector<std::vector<std::string>> rows);

/// What a row of a table is, for colours. Whatever it is, its words say so as well.
enum class Emphasis { none, winner, usual, failed };
/// Likewise, in colour where the standard output is a terminal that wants it. rows and what they
/// are are equally many, the first the header.
[[nodiscard]] std::string screen_table(std::vector<std::vector<std::string>> rows,
                                       const std::vector<Emphasis>& emphases);

/// Times in their order, some of which count for the best so far: dots, and the best as a line of
/// '#'. The scale is logarithmic. Empty where nothing counts.
struct ScreenPoint {
  double time = 0;  ///< above zero
  bool counts = true;
};
[[nodiscard]] std::string screen_chart(const std::vector<ScreenPoint>& points,
                                       std::optional<double> reference,
                                       std::string_view reference_name);

}  // namespace redtune::cli
