// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What all drawings have in common: their frame, their colours, axes, and texts made safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace redtune::cli {

/// Text as it may stand in an XML or HTML document, between tags and within quotes: one line,
/// whatever it holds.
[[nodiscard]] std::string markup(std::string_view text);
/// Likewise, but lines stay lines.
[[nodiscard]] std::string markup_lines(std::string_view text);

/// At most so many characters, the last of them "…" where some are left out.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t most);

/// The rules for the classes of all charts; colours are variables, dark ones for dark screens only.
[[nodiscard]] std::string_view chart_style();

/// Where a drawing stands: alone, as a file with its own style and visible title, or in a page that
/// has chart_style() and a heading.
struct Place {
  std::string id = {};  ///< unique in the page; empty: alone

  [[nodiscard]] bool is_page() const { return !id.empty(); }
};

/// A drawing that grows piece by piece.
class Drawing {
 public:
  /// about: the same for those who do not see it.
  Drawing(const Place& place, double width, double height, const std::string& title,
          const std::string& about);
  /// Markup; texts in it went through markup().
  void add(const std::string& piece) { text_ += piece; }
  [[nodiscard]] std::string whole() && { return std::move(text_) + "</svg>\n"; }

 private:
  std::string text_;
};

enum class Scale { linear, logarithmic };

/// From values to pixels.
class Axis {
 public:
  /// Of values from low to high, which may be one; from and to: pixels. A logarithmic one is for
  /// values above zero.
  Axis(double low, double high, Scale scale, double from, double to);

  [[nodiscard]] double at(double value) const;
  [[nodiscard]] double low() const { return low_; }
  [[nodiscard]] double high() const { return high_; }
  /// Round values within, at most about so many.
  [[nodiscard]] std::vector<double> ticks(int most) const;

 private:
  double low_;
  double high_;
  Scale scale_;
  double from_;
  double to_;
};

/// 1, 2 or 5 times a power of ten, so that a range has at most so many of them.
[[nodiscard]] double step_of(double range, int most);

}  // namespace redtune::cli
