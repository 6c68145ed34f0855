// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/plot/bar_chart.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "cli/plot/svg.hpp"

namespace redtune::cli {
namespace {

// All in pixels at the drawing's own size.
constexpr double names_width = 250;
constexpr double labels_width = 190;
constexpr double row_height = 24;
constexpr double bar_height = 14;
constexpr double below_bars = 44;

constexpr std::string_view bar_style = "  rect { fill: #218bff; }\n";

/// Powers of ten from one below all values to one above.
class LogAxis {
 public:
  explicit LogAxis(const std::vector<Bar>& bars) {
    if (bars.empty()) return;
    const auto [least, most] = std::ranges::minmax(bars, {}, &Bar::value);
    // A bar of the least value is seen, too: it begins below it.
    first_ = static_cast<int>(std::floor(std::log10(least.value) - 0.05));
    last_ = std::max(first_ + 1, static_cast<int>(std::ceil(std::log10(most.value))));
  }
  [[nodiscard]] int first() const { return first_; }
  [[nodiscard]] int last() const { return last_; }
  [[nodiscard]] double x(double value) const {
    const double share = (std::log10(value) - first_) / (last_ - first_);
    return names_width + share * (chart_width - names_width - labels_width);
  }

 private:
  int first_ = 0;
  int last_ = 1;
};

std::string grid_text(const LogAxis& axis, double height) {
  std::string text;
  const double end = height - below_bars + 6;
  for (int power = axis.first(); power <= axis.last(); ++power) {
    const double value = std::pow(10, power);
    text += fmt::format(
        "<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\"/>\n"
        "<text class=\"tick\" x=\"{0:.1f}\" y=\"{3:.1f}\">{4:g}</text>\n",
        axis.x(value), chart_top - 8, end, end + 14, value);
  }
  return text;
}

std::string bar_text(const Bar& bar, const LogAxis& axis, double y) {
  const double end = axis.x(bar.value);
  const double text_y = y + bar_height - 3;
  return fmt::format(
      "<text class=\"name\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n"
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"2\"/>\n"
      "<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
      names_width - 8, text_y, svg_escaped(bar.name), names_width, y, end - names_width, bar_height,
      end + 6, text_y, svg_escaped(bar.label));
}

}  // namespace

std::string svg_of(const BarChart& chart) {
  const double height =
      chart_top + row_height * static_cast<double>(chart.bars.size()) + below_bars;
  const LogAxis axis(chart.bars);
  std::string text = svg_begin(chart_width, height, chart.title, bar_style);
  text += grid_text(axis, height);
  double y = chart_top;
  for (const Bar& bar : chart.bars) {
    text += bar_text(bar, axis, y);
    y += row_height;
  }
  text += fmt::format("<text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n</svg>\n",
                      (names_width + chart_width - labels_width) / 2, height - 6,
                      svg_escaped(chart.axis));
  return text;
}

}  // namespace redtune::cli
