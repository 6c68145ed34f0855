// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// In what ways two points can be alike.
#pragma once

#include <cstddef>
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

}  // namespace redtune::search
