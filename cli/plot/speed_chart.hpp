// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Speeds over sizes, several series in one drawing: what was measured is a dot, and a line joins
// what is of one kind.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/plot/drawing.hpp"

namespace redtune::cli {

/// What a series is of: its line and its marks tell.
enum class SeriesKind {
  result,    ///< a full line with dots
  fallback,  ///< the default's, a broken line
  peer,      ///< another library's, crosses
};

struct SpeedPoint {
  double x = 1;  ///< above zero
  double y = 0;
};

struct SpeedSeries {
  std::string name;  ///< in the legend; series of one name have one colour and one entry
  SeriesKind kind = SeriesKind::result;
  std::vector<SpeedPoint> points;  ///< in the order of x
  bool is_joined = true;           ///< a line through the points
};

/// x is logarithmic, y begins at 0.
struct SpeedChart {
  std::string title;
  std::string x_axis;
  std::string y_axis;
  std::vector<SpeedSeries> series;
  std::optional<double> roof = {};  ///< a line across
  std::string peer_name = {};       ///< whose the crosses are; empty: there are none
};

[[nodiscard]] std::string svg_of(const SpeedChart& chart, const Place& place = {});

}  // namespace redtune::cli
