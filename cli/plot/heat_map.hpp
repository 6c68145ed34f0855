// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Times by the values of two tunables, in classes of colour that mean the same in every map. What
// was not tried is hatched, never guessed from its neighbours.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cli/plot/drawing.hpp"

namespace redtune::cli {

struct HeatCell {
  std::optional<double> ratio{};  ///< to the fastest of all; none: nothing here could be measured
  bool is_tried = false;
  bool is_rough = false;  ///< the best here was given up
  bool is_default = false;
  bool is_winner = false;
};

/// Values of one tunable from left to right, of the other from top to bottom.
struct HeatMap {
  std::string title;
  std::string x_axis;
  std::string y_axis;
  std::vector<std::string> columns;
  std::vector<std::string> rows;
  std::vector<HeatCell> cells;                           ///< row by row
  std::string meaning = "as a multiple of the fastest";  ///< of ratios, for who does not see them
  std::string done = "tried";                            ///< what an empty cell was not

  [[nodiscard]] const HeatCell& at(std::size_t row, std::size_t column) const {
    return cells[row * columns.size() + column];
  }
};

[[nodiscard]] std::string svg_of(const HeatMap& map, const Place& place = {});

}  // namespace redtune::cli
