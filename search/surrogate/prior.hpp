// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The prior mean of costs: what points cost in similar problems, each weighed by how well it has
// predicted so far.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "search/space.hpp"
#include "search/strategy.hpp"
#include "search/surrogate/gaussian_process.hpp"
#include "search/surrogate/history.hpp"

namespace redtune::search {

/// Predicts costs from what points cost in one similar problem.
class SourceModel {
 public:
  /// 1.6 times the lowest cost is as bad as can be: by how much more says little about good points.
  static constexpr double usual_largest = 0.5;

  /// `alike`: what became of points in a problem like this one. Empty for fewer than eight that
  /// ran, or where a cost is not above 0.
  SourceModel(const Space& space, std::span<const Observation> alike);

  [[nodiscard]] bool empty() const { return process_.points().empty(); }

  /// The most it tells: usual_largest, or more where even a quarter of the points is not within it.
  [[nodiscard]] double largest() const { return largest_; }

  /// The logarithm of how many times the lowest cost there, largest() being the most; 0 when
  /// empty. Where nothing is known it is their average.
  [[nodiscard]] std::vector<float> of(std::span<const Point> points) const;

  /// What is expected of a point, and how well it is known.
  struct Told {
    double log_cost = 0;    ///< as of() says
    double deviation = 0;   ///< by how much that may be off, a standard deviation
    double similarity = 0;  ///< to the most similar point that ran, in (0, 1]
  };
  [[nodiscard]] Told tell(const Point& point) const;

 private:
  GaussianProcess process_;
  double largest_ = usual_largest;
  double mean_ = 0;
  double apart_ = 1;
};

/// The logarithm of a cost here is expected to be the sum of what each source predicts, times how
/// far that one is trusted. Trust begins with how near the sources are, and adds up to 1; points
/// that ran change it as in ridge regression (Hoerl and Kennard 1970).
class Prior {
 public:
  /// The space must outlive this. earlier: whose models are taken over, of sources that had the
  /// same observations in the same space; null: there is none. Its space must be alive.
  Prior(const Space& space, std::span<const SourceTask> sources, const Prior* earlier = nullptr);

  [[nodiscard]] bool empty() const { return sources_.empty(); }

  /// How many of the models were an earlier prior's.
  [[nodiscard]] std::size_t taken_over() const { return taken_over_; }

  /// Whether it can tell of these costs: they are above 0, and there is a source.
  [[nodiscard]] bool knows(const History& history) const;

  /// How far all sources together are trusted, from 0 to 1.
  [[nodiscard]] double trust() const;

  /// Trusts each source as far as these points of the history say.
  void weigh(const History& history, std::span<const std::size_t> indices);
  /// Finds anew of which points most is expected.
  void rank();

  /// By how much the points cost more than expected, on a scale for models: see History::values.
  [[nodiscard]] std::vector<double> surprises(const History& history,
                                              std::span<const std::size_t> indices) const;

  /// What is expected of valid points, on the same scale; all 0 when empty.
  [[nodiscard]] std::vector<float> of(std::span<const Point> points) const;

  /// Points of the space of which most is expected, as it was ranked last.
  [[nodiscard]] std::span<const Point> best() const { return best_; }

 private:
  /// What was learned of a source.
  struct Source {
    std::vector<Observation> observations;
    SourceModel model;
    std::vector<float> told;  ///< of all_
  };
  using Sources = std::vector<std::shared_ptr<const Source>>;

  [[nodiscard]] Sources learn(std::span<const SourceTask> sources, const Prior* earlier);
  /// Null: it has learned nothing of these.
  [[nodiscard]] std::shared_ptr<const Source> learned_from(
      std::span<const Observation> observations) const;
  [[nodiscard]] std::vector<float> told_by(std::size_t source, std::span<const Point> points) const;
  [[nodiscard]] std::vector<float> trusted(std::span<const std::span<const float>> told) const;
  [[nodiscard]] double log_cost_ratio(const History& history, std::size_t index) const;
  void take_in(const History& history);

  const Space* space_;
  std::size_t taken_over_ = 0;
  Sources sources_;  ///< that tell anything
  std::vector<double> trust_at_first_;
  std::vector<double> trust_;
  double largest_ = 0;                    ///< log_cost_ratio() that is told apart
  double offset_ = 0;                     ///< of the logarithm of a cost from what was expected
  double apart_ = 1;                      ///< how far they are from that, as a deviation
  std::vector<std::vector<float>> told_;  ///< by each source, of the history's points
  std::size_t step_ = 1;                  ///< of the ranks of all_
  std::shared_ptr<const std::vector<Point>> all_;  ///< of the space, or a sample
  std::vector<Point> best_;
};

}  // namespace redtune::search
