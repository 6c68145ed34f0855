// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/plot/charts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <string_view>

namespace redtune::cli {
namespace {

/// Of every drawing, in pixels at its own size.
constexpr double chart_width = 900;
constexpr double chart_top = 48;  ///< what the title takes

constexpr std::string_view light = R"(<style>
  text { font: 12px system-ui, sans-serif; fill: #57606a; }
  .title { font-size: 15px; font-weight: 600; fill: #24292f; }
  .name { text-anchor: end; }
  .tick { text-anchor: middle; }
  line { stroke: #8c959f; stroke-opacity: 0.4; }
)";

constexpr std::string_view dark = R"(  @media (prefers-color-scheme: dark) {
    text { fill: #adbac7; }
    .title { fill: #e6edf3; }
  }
</style>
)";

/// As text of an XML document.
std::string svg_escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

/// The begin of a drawing with its title; style: rules of its own, before those for dark
/// backgrounds.
std::string svg_begin(double width, double height, const std::string& title,
                      std::string_view style) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:g}\" height=\"{1:g}\" "
      "viewBox=\"0 0 {0:g} {1:g}\" role=\"img\" aria-label=\"{2}\">\n{3}{4}{5}"
      "<text class=\"title\" x=\"12\" y=\"22\">{2}</text>\n",
      width, height, svg_escaped(title), light, style, dark);
}

// Bars. All in pixels at the drawing's own size.
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

// Lines, likewise.
constexpr double lines_left = 60;
constexpr double lines_right = 220;  // the legend's
constexpr double plot_height = 380;
constexpr double lines_bottom = 52;
constexpr double lines_height = chart_top + plot_height + lines_bottom;
constexpr double legend_row = 20;

constexpr std::string_view line_style = "  polyline { fill: none; stroke-width: 2; }\n";

/// Told apart by most eyes (after Okabe and Ito), each with 3 : 1 or more to white and to black.
constexpr std::array colors{"#0072b2", "#d55e00", "#008f68", "#b8578f",
                            "#8a7a00", "#5a78d1", "#a0522d"};
/// After the colours are used up, lines are dashed.
constexpr std::array dashes{"", " stroke-dasharray=\"7 4\"", " stroke-dasharray=\"2 3\""};

std::string stroke_of(std::size_t curve) {
  return fmt::format("stroke=\"{}\"{}", colors[curve % colors.size()],
                     dashes[curve / colors.size() % dashes.size()]);
}

/// 1, 2 or 5 times a power of ten, so that a range has up to about ten of them.
double step_of(double range) {
  const double power = std::pow(10, std::floor(std::log10(range / 10)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (range / (factor * power) <= 10) return factor * power;
  }
  return 10 * power;
}

/// Where values lie in the drawing.
class Plane {
 public:
  explicit Plane(const std::vector<Curve>& curves) {
    double least = 1;
    for (const Curve& curve : curves) {
      last_ = std::max(last_, static_cast<double>(curve.values.size()));
      for (const double value : curve.values) least = std::min(least, value);
    }
    // Good strategies differ near 1: what lies below all curves is lines_left out.
    low_ = std::min(0.9, std::floor(least * 10) / 10);
  }
  [[nodiscard]] double x(double at) const {
    return lines_left + (at - 1) / (last_ - 1) * (chart_width - lines_left - lines_right);
  }
  [[nodiscard]] double y(double value) const {
    return chart_top + (1 - value) / (1 - low_) * plot_height;
  }
  [[nodiscard]] double last() const { return last_; }
  [[nodiscard]] double low() const { return low_; }

 private:
  double last_ = 2;
  double low_ = 0;
};

std::string grid_text(const Plane& plane) {
  std::string text;
  const double end = chart_width - lines_right;
  const double rise = step_of(1 - plane.low());
  // Half a step more, for sums of tenths are not exact.
  for (double value = plane.low(); value < 1 + rise / 2; value += rise) {
    text += fmt::format(
        "<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{2:.1f}\" y2=\"{1:.1f}\"/>\n"
        "<text class=\"name\" x=\"{3:.1f}\" y=\"{4:.1f}\">{5:.2f}</text>\n",
        lines_left, plane.y(value), end, lines_left - 8, plane.y(value) + 4, value);
  }
  const double step = std::max(1.0, step_of(plane.last()));
  for (double at = step; at <= plane.last(); at += step) {
    text += fmt::format(
        "<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\"/>\n"
        "<text class=\"tick\" x=\"{0:.1f}\" y=\"{3:.1f}\">{4:g}</text>\n",
        plane.x(at), chart_top, chart_top + plot_height, chart_top + plot_height + 16, at);
  }
  return text;
}

std::string curve_text(const Curve& curve, std::size_t number, const Plane& plane) {
  std::string points;
  for (std::size_t i = 0; i < curve.values.size(); ++i) {
    points += fmt::format("{}{:.1f},{:.1f}", i == 0 ? "" : " ", plane.x(static_cast<double>(i + 1)),
                          plane.y(curve.values[i]));
  }
  const double x = chart_width - lines_right + 16;
  const double y = chart_top + legend_row * (static_cast<double>(number) + 0.5);
  return fmt::format(
      "<polyline {0} points=\"{1}\"/>\n"
      "<polyline {0} points=\"{2:.1f},{3:.1f} {4:.1f},{3:.1f}\"/>\n"
      "<text x=\"{5:.1f}\" y=\"{6:.1f}\">{7}</text>\n",
      stroke_of(number), points, x, y, x + 24, x + 32, y + 4, svg_escaped(curve.name));
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

std::string svg_of(const LineChart& chart) {
  const Plane plane(chart.curves);
  std::string text = svg_begin(chart_width, lines_height, chart.title, line_style);
  text += grid_text(plane);
  for (std::size_t i = 0; i < chart.curves.size(); ++i) {
    text += curve_text(chart.curves[i], i, plane);
  }
  text += fmt::format(
      "<text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n"
      "<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n</svg>\n",
      (lines_left + chart_width - lines_right) / 2, lines_height - 10, svg_escaped(chart.x_axis),
      12.0, chart_top - 10, svg_escaped(chart.y_axis));
  return text;
}

}  // namespace redtune::cli
