// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The acquisition function: which candidate is the most promising by the model.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "search/point.hpp"
#include "search/surrogate/gaussian_process.hpp"

namespace redtune::search {

/// A candidate's promise is the mean of what it may cost, less some deviations, less the logarithm
/// of how likely it runs. That one is judged by the points that ran and the latest that failed,
/// each weighing as the cube of how much it is like the candidate.
class Acquisition {
 public:
  /// `failed` as they came; `expected` of each candidate before the process says more; exploration:
  /// how many deviations below its mean a cost is hoped to be.
  Acquisition(std::vector<Point> candidates, const GaussianProcess& process,
              std::span<const Point> failed, std::vector<float> expected, double exploration);

  /// The process has a point more.
  void add_column(const Similarity& similarity, const Point& point);

  /// It is promising no more.
  void take_off(std::size_t index);

  /// The most promising candidate. There must be one; all may have been taken off.
  [[nodiscard]] std::size_t best(const GaussianProcess& process) const;

  /// A candidate's similarities to the points of the process.
  [[nodiscard]] std::vector<float> row(std::size_t index) const;
  [[nodiscard]] const Point& point(std::size_t index) const { return points_[index]; }
  [[nodiscard]] bool empty() const { return points_.empty(); }

 private:
  std::vector<Point> points_;
  Places places_;                ///< of the points
  std::vector<float> similar_;   ///< a column for each point of the process, one after the other
  std::vector<float> expected_;  ///< before the process says more
  std::vector<float> most_;      ///< the largest of a row
  std::vector<float> ran_;       ///< how much of what is like it ran; 1 more for want of knowledge
  std::vector<double> log_success_;  ///< of the probability that it runs
  double exploration_;
};

}  // namespace redtune::search
