// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/plot/heat_map.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

namespace redtune::cli {
namespace {

// In pixels, as other drawings of a run.
constexpr double map_width = 400;
constexpr double map_title = 34;  // where it stands alone
constexpr double map_names = 104;
constexpr double map_inset = 8;
constexpr double cell_height = 26;
constexpr double least_for_text = 40;  // a cell's width
constexpr double letter = 7.2;         // a character's, at most about
constexpr double legend_height = 62;

/// A cell belongs to the first class whose bound it does not exceed; the last has none.
constexpr std::array bounds{1.02, 1.1, 1.25, 1.5, 2.0, 4.0};
constexpr std::size_t class_count = bounds.size() + 1;

std::size_t class_of_ratio(double ratio) {
  return static_cast<std::size_t>(std::ranges::lower_bound(bounds, ratio) - bounds.begin());
}

std::string cell_text(double ratio) {
  return fmt::format("{:.{}f}", ratio, ratio < 9.995 ? 2 : ratio < 99.95 ? 1 : 0);
}

/// Where the cells lie.
class Cells {
 public:
  Cells(const HeatMap& map, double top)
      : top_(top),
        width_((map_width - map_names - map_inset) /
               static_cast<double>(std::max<std::size_t>(map.columns.size(), 1))) {}

  [[nodiscard]] double x(std::size_t column) const {
    return map_names + width_ * static_cast<double>(column);
  }
  [[nodiscard]] double y(std::size_t row) const {
    return top_ + cell_height * static_cast<double>(row);
  }
  [[nodiscard]] double width() const { return width_; }
  [[nodiscard]] double middle_x(std::size_t column) const { return x(column) + width_ / 2; }
  [[nodiscard]] double middle_y(std::size_t row) const { return y(row) + cell_height / 2; }
  /// A part of a path.
  [[nodiscard]] std::string box(std::size_t row, std::size_t column) const {
    return fmt::format("M{:.1f} {:.1f}h{:.1f}v{:g}h-{:.1f}z", x(column) + 0.5, y(row) + 0.5,
                       width_ - 1, cell_height - 1, width_ - 1);
  }
  /// Strokes from the lower left to the upper right, for what was not tried.
  [[nodiscard]] std::string hatch(std::size_t row, std::size_t column) const {
    std::string path;
    const double left = x(column) + 1;
    const double right = x(column) + width_ - 1;
    const double low = y(row) + cell_height - 1;
    const double high = y(row) + 1;
    for (double start = left - (low - high); start < right; start += 8) {
      const double from = std::max(start, left);
      const double to = std::min(start + (low - high), right);
      if (to <= from) continue;
      path += fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", from, low - (from - start), to,
                          low - (to - start));
    }
    return path;
  }
  /// A cross, for what could not be measured.
  [[nodiscard]] std::string cross(std::size_t row, std::size_t column) const {
    return fmt::format("M{0:.1f} {1:.1f}l8 8M{2:.1f} {1:.1f}l-8 8", middle_x(column) - 4,
                       middle_y(row) - 4, middle_x(column) + 4);
  }

