// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Horizontal bars over a logarithmic axis, as an SVG document that is legible on light and on dark
// backgrounds.
#pragma once

#include <string>
#include <vector>

namespace redtune::cli {

struct Bar {
  std::string name;   ///< to the left of the bar
  double value = 0;   ///< above zero
  std::string label;  ///< behind the bar
};

struct BarChart {
  std::string title;
  std::string axis;  ///< what the values are
  std::vector<Bar> bars;
};

[[nodiscard]] std::string svg_of(const BarChart& chart);

}  // namespace redtune::cli
