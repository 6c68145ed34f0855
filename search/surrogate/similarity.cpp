// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "search/surrogate/similarity.hpp"

namespace redtune::search {

Similarity::Similarity(const Space& space, double length)
    : traits_(std::make_shared<const std::vector<Trait>>(traits_of(space))),
      weights_(traits_->size(), static_cast<float>(1 / length)) {}

Similarity Similarity::with(const std::vector<double>& lengths) const {
  Similarity other = *this;
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    other.weights_[i] = static_cast<float>(1 / lengths[i]);
  }
  return other;
}

Places Similarity::places(std::span<const Point> points) const {
  Places all{{}, points.size()};
  all.weighted.reserve(points.size() * weights_.size());
  for (std::size_t trait = 0; trait < weights_.size(); ++trait) {
    const Trait& one = (*traits_)[trait];
    for (const Point& point : points) all.weighted.push_back(weights_[trait] * one.of(point));
  }
  return all;
}

void Similarity::operator()(const Point& one, const Places& many, std::span<float> similar) const {
  const Places here = places({&one, 1});
  const std::size_t count = similar.size();
  std::ranges::fill(similar, 0.0F);
  for (std::size_t trait = 0; trait < weights_.size(); ++trait) {
    const float* const others = &many.weighted[trait * many.points];
    const float place = here.weighted[trait];
    const float most = weights_[trait];
    for (std::size_t i = 0; i < count; ++i) {
      const float distance = std::abs(others[i] - place);
      similar[i] += distance < most ? distance : most;
    }
  }
  for (float& each : similar) each = of_distance(each);
}

}  // namespace redtune::search