 private:
  double top_;
  double width_;
};

std::string path_of(std::string_view kind, const std::string& data) {
  return data.empty() ? data : fmt::format("<path class=\"{}\" d=\"{}\"/>\n", kind, data);
}

/// Few paths instead of many shapes: a page has dozens of maps.
std::string cells_text(const HeatMap& map, const Cells& cells) {
  std::array<std::string, class_count> classes;
  std::string hatched;
  std::string failed;
  std::string defaults;
  std::string winners;
  std::string texts;
  for (std::size_t row = 0; row < map.rows.size(); ++row) {
    for (std::size_t column = 0; column < map.columns.size(); ++column) {
      const HeatCell& cell = map.at(row, column);
      if (!cell.is_tried) {
        hatched += cells.hatch(row, column);
      } else if (!cell.ratio) {
        failed += cells.cross(row, column);
      } else {
        const std::size_t level = class_of_ratio(*cell.ratio);
        classes[level] += cells.box(row, column);
        if (cells.width() >= least_for_text) {
          texts += fmt::format("<text class=\"tick t{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}{}</text>\n",
                               level, cells.middle_x(column), cells.middle_y(row) + 4,
                               cell.is_rough ? "~" : "", cell_text(*cell.ratio));
        }
      }
      if (cell.is_winner) {
        winners += cells.box(row, column);
      } else if (cell.is_default) {
        defaults += cells.box(row, column);
      }
    }
  }
  std::string text;
  for (std::size_t level = 0; level < class_count; ++level) {
    text += path_of(fmt::format("heat h{}", level), classes[level]);
  }
  return text + path_of("hatch", hatched) + path_of("cross", failed) +
         path_of("frame default", defaults) + path_of("frame winner", winners) + texts;
}

std::string names_text(const HeatMap& map, const Cells& cells, double top) {
  std::string text;
  for (std::size_t row = 0; row < map.rows.size(); ++row) {
    text += fmt::format("<text class=\"name\" x=\"{:g}\" y=\"{:.1f}\">{}</text>\n", map_names - 8,
                        cells.middle_y(row) + 4, markup(shortened(map.rows[row], 14)));
  }
  // As many names as have room.
  std::size_t longest = 1;
  for (const std::string& name : map.columns) longest = std::max(longest, name.size());
  const double wanted = letter * static_cast<double>(std::min<std::size_t>(longest, 8)) + 4;
  const auto stride = static_cast<std::size_t>(std::max(1.0, wanted / cells.width() + 0.999));
  const double room = cells.width() * static_cast<double>(stride);
  const auto most = static_cast<std::size_t>(std::max(2.0, room / letter));
  for (std::size_t column = 0; column < map.columns.size(); column += stride) {
    text += fmt::format("<text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
                        cells.middle_x(column), cells.y(map.rows.size()) + 15,
                        markup(shortened(map.columns[column], most)));
  }
  text += fmt::format("<text class=\"plain strong\" x=\"{:g}\" y=\"{:.1f}\">{}</text>\n", map_inset,
                      top - 8, markup(shortened(map.y_axis, 40)));
  text += fmt::format("<text class=\"tick strong\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
                      (map_names + map_width - map_inset) / 2, cells.y(map.rows.size()) + 32,
                      markup(shortened(map.x_axis, 40)));
  return text;
}

std::string legend_text(double top) {
  std::string text;
  constexpr double width = (map_width - 2 * map_inset) / class_count;
  for (std::size_t level = 0; level < class_count; ++level) {
    const double x = map_inset + width * static_cast<double>(level);
    text += path_of(fmt::format("heat h{}", level),
                    fmt::format("M{:.1f} {:.1f}h{:.1f}v10h-{:.1f}z", x, top, width - 2, width - 2));
    const bool is_last = level + 1 == class_count;
    text += fmt::format("<text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", x + width / 2,
                        top + 24, is_last ? "more" : fmt::format("to {:g}×", bounds[level]));
  }
  return text;
}

/// Of each value of one tunable the best of the other: all cells would be too many to be read out.
std::string about(const HeatMap& map) {
  std::string text =
      fmt::format("Down: {}; across: {}. For each line the best time, {}:", map.y_axis, map.x_axis,
                  map.meaning);
  std::size_t untried = 0;
  for (std::size_t row = 0; row < map.rows.size(); ++row) {
    std::optional<std::size_t> best;
    for (std::size_t column = 0; column < map.columns.size(); ++column) {
      const HeatCell& cell = map.at(row, column);
      untried += cell.is_tried ? 0 : 1;
      if (cell.ratio && (!best || *cell.ratio < *map.at(row, *best).ratio)) best = column;
    }
    text += fmt::format(" {}: ", map.rows[row]);
    text += best ? fmt::format("{}{}, {}×;", map.columns[*best],
                               map.at(row, *best).is_winner ? " (winner)" : "",
                               cell_text(*map.at(row, *best).ratio))
                 : std::string("not measured;");
  }
  return text + fmt::format(" {} of {} cells were not {}.", untried, map.cells.size(), map.done);
}

}  // namespace

std::string svg_of(const HeatMap& map, const Place& place) {
  const double top = (place.is_page() ? 6 : map_title + 6) + 20;
  const Cells cells(map, top);
  const double bottom = cells.y(map.rows.size()) + 44;
  Drawing drawing(place, map_width, bottom + legend_height - 26, map.title, about(map));
  drawing.add(cells_text(map, cells));
  drawing.add(names_text(map, cells, top));
  drawing.add(legend_text(bottom));
  return std::move(drawing).whole();
}

}  // namespace redtune::cli
