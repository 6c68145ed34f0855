// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A place in memory has a speed of its own: how far it lies from the units that read and write it.
// One place would decide between configs by luck, so a batch goes through several, of the input, of
// the workspace and of the result (docs/explanation/measurement.md).
#pragma once

#include <algorithm>
#include <cstddef>

namespace redtune::tuner {

inline constexpr std::size_t most_places = 16;

/// How many there are of what takes so many bytes, where so many may be taken in all; one at least.
[[nodiscard]] constexpr std::size_t places_of(std::size_t bytes, std::size_t most_bytes) {
  return std::clamp<std::size_t>(most_bytes / std::max<std::size_t>(bytes, 1), 1, most_places);
}

/// Which of the executions of a batch.
struct Turn {
  std::size_t i = 0;
  std::size_t executions = 1;

  /// Of so many places: the first executions work in one, the others in the next.
  [[nodiscard]] constexpr std::size_t place_of(std::size_t places) const {
    return i * places / executions;
  }
};

}  // namespace redtune::tuner
