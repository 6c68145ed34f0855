// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How alike two points are, in (0, 1]: what a Gaussian process takes for the correlation of their
// costs.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "search/point.hpp"
#include "search/space.hpp"

namespace redtune::search {

/// A place for each index of an axis, or of each of two, whose places add up. Two points are as far
/// apart as their places, but never more than 1.
struct Trait {
  std::size_t axis = 0;
  std::vector<float> places;
  std::size_t other = 0;
  std::vector<float> other_places = {};  ///< empty: of one axis

  [[nodiscard]] float of(const Point& point) const {
    const float place = places[point[axis]];
    return other_places.empty() ? place : place + other_places[point[other]];
  }
};

/// One trait for each axis: the logarithms of its values, or its indices where these are no numbers
/// above 0, stretched from 0 to 1; of a categorical axis whether two are the same.
///
/// An axis of whole numbers above 0 has two more: how often a number can be halved, and whether it
/// is a power of two. Hardware comes in powers of two, so that 128 may be like 32 and not like 112.
/// Fewer than three numbers have no more traits, and none where all are powers of two, whose order
/// says it all.
///
/// Each product of the space is one more: the logarithm of it, stretched likewise.
[[nodiscard]] std::vector<Trait> traits_of(const Space& space);

/// Where points are in all traits, for comparing many at once.
struct Places {
  std::vector<float> weighted;  ///< over the length, trait after trait
  std::size_t points = 0;       ///< how many there are in each
};

/// (1 + t / 2)^-2, where t adds up, over the traits, how far apart two points are in it, divided by
/// the trait's length. A sum of distances along traits is of negative type and the function of it
/// completely monotone, so that every matrix of similarities is positive definite (Schoenberg
/// 1938).
///
/// Costs of kernels have ridges along axes and jumps between neighbours. On recorded spaces this
/// kernel, rough at zero, found better points than a smooth one of squared distances: see
/// docs/explanation/search.md.
class Similarity {
 public:
  /// All traits of the space with the same length, > 0.
  Similarity(const Space& space, double length);

  /// The same with another length for each trait, > 0: the longer, the less it matters.
  [[nodiscard]] Similarity with(const std::vector<double>& lengths) const;

  [[nodiscard]] std::span<const Trait> traits() const { return *traits_; }

  [[nodiscard]] Places places(std::span<const Point> points) const;

  /// The similarities of a point to the first of many, as many as there is room for. `many` are
  /// from places() of a similarity with the same lengths.
  void operator()(const Point& one, const Places& many, std::span<float> similar) const;

  [[nodiscard]] float operator()(const Point& one, const Point& other) const {
    float distance = 0;
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      const Trait& trait = (*traits_)[i];
      distance += weights_[i] * apart(trait.of(one), trait.of(other));
    }
    return of_distance(distance);
  }

 private:
  static float apart(float one, float other) { return std::min(std::abs(one - other), 1.0F); }

  static float of_distance(float distance) {
    const float fall = 1 / (1 + 0.5F * distance);
    return fall * fall;
  }

  std::shared_ptr<const std::vector<Trait>> traits_;
  std::vector<float> weights_;  ///< by trait: 1 over its length
};

}  // namespace redtune::search
