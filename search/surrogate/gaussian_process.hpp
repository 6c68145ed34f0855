// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What is to be expected of points that nobody has tried, from those that somebody has: Gaussian
// process regression (Rasmussen and Williams, "Gaussian Processes for Machine Learning", 2006,
// algorithm 2.1 and section 5.4.1), with a factor that grows point by point.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "search/space.hpp"
#include "search/surrogate/similarity.hpp"

namespace redtune::search {

/// Memory: four bytes for each pair of points. Time: `learn` grows with the cube of their number,
/// but not beyond `most_learned` of them; the rest with its square.
class GaussianProcess {
 public:
  static constexpr std::size_t most_learned = 80;

  explicit GaussianProcess(const Space& space);

  /// Starts anew with these points. The lengths of the traits and the noise are those under which
  /// the values are most likely, looked for from where they were before.
  void learn(std::vector<Point> points, std::span<const double> values);

  /// One point more; nothing is learned of lengths.
  void add(const Point& point);
  /// Forgets all but the first `count` points.
  void keep(std::size_t count);
  /// What the points were worth, in their order: best about 0 on average and 1 apart.
  void set_values(std::span<const double> values);

  [[nodiscard]] std::span<const Point> points() const { return points_; }
  [[nodiscard]] const Similarity& similarity() const { return similarity_; }

  /// By which a point's similarities to points(), in their order, add up to its mean.
  [[nodiscard]] std::span<const float> weights() const { return weights_; }
  /// The value to be expected.
  [[nodiscard]] double mean(std::span<const float> similar) const;
  /// The standard deviation of what is to be expected.
  [[nodiscard]] double deviation(std::span<const float> similar) const;
  /// No less than the deviation, from the largest similarity alone.
  [[nodiscard]] double most_deviation(float most_similar) const;

 private:
  [[nodiscard]] bool factor(const Similarity& similarity, double noise,
                            std::span<const Point> points, std::vector<float>& rows) const;
  [[nodiscard]] double misfit(const std::vector<double>& lengths, double noise,
                              std::span<const Point> points, std::span<const double> values) const;
  void fit(std::span<const Point> points, std::span<const double> values);

  Similarity similarity_;
  std::vector<double> lengths_;  ///< of traits
  double noise_;  ///< variance of what is not explained, of the values' whole variance 1
  std::vector<Point> points_;
  std::vector<float> rows_;     ///< lower triangle of the Cholesky factor, row after row
  std::vector<float> weights_;  ///< of the points' similarities in a mean
  double scale_ = 1;            ///< variance of the values under the model
};

}  // namespace redtune::search
