// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What became of a proposed point.
#pragma once

#include <optional>

#include "search/point.hpp"

namespace redtune::search {

struct Observation {
  Point point;
  std::optional<double> cost;  ///< smaller is better, any unit; nothing: it cannot run, or failed

  bool operator==(const Observation&) const = default;
};

}  // namespace redtune::search
