// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/plot/speed_chart.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "redtune/problem.hpp"

namespace redtune::cli {
namespace {

// In pixels, as other drawings of pages.
constexpr double speed_width = 400;
constexpr double speed_left = 50;
constexpr double speed_right = 12;
constexpr double speed_height = 200;
constexpr double legend_line = 18;
constexpr double legend_column = 190;
constexpr std::size_t speed_colors = 7;  // of rules in the style

std::string speed_text_at(const char* kind, double x, double y, const std::string& text) {
  return fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", kind, x, y,
                     markup(text));
}

/// Names of series, each once, in their order.
std::vector<std::string> names_of(const SpeedChart& chart) {
  std::vector<std::string> names;
  for (const SpeedSeries& series : chart.series) {
    if (std::ranges::find(names, series.name) == names.end()) names.push_back(series.name);
  }
  return names;
}

struct Ranges {
  double low_x = 1;
  double high_x = 1;
  double high_y = 0;
};

Ranges ranges_of(const SpeedChart& chart) {
  Ranges ranges{.low_x = 0, .high_x = 0, .high_y = chart.roof.value_or(0)};
  for (const SpeedSeries& series : chart.series) {
    for (const SpeedPoint& point : series.points) {
      ranges.low_x = ranges.low_x == 0 ? point.x : std::min(ranges.low_x, point.x);
      ranges.high_x = std::max(ranges.high_x, point.x);
      ranges.high_y = std::max(ranges.high_y, point.y);
    }
  }
  if (ranges.low_x == 0) return {};
  if (ranges.high_y == 0) ranges.high_y = 1;
  return ranges;
}

/// Powers of two, at most about six.
std::string size_grid(const Axis& x, double top, double bottom) {
  const double low = std::log2(x.low());
  const double high = std::log2(x.high());
  const double step = std::max(1.0, std::ceil((high - low) / 5));
  std::string text;
  for (double power = std::ceil(low); power <= high + 1e-9; power += step) {
    const double at = x.at(std::exp2(power));
    text += fmt::format("<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\"/>\n", at,
                        top, bottom);
    const bool is_count = power >= 0 && power < 62;
    text += speed_text_at("tick", at, bottom + 16,
                          is_count && power < 10 ? fmt::format("{:g}", std::exp2(power))
                                                 : fmt::format("2^{:g}", power));
  }
  return text;
}

std::string marks_of(const SpeedSeries& series, std::size_t color, const Axis& x, const Axis& y) {
  std::string line;
  std::string marks;
  for (const SpeedPoint& point : series.points) {
    const double at_x = x.at(point.x);
    const double at_y = y.at(point.y);
    line += fmt::format("{}{:.1f} {:.1f}", line.empty() ? "M" : "L", at_x, at_y);
    marks += series.kind == SeriesKind::peer
                 ? fmt::format("M{:.1f} {:.1f}l6 6m0 -6l-6 6", at_x - 3, at_y - 3)
                 : fmt::format("M{:.1f} {:.1f}h0", at_x, at_y);
  }
  std::string text;
  if (series.kind == SeriesKind::fallback) {
    if (!series.is_joined) return {};
    return fmt::format("<path class=\"curve fallback c{}\" d=\"{}\"/>\n", color, line);
  }
  const bool is_peer = series.kind == SeriesKind::peer;
  if (series.is_joined && !is_peer) {
    text += fmt::format("<path class=\"curve c{}\" d=\"{}\"/>\n", color, line);
  }
  return text + fmt::format("<path class=\"{} c{}\" d=\"{}\"/>\n", is_peer ? "peer" : "spots",
                            color, marks);
}

std::string legend_of(const std::vector<std::string>& names, const SpeedChart& chart, double top) {
  std::string text;
  std::size_t place = 0;
  const auto add = [&](const std::string& sample, const std::string& name) {
    const double x = 8 + legend_column * static_cast<double>(place % 2);
    const double y = top + legend_line * static_cast<double>(place / 2);
    text += fmt::format("<path class=\"{}\" d=\"M{:.1f} {:.1f}{}\"/>\n",
                        sample.substr(0, sample.find('|')), x, y - 4,
                        sample.substr(sample.find('|') + 1));
    text += speed_text_at("plain", x + 26, y, shortened(name, 23));
    ++place;
  };
  for (std::size_t i = 0; i < names.size(); ++i) {
    add(fmt::format("curve c{}|h20", i % speed_colors), names[i]);
  }
  const auto has = [&](SeriesKind kind) {
    return std::ranges::any_of(chart.series, [&](const SpeedSeries& series) {
      return series.kind == kind && (series.is_joined || kind == SeriesKind::peer);
    });
  };
  if (has(SeriesKind::fallback)) add("curve fallback|h20", "the default");
  if (has(SeriesKind::peer)) add("peer|m7 -3l6 6m0 -6l-6 6", chart.peer_name);
  return text;
}

std::size_t legend_rows(const SpeedChart& chart) {
  return (names_of(chart).size() + 2 + 1) / 2;
}

std::string about(const SpeedChart& chart) {
  std::string text = fmt::format("{} over {}.", chart.y_axis, chart.x_axis);
  for (const SpeedSeries& series : chart.series) {
    if (series.points.empty()) continue;
    const char* of = series.kind == SeriesKind::fallback ? ", the default" : "";
    text += fmt::format(" {}{}{}:", series.name,
                        series.kind == SeriesKind::peer ? ", " + chart.peer_name : "", of);
    for (const SpeedPoint& point : series.points) {
      text += fmt::format(" {:.3g} at {},", point.y,
                          describe_count(static_cast<std::int64_t>(point.x)));
    }
    text.back() = ';';
  }
  return text;
}

}  // namespace

