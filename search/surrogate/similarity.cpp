// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "search/surrogate/similarity.hpp"

#include <cmath>

namespace redtune::search {

Similarity::Similarity(const Space& space, const std::vector<double>& lengths) {
  for (std::size_t axis = 0; axis < space.axes().size(); ++axis) {
    const Axis& row = space.axes()[axis];
    const auto whole = static_cast<float>(1 / lengths[axis]);
    const bool ordered = row.kind == AxisKind::ordered && row.size > 1;
    steps_.push_back(ordered ? whole / static_cast<float>(row.size - 1) : whole);
    most_.push_back(whole);
  }
}

void Similarity::operator()(const Point& one, std::span<const float> indices,
                            std::span<float> similar) const {
  const std::size_t count = similar.size();
  std::ranges::fill(similar, 0.0F);
  for (std::size_t axis = 0; axis < steps_.size(); ++axis) {
    const float* const others = &indices[axis * count];
    const auto index = static_cast<float>(one[axis]);
    const float step = steps_[axis];
    const float most = most_[axis];
    for (std::size_t i = 0; i < count; ++i) {
      const float distance = step * std::abs(others[i] - index);
      similar[i] += distance < most ? distance : most;
    }
  }
  for (float& each : similar) each = of_distance(each);
}

}  // namespace redtune::search
