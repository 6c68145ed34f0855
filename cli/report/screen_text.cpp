// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/report/screen_text.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <utility>

#include "cli/terminal.hpp"
#include "tuner/text/printable.hpp"

namespace redtune::cli {
namespace {

constexpr std::size_t least_last_column = 24;
constexpr std::size_t chart_rows = 8;
constexpr std::size_t chart_columns = 64;
constexpr std::size_t chart_names = 9;

bool begins_as_number(const std::string& cell) {
  return cell.empty() || std::isdigit(static_cast<unsigned char>(cell[0])) != 0 || cell[0] == '-' ||
         cell[0] == '+';
}

std::string padded(const std::string& text, std::size_t width, bool to_the_right) {
  const std::string blanks(width - std::min(width, width_of(text)), ' ');
  return to_the_right ? blanks + text : text + blanks;
}

/// Lines of at most so many characters, but for words that are longer.
std::vector<std::string> lines_of_text(std::string_view text, std::size_t width) {
  std::vector<std::string> lines{""};
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    const bool is_first = lines.back().empty();
    if (!is_first && width_of(lines.back()) + 1 + width_of(word) > width) {
      lines.emplace_back(word);
    } else {
      lines.back() += (is_first ? "" : " ") + std::string(word);
    }
    at = end + 1;
  }
  return lines;
}

// Those of every terminal's own sixteen: readable on light and dark.
constexpr std::string_view no_color = "\x1b[0m";

std::string_view color_of(Emphasis emphasis) {
  switch (emphasis) {
    case Emphasis::winner:
      return "\x1b[1;32m";
    case Emphasis::usual:
      return "\x1b[36m";
    case Emphasis::failed:
      return "\x1b[31m";
    case Emphasis::none:
      break;
  }
  return {};
}

void drop_blanks_at_end(std::string& line) {
  line.erase(line.find_last_not_of(' ') + 1);
}

}  // namespace

std::string three_digits(double value) {
  if (value == 0 || !std::isfinite(value)) return fmt::format("{:g}", value);
  const int power = static_cast<int>(std::floor(std::log10(std::abs(value))));
  if (power < -5 || power > 8) return fmt::format("{:.2e}", value);
  const int places = std::max(0, 2 - power);
  const double unit = std::pow(10, power - 2);
  const double rounded = std::round(value / unit) * unit;
  return fmt::format("{:.{}f}", rounded,
                     rounded >= std::pow(10, power + 1) ? std::max(0, places - 1) : places);
}

std::string us_text(double us) {
  if (us < 0.9995) return three_digits(us * 1e3) + " ns";
  if (us < 999.5) return three_digits(us) + " us";
  if (us < 999.5e3) return three_digits(us / 1e3) + " ms";
  return three_digits(us / 1e6) + " s";
}

std::string x_times_text(double ratio) {
  return three_digits(ratio) + "x";
}

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string wrapped(std::string_view text, std::size_t indent) {
  std::string all;
  for (const std::string& line : lines_of_text(tuner::printable(text), screen_columns - indent)) {
    all += (all.empty() ? "" : std::string(indent, ' ')) + line + '\n';
  }
  return all;
}

std::string screen_table(std::vector<std::vector<std::string>> rows) {
  const std::vector<Emphasis> plain(rows.size(), Emphasis::none);
  return screen_table(std::move(rows), plain);
}

std::string screen_table(std::vector<std::vector<std::string>> rows,
                         const std::vector<Emphasis>& emphases) {
  const bool has_color = color_wanted(stdout);
  std::size_t columns = 0;
  for (auto& row : rows) {
    columns = std::max(columns, row.size());
    for (std::string& cell : row) cell = tuner::printable(cell);
  }
  if (columns == 0) return {};
  std::vector<std::size_t> widths(columns);
  std::vector<bool> to_the_right(columns, true);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      widths[c] = std::max(widths[c], width_of(rows[r][c]));
      if (r > 0 && !begins_as_number(rows[r][c])) to_the_right[c] = false;
    }
  }
  std::size_t before_last = 0;
  for (std::size_t c = 0; c + 1 < columns; ++c) before_last += widths[c] + 2;
  const std::size_t room = before_last + least_last_column < screen_columns
                               ? screen_columns - before_last
                               : least_last_column;
  std::string text;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const auto& row = rows[r];
    const std::string_view color = has_color ? color_of(emphases[r]) : std::string_view{};
    const std::string_view end = color.empty() ? std::string_view{} : no_color;
    std::string line;
    for (std::size_t c = 0; c + 1 < std::max<std::size_t>(row.size(), 1); ++c) {
      line += padded(row[c], widths[c], to_the_right[c]) + "  ";
    }
    const bool has_last = row.size() == columns;
    const auto last = has_last ? lines_of_text(row.back(), std::max(room, least_last_column))
                               : std::vector<std::string>{row.empty() ? "" : row.back()};
    line += last.front();
    drop_blanks_at_end(line);
    text += fmt::format("{}{}{}\n", color, line, end);
    for (std::size_t i = 1; i < last.size(); ++i) {
      text += fmt::format("{}{}{}{}\n", std::string(before_last, ' '), color, last[i], end);
    }
  }
  return text;
}

std::string screen_chart(const std::vector<ScreenPoint>& points, std::optional<double> reference,
                         std::string_view reference_name) {
  const bool has_best = std::ranges::any_of(points, &ScreenPoint::counts);
  if (!has_best) return {};
  double low = reference.value_or(points.front().time);
  double high = low;
  for (const ScreenPoint& point : points) {
    low = std::min(low, point.time);
    high = std::max(high, point.time);
  }
  const double span = high > low ? std::log(high / low) : 1;
  const auto row_of = [&](double time) {
    const double share = std::log(time / low) / span;
    return chart_rows - 1 - static_cast<std::size_t>(std::lround(share * (chart_rows - 1)));
  };
  const std::size_t columns = std::min(chart_columns, points.size());
  const auto column_of = [&](std::size_t point) {
    return columns <= 1 ? 0 : point * (columns - 1) / (points.size() - 1);
  };
  std::vector<std::string> rows(chart_rows, std::string(columns, ' '));
  if (reference) rows[row_of(*reference)].assign(columns, '-');
  for (std::size_t i = 0; i < points.size(); ++i) rows[row_of(points[i].time)][column_of(i)] = '.';
  std::optional<double> best;
  std::optional<std::size_t> next;  // column that has no best yet
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i].counts && (!best || points[i].time < *best)) best = points[i].time;
    if (!best) continue;
    const std::size_t column = column_of(i);
    for (std::size_t c = next.value_or(column); c <= column; ++c) rows[row_of(*best)][c] = '#';
    next = column + 1;
  }
  std::string text;
  for (std::size_t row = 0; row < chart_rows; ++row) {
    std::string name;
    if (row == 0) name = us_text(high);
    if (row == chart_rows - 1) name = us_text(low);
    std::string line = fmt::format("{:>{}} |{}", name, chart_names, rows[row]);
    if (reference && row == row_of(*reference)) line += fmt::format(" {}", reference_name);
    drop_blanks_at_end(line);
    text += line + '\n';
  }
  return text + fmt::format("{:>{}} +{} {} evaluations\n", "", chart_names,
                            std::string(columns, '-'), points.size());
}

}  // namespace redtune::cli
