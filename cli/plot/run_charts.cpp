// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/plot/run_charts.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <utility>

namespace redtune::cli {
namespace {

// In pixels.
constexpr double run_chart_width = 400;
constexpr double title_height = 34;  // where the chart stands alone
constexpr double inset = 8;
constexpr double half_of_digit = 4;  // of a number at an axis

double top_in(const Place& place) {
  return place.is_page() ? 6 : title_height + 6;
}

/// From here on small differences would not be seen on a linear axis.
constexpr double wide_span = 5;

Scale scale_for(double low, double high) {
  return low > 0 && high / low > wide_span ? Scale::logarithmic : Scale::linear;
}

std::string on_scale(const std::string& axis, Scale scale) {
  return scale == Scale::logarithmic ? axis + ", logarithmic" : axis;
}

std::string text_at(const char* kind, double x, double y, const std::string& text) {
  return fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", kind, x, y,
                     markup(text));
}

/// Lines across with numbers below, and what they are.
std::string columns_grid(const Axis& axis, double top, double bottom, const std::string& name) {
  std::string text;
  for (const double value : axis.ticks(5)) {
    text += fmt::format("<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\"/>\n",
                        axis.at(value), top, bottom);
    const std::string number = fmt::format("{:g}", value);
    const double most = run_chart_width - half_of_digit * static_cast<double>(number.size());
    text += text_at("tick", std::min(axis.at(value), most), bottom + 14, number);
  }
  text += text_at("tick", (axis.at(axis.low()) + axis.at(axis.high())) / 2, bottom + 30, name);
  return text;
}
constexpr double below_columns = 36;

// Finalists.
constexpr double interval_row = 42;
constexpr std::size_t interval_text = 50;  // characters before the label

std::string shape_of(const IntervalRow& row, double x, double y) {
  const char* kind = row.is_default ? "point default" : "point";
  if (row.is_default) {
    return fmt::format("<path class=\"{0}\" d=\"M{1:.1f} {2:.1f}h8v8h-8z\"/>\n", kind, x - 4,
                       y - 4);
  }
  return fmt::format("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"/>\n", kind, x, y);
}

std::string interval_row_text(const IntervalRow& row, const Axis& axis, double top) {
  std::string text;
  if (row.is_shaded) {
    text +=
        fmt::format("<rect class=\"tie\" x=\"0\" y=\"{:.1f}\" width=\"{:g}\" height=\"{:g}\"/>\n",
                    top + 1, run_chart_width, interval_row - 2);
  }
  const std::size_t left =
      interval_text - std::min(row.mark.size() + row.label.size(), interval_text - 8);
  const std::string mark = row.mark.empty() ? "" : markup(row.mark) + " ";
  text += fmt::format("<text x=\"{:g}\" y=\"{:.1f}\"><tspan class=\"strong\">{}</tspan>{}</text>\n",
                      inset, top + 16, mark, markup(shortened(row.name, left)));
  text += text_at("name strong", run_chart_width - inset, top + 16, row.label);
  const double y = top + 29;
  const double low = axis.at(row.interval.low);
  const double high = axis.at(row.interval.high);
  text += fmt::format(
      "<path class=\"whisker{5}\" d=\"M{0:.1f} {1:.1f}v8M{0:.1f} {2:.1f}H{3:.1f}"
      "M{3:.1f} {4:.1f}v8\"/>\n",
      low, y - 4, y, high, y - 4, row.is_default ? " default" : "");
  return text + shape_of(row, axis.at(row.interval.median), y);
}

std::string about(const IntervalChart& chart) {
  std::string text = chart.axis + ", with 95 % intervals:";
  for (const IntervalRow& row : chart.rows) {
    text += fmt::format(" {}{}{}: {:.4g} ({:.4g} to {:.4g}){};", row.mark,
                        row.mark.empty() ? "" : ", ", row.name, row.interval.median,
                        row.interval.low, row.interval.high, row.is_shaded ? ", tied" : "");
  }
  return text;
}

// Progress.
constexpr double progress_left = 56;
constexpr double progress_height = 190;

std::string rows_grid(const Axis& axis) {
  std::string text;
  for (const double value : axis.ticks(6)) {
    text += fmt::format("<line x1=\"{:g}\" y1=\"{:.1f}\" x2=\"{:g}\" y2=\"{:.1f}\"/>\n",
                        progress_left, axis.at(value), run_chart_width - inset, axis.at(value));
    text += text_at("name", progress_left - 6, axis.at(value) + 4, fmt::format("{:g}", value));
  }
  return text;
}

/// Which trials the pieces of a path are, for scripts: "3,5 7" are two pieces, the first of two.
using TrialsOfPieces = std::vector<std::vector<std::size_t>>;

std::string trials_attribute(const TrialsOfPieces& pieces) {
  std::string text;
  for (const std::vector<std::size_t>& piece : pieces) {
    if (piece.empty()) return {};  // of what is no trial
    text += fmt::format("{}{}", text.empty() ? "" : " ", fmt::join(piece, ","));
  }
  return text.empty() ? text : fmt::format(" data-trials=\"{}\"", text);
}

/// Thousands of points are one path, and none lies twice on the same pixel.
std::string dots_of(const std::vector<TrialPoint>& points, const Axis& x, const Axis& y) {
  std::map<std::pair<long, long>, std::size_t> seen;
  TrialsOfPieces trials;
  std::string path;
  for (const TrialPoint& point : points) {
    const std::pair at{std::lround(x.at(point.x)), std::lround(y.at(point.time))};
    const auto [place, is_new] = seen.emplace(at, trials.size());
    if (is_new) {
      path += fmt::format("M{} {}h0", at.first, at.second);
      trials.emplace_back();
    }
    if (point.trial) trials[place->second].push_back(*point.trial);
  }
  if (path.empty()) return path;
  return fmt::format("<path class=\"dots\" d=\"{}\"{}/>\n", path, trials_attribute(trials));
}

std::string best_line(const std::vector<TrialPoint>& points, const Axis& x, const Axis& y) {
  std::string path;
  std::optional<double> best;
  for (const TrialPoint& point : points) {
    if (!point.counts || (best && point.time >= *best)) continue;
    path += best ? fmt::format("H{:.1f}V{:.1f}", x.at(point.x), y.at(point.time))
                 : fmt::format("M{:.1f} {:.1f}", x.at(point.x), y.at(point.time));
    best = point.time;
  }
  if (!best) return path;
  return fmt::format("<path class=\"best\" d=\"{}H{:.1f}\"/>\n", path, x.at(x.high()));
}

std::string expected_line(const ProgressChart& chart, const Axis& x, const Axis& y, double top) {
  std::string path;
  for (const TrialPoint& point : chart.expected) {
    path +=
        fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x.at(point.x), y.at(point.time));
  }
  if (path.empty()) return path;
  const double end = run_chart_width - inset;
  return fmt::format("<path class=\"expected\" d=\"{}\"/>\n", path) +
         fmt::format("<path class=\"expected\" d=\"M{:g} {:.1f}h20\"/>\n", end - 20, top - 12) +
         text_at("name", end - 26, top - 8, chart.expected_name);
}

std::string about(const ProgressChart& chart) {
  const TrialPoint* best = nullptr;
  for (const TrialPoint& point : chart.points) {
    if (point.counts && (best == nullptr || point.time < best->time)) best = &point;
  }
  if (chart.points.empty()) return "Nothing was measured.";
  std::string text = fmt::format("{} over {}.", chart.y_axis, chart.x_axis);
  if (best == nullptr) {
    const auto [low, high] = std::ranges::minmax(chart.points, {}, &TrialPoint::time);
    text += fmt::format(" From {:.4g} to {:.4g}.", low.time, high.time);
  } else {
    text += fmt::format(" The best, {:.4g}, was found at {:.4g} of {:.4g}.", best->time, best->x,
                        chart.points.back().x);
  }
  if (chart.reference) {
    text += fmt::format(" {}: {:.4g}.", chart.reference_name, *chart.reference);
  }
  for (const double share : {0.1, 0.5}) {
    // Where a curve has fallen to is told at a tenth and at half of its way.
    const double at = share * chart.points.back().x;
    const auto after = std::ranges::find_if(chart.expected,
                                            [&](const TrialPoint& point) { return point.x >= at; });
    if (after == chart.expected.end()) continue;
    text += fmt::format(" {}: {:.4g} at {:.4g}.", chart.expected_name, after->time, after->x);
  }
  return text;
}

/// Smallest and largest of what is drawn.
std::pair<double, double> times_in(const ProgressChart& chart) {
  double low = chart.reference.value_or(chart.points.front().time);
  double high = low;
  for (const TrialPoint& point : chart.points) {
    low = std::min(low, point.time);
    high = std::max(high, point.time);
  }
  for (const TrialPoint& point : chart.expected) high = std::max(high, point.time);
  return {low, high};
}

// Strips.
constexpr double strip_names = 104;
constexpr double strip_labels = 104;
constexpr double strip_row = 24;

std::string strip_row_text(const StripRow& row, const Axis& axis, double top) {
  const double middle = top + strip_row / 2;
  std::string text = text_at(row.is_winner ? "name strong" : "name", strip_names - 10, middle + 4,
                             shortened(row.name, 15));
  text += fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n",
                      strip_names, middle, run_chart_width - strip_labels, middle);
  std::map<long, std::size_t> seen;
  TrialsOfPieces trials;
  std::string ticks;
  for (std::size_t i = 0; i < row.all.size(); ++i) {
    const long x = std::lround(axis.at(row.all[i]));
    const auto [place, is_new] = seen.emplace(x, trials.size());
    if (is_new) {
      ticks += fmt::format("M{} {:g}v8", x, middle - 4);
      trials.emplace_back();
    }
    if (i < row.trials.size()) trials[place->second].push_back(row.trials[i]);
  }
  if (!ticks.empty()) {
    text += fmt::format("<path class=\"ticks\" d=\"{}\"{}/>\n", ticks, trials_attribute(trials));
  }
  if (row.best) {
    text += fmt::format("<circle class=\"point{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"/>\n",
                        row.is_rough     ? " rough"
                        : row.is_default ? " default"
                                         : "",
                        axis.at(*row.best), middle, row.is_winner ? 5 : 4);
  }
  return text + text_at(row.is_winner ? "strong" : "plain", run_chart_width - strip_labels + 10,
                        middle + 4, row.label);
}

