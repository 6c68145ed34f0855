// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Charts of one tuning run: its finalists, how its search went on, and what a tunable's values
// cost. They are narrow, so that their text can be read on a telephone; a page sets several side by
// side.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/plot/drawing.hpp"
#include "redtune/interval.hpp"

namespace redtune::cli {

struct IntervalRow {
  std::string mark;   ///< what is special about it: "winner, fastest"; or empty
  std::string name;   ///< shortened where it is long
  std::string label;  ///< at the right
  Interval interval;
  bool is_shaded = false;
  bool is_default = false;
};

/// Points with intervals, one below the other.
struct IntervalChart {
  std::string title;
  std::string axis;
  std::vector<IntervalRow> rows;
};

[[nodiscard]] std::string svg_of(const IntervalChart& chart, const Place& place = {});

struct TrialPoint {
  double x = 0;
  double time = 0;                     ///< above zero
  bool counts = true;                  ///< for the best so far
  std::optional<std::size_t> trial{};  ///< which it is, for scripts of a page that hide some
};

/// Points in the order of x, and the smallest so far as a line where any of them counts.
struct ProgressChart {
  std::string title;
  std::string x_axis;
  std::string y_axis;
  std::vector<TrialPoint> points;
  std::optional<double> reference = {};  ///< a time to compare with
  std::string reference_name = {};
  std::vector<TrialPoint> expected = {};  ///< another line, in the order of x
  std::string expected_name = {};
};

[[nodiscard]] std::string svg_of(const ProgressChart& chart, const Place& place = {});

struct StripRow {
  std::string name;
  std::string label;             ///< at the right
  std::optional<double> best{};  ///< none: nothing was measured
  std::vector<double> all{};     ///< everything measured
  bool is_default = false;
  bool is_winner = false;
  bool is_rough = false;              ///< the best is of trials that were given up
  std::vector<std::size_t> trials{};  ///< which each of all is, or empty
};

/// The values of a tunable, one below the other, each with all times and the best of them.
struct StripChart {
  std::string title;
  std::string axis;
  std::vector<StripRow> rows;
  double low = 1;  ///< of the axis, which strips of a run have in common
  double high = 1;
};

[[nodiscard]] std::string svg_of(const StripChart& chart, const Place& place = {});

}  // namespace redtune::cli
