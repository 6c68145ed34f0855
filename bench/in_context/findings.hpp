// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What was measured: times of every config by rounds, in the tuner's surroundings and in patterns
// of programs. Plain data.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "redtune/problem.hpp"
#include "redtune/settings.hpp"

namespace redtune::bench {

/// Microseconds, by rounds.
using Times = std::vector<double>;

/// A config in a pattern.
struct PatternTimes {
  Times own_us;   ///< the step less that of the pattern without the reduction
  Times step_us;  ///< of all kernels
};

struct ContestantTimes {
  Settings settings;
  std::string origin;  ///< "default", "known shape", "tuned (exact)", "random"
  std::size_t launches = 1;
  Times score_us;                         ///< by protocol 2: the geometric mean of the shares
  Times uncharged_us;                     ///< the same without the charge for a second launch
  std::map<std::string, Times> share_us;  ///< by what stands before it
  Times row_us;                           ///< by protocol 1: in a row of itself
  std::vector<PatternTimes> patterns;
};

struct PatternFacts {
  std::string_view name;
  bool is_graph = true;   ///< where a second launch costs the host nothing
  std::size_t steps = 1;  ///< of a batch in each program
  Times alone_us;         ///< of the pattern's other kernels, one step
};

struct ProblemFindings {
  Problem problem;
  std::size_t rounds = 0;
  std::vector<PatternFacts> patterns;
  std::vector<ContestantTimes> contestants;  ///< the first is the default
  std::size_t left_out_as_slow = 0;
  std::vector<std::string> left_out;  ///< for another reason: settings and why
  std::vector<std::string> warnings;
  double seconds = 0;
};

}  // namespace redtune::bench
