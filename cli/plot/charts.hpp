// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Charts as SVG documents that are legible on light and on dark backgrounds.
#pragma once

#include <string>
#include <vector>

#include "cli/plot/drawing.hpp"

namespace redtune::cli {

struct Bar {
  std::string name;   ///< to the left of the bar
  double value = 0;   ///< above zero
  std::string label;  ///< behind the bar
};

/// Horizontal bars.
struct BarChart {
  std::string title;
  std::string axis;  ///< what the values are
  std::vector<Bar> bars;
  Scale scale = Scale::logarithmic;  ///< a linear one begins at 0
};

[[nodiscard]] std::string svg_of(const BarChart& chart, const Place& place = {});

struct Curve {
  std::string name;            ///< in the legend
  std::vector<double> values;  ///< at 1, 2, …; each from 0 to 1
};

/// Curves over a common axis from 1.
struct LineChart {
  std::string title;
  std::string x_axis;
  std::string y_axis;
  std::vector<Curve> curves;
};

[[nodiscard]] std::string svg_of(const LineChart& chart, const Place& place = {});

}  // namespace redtune::cli