std::string about(const StripChart& chart) {
  std::string text = fmt::format("The best time of each value of {}:", chart.title);
  for (const StripRow& row : chart.rows) {
    text += fmt::format(" {}{}{}: {};", row.name, row.is_default ? " (default)" : "",
                        row.is_winner ? " (winner)" : "", row.label);
  }
  return text;
}

}  // namespace

std::string svg_of(const IntervalChart& chart, const Place& place) {
  const double top = top_in(place);
  const double bottom = top + interval_row * static_cast<double>(chart.rows.size()) + 4;
  Drawing drawing(place, run_chart_width, bottom + below_columns, chart.title, about(chart));
  if (!chart.rows.empty()) {
    double low = chart.rows.front().interval.low;
    double high = chart.rows.front().interval.high;
    for (const IntervalRow& row : chart.rows) {
      low = std::min(low, row.interval.low);
      high = std::max(high, row.interval.high);
    }
    const Scale scale = scale_for(low, high);
    const Axis axis(low, high, scale, 24, run_chart_width - 24);
    drawing.add(columns_grid(axis, top, bottom, on_scale(chart.axis, scale)));
    for (std::size_t i = 0; i < chart.rows.size(); ++i) {
      drawing.add(
          interval_row_text(chart.rows[i], axis, top + interval_row * static_cast<double>(i)));
    }
  }
  return std::move(drawing).whole();
}

