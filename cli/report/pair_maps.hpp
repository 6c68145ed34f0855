// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Of each two tunables of a run the best time of their values, over whatever the others were.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/plot/heat_map.hpp"
#include "cli/report/run_story.hpp"

namespace redtune::cli {

struct PairMap {
  HeatMap map;
  std::size_t left_out = 0;  ///< slow values of very many
};

/// Makes the maps of a run one by one, for thousands of trials and many pairs.
class PairMaps {
 public:
  /// names: of tunables, those that matter most first.
  PairMaps(const RunStory& story, std::vector<std::string> names);

  /// Pairs of numbers of names, those that matter most first.
  [[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> pairs() const;
  [[nodiscard]] PairMap map_of(std::size_t first, std::size_t second) const;
  [[nodiscard]] const std::string& name(std::size_t number) const { return names_[number]; }

 private:
  /// A tunable's values in their order, and which of them each trial has.
  struct Axis {
    std::vector<std::string> values;
    std::vector<std::size_t> of_trial;
    std::vector<double> best;  ///< of each value
    std::string default_value;
    std::string winner_value;
  };
  [[nodiscard]] std::vector<std::size_t> kept(const Axis& axis, std::size_t most) const;

  const RunStory& story_;
  std::vector<std::string> names_;
  std::vector<Axis> axes_;
  double fastest_ = 0;
};

}  // namespace redtune::cli
