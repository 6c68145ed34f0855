// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What is known of a problem like the one that is searched.
#pragma once

#include <vector>

#include "search/observation.hpp"

namespace redtune::search {

struct SourceTask {
  /// Each point once, with a cost above 0 in a unit of its own. They need not be valid in the space
  /// that is searched, but must fit its axes.
  std::vector<Observation> observations;
  double nearness = 1;  ///< > 0; how far it is trusted before anything ran, beside others
};

}  // namespace redtune::search