std::string svg_of(const ProgressChart& chart, const Place& place) {
  const double top = top_in(place) + 22;
  const double bottom = top + progress_height;
  Drawing drawing(place, run_chart_width, bottom + below_columns, chart.title, about(chart));
  if (!chart.points.empty()) {
    const auto [low, high] = times_in(chart);
    const Scale y_scale = scale_for(low, high);
    const Axis y(low, high, y_scale, bottom - 8, top + 8);
    const double first = chart.points.front().x;
    const double last =
        std::max(chart.points.back().x, chart.expected.empty() ? 0 : chart.expected.back().x);
    // The first trials of a long run would lie on one another.
    const bool is_long = first > 0 && last / first > 200;
    const Scale x_scale = is_long ? Scale::logarithmic : Scale::linear;
    const Axis x(is_long ? first : std::min(first, 0.0), last, x_scale, progress_left + 6,
                 run_chart_width - inset - 6);
    drawing.add(rows_grid(y));
    drawing.add(columns_grid(x, top, bottom, on_scale(chart.x_axis, x_scale)));
    drawing.add(text_at("plain", inset, top - 8, on_scale(chart.y_axis, y_scale)));
    drawing.add(dots_of(chart.points, x, y));
    drawing.add(expected_line(chart, x, y, top));
    drawing.add(best_line(chart.points, x, y));
    if (chart.reference) {
      const double at = y.at(*chart.reference);
      drawing.add(fmt::format(
          "<line class=\"reference\" x1=\"{:g}\" y1=\"{:.1f}\" x2=\"{:g}\" y2=\"{:.1f}\"/>\n",
          progress_left, at, run_chart_width - inset, at));
      drawing.add(text_at("name halo", run_chart_width - inset - 4, at - 5, chart.reference_name));
    }
  }
  return std::move(drawing).whole();
}

std::string svg_of(const StripChart& chart, const Place& place) {
  const double top = top_in(place);
  const double bottom = top + strip_row * static_cast<double>(chart.rows.size());
  const Scale scale = scale_for(chart.low, chart.high);
  const Axis axis(chart.low, chart.high, scale, strip_names + 4,
                  run_chart_width - strip_labels - 4);
  Drawing drawing(place, run_chart_width, bottom + below_columns, chart.title, about(chart));
  drawing.add(columns_grid(axis, top, bottom, on_scale(chart.axis, scale)));
  for (std::size_t i = 0; i < chart.rows.size(); ++i) {
    drawing.add(strip_row_text(chart.rows[i], axis, top + strip_row * static_cast<double>(i)));
  }
  return std::move(drawing).whole();
}

}  // namespace redtune::cli