std::string svg_of(const SpeedChart& chart, const Place& place) {
  const double top = (place.is_page() ? 6 : 40) + 18;
  const double bottom = top + speed_height;
  const double legend = bottom + 52;
  Drawing drawing(place, speed_width,
                  legend + legend_line * static_cast<double>(legend_rows(chart)) - 6, chart.title,
                  about(chart));
  const Ranges ranges = ranges_of(chart);
  const Axis x(ranges.low_x, ranges.high_x, Scale::logarithmic, speed_left + 16,
               speed_width - speed_right - 8);
  const Axis y(0, ranges.high_y * 1.04, Scale::linear, bottom, top);
  for (const double value : y.ticks(6)) {
    drawing.add(fmt::format("<line x1=\"{:g}\" y1=\"{:.1f}\" x2=\"{:g}\" y2=\"{:.1f}\"/>\n",
                            speed_left, y.at(value), speed_width - speed_right, y.at(value)));
    drawing.add(speed_text_at("name", speed_left - 6, y.at(value) + 4, fmt::format("{:g}", value)));
  }
  drawing.add(size_grid(x, top, bottom));
  drawing.add(speed_text_at("plain", 8, top - 8, chart.y_axis));
  drawing.add(speed_text_at("tick", (speed_left + speed_width - speed_right) / 2, bottom + 32,
                            chart.x_axis));
  if (chart.roof) {
    drawing.add(fmt::format(
        "<line class=\"reference\" x1=\"{:g}\" y1=\"{:.1f}\" x2=\"{:g}\" y2=\"{:.1f}\"/>\n",
        speed_left, y.at(*chart.roof), speed_width - speed_right, y.at(*chart.roof)));
  }
  const auto names = names_of(chart);
  for (const SpeedSeries& series : chart.series) {
    const auto number =
        static_cast<std::size_t>(std::ranges::find(names, series.name) - names.begin());
    drawing.add(marks_of(series, number % speed_colors, x, y));
  }
  drawing.add(legend_of(names, chart, legend));
  return std::move(drawing).whole();
}

}  // namespace redtune::cli
