// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What is expected of points before any ran: what they cost in problems like this one.
#pragma once

#include <span>
#include <vector>

#include "search/observation.hpp"
#include "search/space.hpp"
#include "search/surrogate/gaussian_process.hpp"

namespace redtune::search {

class Prior {
 public:
  /// 1.6 times the lowest cost is as bad as can be: by how much more says little about good points.
  static constexpr double usual_largest = 0.5;

  /// `alike`: what became of points in a problem like this one. Empty for fewer than eight that
  /// ran, or where a cost is not above 0.
  Prior(const Space& space, std::span<const Observation> alike);

  [[nodiscard]] bool empty() const { return process_.points().empty(); }

  /// The most it tells: usual_largest, or more where even a quarter of the points is not within it.
  [[nodiscard]] double largest() const { return largest_; }

  /// The logarithm of how many times the lowest cost there, largest() being the most; 0 when
  /// empty. Where nothing is known it is their average.
  [[nodiscard]] std::vector<float> of(std::span<const Point> points) const;

 private:
  GaussianProcess process_;
  double largest_ = usual_largest;
  double mean_ = 0;
  double apart_ = 1;
};

}  // namespace redtune::search
