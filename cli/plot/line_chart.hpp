// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Curves over a common axis from 1, as an SVG document that is legible on light and on dark
// backgrounds.
#pragma once

#include <string>
#include <vector>

namespace redtune::cli {

struct Curve {
  std::string name;            ///< in the legend
  std::vector<double> values;  ///< at 1, 2, …; each from 0 to 1
};

struct LineChart {
  std::string title;
  std::string x_axis;
  std::string y_axis;
  std::vector<Curve> curves;
};

[[nodiscard]] std::string svg_of(const LineChart& chart);

}  // namespace redtune::cli
