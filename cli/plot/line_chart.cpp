// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/plot/line_chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "cli/plot/svg.hpp"

namespace redtune::cli {
namespace {

// All in pixels at the drawing's own size.
constexpr double left = 60;
constexpr double right = 220;  // the legend's
constexpr double plot_height = 380;
constexpr double bottom = 52;
constexpr double height = chart_top + plot_height + bottom;
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
    // Good strategies differ near 1: what lies below all curves is left out.
    low_ = std::min(0.9, std::floor(least * 10) / 10);
  }
  [[nodiscard]] double x(double at) const {
    return left + (at - 1) / (last_ - 1) * (chart_width - left - right);
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
  const double end = chart_width - right;
  const double rise = step_of(1 - plane.low());
  // Half a step more, for sums of tenths are not exact.
  for (double value = plane.low(); value < 1 + rise / 2; value += rise) {
    text += fmt::format(
        "<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{2:.1f}\" y2=\"{1:.1f}\"/>\n"
        "<text class=\"name\" x=\"{3:.1f}\" y=\"{4:.1f}\">{5:.2f}</text>\n",
        left, plane.y(value), end, left - 8, plane.y(value) + 4, value);
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
  const double x = chart_width - right + 16;
  const double y = chart_top + legend_row * (static_cast<double>(number) + 0.5);
  return fmt::format(
      "<polyline {0} points=\"{1}\"/>\n"
      "<polyline {0} points=\"{2:.1f},{3:.1f} {4:.1f},{3:.1f}\"/>\n"
      "<text x=\"{5:.1f}\" y=\"{6:.1f}\">{7}</text>\n",
      stroke_of(number), points, x, y, x + 24, x + 32, y + 4, svg_escaped(curve.name));
}

}  // namespace

std::string svg_of(const LineChart& chart) {
  const Plane plane(chart.curves);
  std::string text = svg_begin(chart_width, height, chart.title, line_style);
  text += grid_text(plane);
  for (std::size_t i = 0; i < chart.curves.size(); ++i) {
    text += curve_text(chart.curves[i], i, plane);
  }
  text += fmt::format(
      "<text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n"
      "<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n</svg>\n",
      (left + chart_width - right) / 2, height - 10, svg_escaped(chart.x_axis), 12.0,
      chart_top - 10, svg_escaped(chart.y_axis));
  return text;
}

}  // namespace redtune::cli
