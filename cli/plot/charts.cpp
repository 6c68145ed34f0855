// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/plot/charts.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace redtune::cli {
namespace {

/// Of every drawing, in pixels at its own size.
constexpr double chart_width = 900;
constexpr double chart_top = 48;  ///< what the title takes

// Bars. All in pixels at the drawing's own size.
constexpr double row_height = 24;
constexpr double bar_height = 14;
constexpr double below_bars = 44;

/// How much of the width names and labels take, and how much of the height the title.
struct BarLayout {
  double width = 900;
  double names = 250;
  double labels = 190;
  double top = chart_top;
  int ticks = 10;
};
constexpr BarLayout bars_in_page{.width = 400, .names = 76, .labels = 116, .top = 12, .ticks = 4};

/// Powers of ten from one below all values to one above, or from zero to the largest.
class BarAxis {
 public:
  BarAxis(const BarChart& chart, const BarLayout& layout)
      : scale_(chart.scale), layout_(layout), axis_(axis_of(chart, layout)) {}

  [[nodiscard]] double x(double value) const { return axis_.at(value); }
  [[nodiscard]] std::vector<double> ticks() const {
    if (scale_ == Scale::linear) return axis_.ticks(layout_.ticks);
    std::vector<double> powers;
    for (double power = std::round(std::log10(axis_.low()));
         power <= std::round(std::log10(axis_.high())); ++power) {
      powers.push_back(std::pow(10, power));
    }
    return powers;
  }

 private:
  static Axis axis_of(const BarChart& chart, const BarLayout& layout) {
    double low = chart.scale == Scale::linear ? 0 : 1;
    double high = chart.scale == Scale::linear ? 1 : 10;
    if (!chart.bars.empty()) {
      const auto [least, most] = std::ranges::minmax(chart.bars, {}, &Bar::value);
      if (chart.scale == Scale::linear) {
        high = most.value > 0 ? most.value : 1;
      } else {
        // A bar of the least value is seen, too: it begins below it.
        const double first = std::floor(std::log10(least.value) - 0.05);
        low = std::pow(10, first);
        high = std::pow(10, std::max(first + 1, std::ceil(std::log10(most.value))));
      }
    }
    return {low, high, chart.scale, layout.names, layout.width - layout.labels};
  }

  Scale scale_;
  BarLayout layout_;
  Axis axis_;
};

std::string grid_text(const BarAxis& axis, const BarLayout& layout, double height) {
  std::string text;
  const double end = height - below_bars + 6;
  for (const double value : axis.ticks()) {
    text += fmt::format(
        "<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\"/>\n"
        "<text class=\"tick\" x=\"{0:.1f}\" y=\"{3:.1f}\">{4:g}</text>\n",
        axis.x(value), layout.top - 8, end, end + 14, value);
  }
  return text;
}

std::string bar_text(const Bar& bar, const BarAxis& axis, const BarLayout& layout, double y) {
  const double end = axis.x(bar.value);
  const double text_y = y + bar_height - 3;
  return fmt::format(
      "<text class=\"name\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n"
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"2\"/>\n"
      "<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
      layout.names - 8, text_y, markup(bar.name), layout.names, y, end - layout.names, bar_height,
      end + 6, text_y, markup(bar.label));
}

std::string about(const BarChart& chart) {
  std::string text = chart.axis + ":";
  for (const Bar& bar : chart.bars) text += fmt::format(" {}: {};", bar.name, bar.label);
  return text;
}

// Lines, likewise.
constexpr double lines_left = 60;
constexpr double lines_right = 220;  // the legend's
constexpr double plot_height = 380;
constexpr double lines_bottom = 52;
constexpr double lines_height = chart_top + plot_height + lines_bottom;
constexpr double legend_row = 20;

/// Of rules in the style: after the colours are used up, lines are dashed.
constexpr std::size_t color_count = 7;
constexpr std::size_t dash_count = 3;

std::string class_of(std::size_t curve) {
  return fmt::format("class=\"c{} d{}\"", curve % color_count, curve / color_count % dash_count);
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
  const double rise = step_of(1 - plane.low(), 10);
  // Half a step more, for sums of tenths are not exact.
  for (double value = plane.low(); value < 1 + rise / 2; value += rise) {
    text += fmt::format(
        "<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{2:.1f}\" y2=\"{1:.1f}\"/>\n"
        "<text class=\"name\" x=\"{3:.1f}\" y=\"{4:.1f}\">{5:.2f}</text>\n",
        lines_left, plane.y(value), end, lines_left - 8, plane.y(value) + 4, value);
  }
  const double step = std::max(1.0, step_of(plane.last(), 10));
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
      class_of(number), points, x, y, x + 24, x + 32, y + 4, markup(curve.name));
}

std::string about(const LineChart& chart) {
  std::string text = fmt::format("{} over {}, at the end:", chart.y_axis, chart.x_axis);
  for (const Curve& curve : chart.curves) {
    if (!curve.values.empty()) text += fmt::format(" {}: {:.3g};", curve.name, curve.values.back());
  }
  return text;
}

}  // namespace

std::string svg_of(const BarChart& chart, const Place& place) {
  const BarLayout layout = place.is_page() ? bars_in_page : BarLayout{};
  const double height =
      layout.top + row_height * static_cast<double>(chart.bars.size()) + below_bars;
  const BarAxis axis(chart, layout);
  Drawing drawing(place, layout.width, height, chart.title, about(chart));
  drawing.add(grid_text(axis, layout, height));
  double y = layout.top;
  for (const Bar& bar : chart.bars) {
    drawing.add(bar_text(bar, axis, layout, y));
    y += row_height;
  }
  drawing.add(fmt::format("<text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
                          (layout.names + layout.width - layout.labels) / 2, height - 6,
                          markup(chart.axis)));
  return std::move(drawing).whole();
}

std::string svg_of(const LineChart& chart, const Place& place) {
  const Plane plane(chart.curves);
  Drawing drawing(place, chart_width, lines_height, chart.title, about(chart));
  drawing.add(grid_text(plane));
  for (std::size_t i = 0; i < chart.curves.size(); ++i) {
    drawing.add(curve_text(chart.curves[i], i, plane));
  }
  drawing.add(
      fmt::format("<text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n"
                  "<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
                  (lines_left + chart_width - lines_right) / 2, lines_height - 10,
                  markup(chart.x_axis), 12.0, chart_top - 10, markup(chart.y_axis)));
  return std::move(drawing).whole();
}

}  // namespace redtune::cli
