// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Small spaces as a file would have given them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "search/replay/gzip.hpp"
#include "search/replay/recorded_space.hpp"
#include "search/rng.hpp"

namespace redtune::search {

/// One axis, "a", with a configuration for each cost: the place of a point is that of its cost.
[[nodiscard]] inline RecordedSpace line_space(const std::vector<std::optional<double>>& costs) {
  RawSpace raw{{"a"}, {}};
  for (const auto& cost : costs) {
    raw.configs.push_back({{static_cast<double>(raw.configs.size())}, {.cost = cost}});
  }
  RecordedSpace space = make_recorded_space(std::move(raw));
  space.name = "line";
  return space;
}

/// The costs 1 to 9, each at the place of its cost less one.
[[nodiscard]] inline RecordedSpace nine() {
  return line_space({1, 2, 3, 4, 5, 6, 7, 8, 9});
}

/// 64 x 64 costs that know nothing of their neighbours.
[[nodiscard]] inline RecordedSpace noise_space() {
  search::Rng rng(3);
  RawSpace raw{{"a", "b"}, {}};
  for (int a = 0; a < 64; ++a) {
    for (int b = 0; b < 64; ++b) {
      raw.configs.push_back({{double(a), double(b)}, {.cost = 1 + rng.uniform()}});
    }
  }
  RecordedSpace space = make_recorded_space(std::move(raw));
  space.name = "noise";
  return space;
}

}  // namespace redtune::search
