// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How alike two points are, in (0, 1]: what a Gaussian process takes for the correlation of their
// costs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <span>
#include <vector>

#include "search/space.hpp"

namespace redtune::search {

/// (1 + t / 2)^-2, where t adds up, over the axes, how far apart two indices are, as a share of the
/// axis, divided by the axis's length; for a categorical axis the share is 1 wherever they differ.
/// A sum of distances along axes is of negative type and the function of it completely monotone, so
/// that every matrix of similarities is positive definite (Schoenberg 1938).
///
/// Costs of kernels have ridges along axes and jumps between neighbours. On recorded spaces this
/// kernel, rough at zero, found better points than a smooth one of squared distances: see
/// docs/explanation/search.md.
class Similarity {
 public:
  /// One length for each axis, > 0: the longer, the less that axis matters.
  Similarity(const Space& space, const std::vector<double>& lengths);

  /// The similarities of one point to many, at once: `indices` are those of the many, axis after
  /// axis, and `similar` has room for as many numbers as there are of them.
  void operator()(const Point& one, std::span<const float> indices, std::span<float> similar) const;

  [[nodiscard]] float operator()(const Point& one, const Point& other) const {
    float distance = 0;
    for (std::size_t axis = 0; axis < steps_.size(); ++axis) {
      const auto apart = static_cast<int>(one[axis]) - static_cast<int>(other[axis]);
      distance += std::min(steps_[axis] * static_cast<float>(std::abs(apart)), most_[axis]);
    }
    return of_distance(distance);
  }

 private:
  static float of_distance(float distance) {
    const float fall = 1 / (1 + 0.5F * distance);
    return fall * fall;
  }

  std::vector<float> steps_;  ///< by axis: of neighbouring indices
  std::vector<float> most_;   ///< by axis: of any two; a categorical step reaches it at once
};

}  // namespace redtune::search
