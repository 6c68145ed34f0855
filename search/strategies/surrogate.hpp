// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Search guided by a model of what was seen so far.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "search/rng.hpp"
#include "search/space.hpp"
#include "search/strategy.hpp"
#include "search/surrogate/acquisition.hpp"
#include "search/surrogate/gaussian_process.hpp"
#include "search/surrogate/history.hpp"
#include "search/surrogate/prior.hpp"
#include "search/unseen.hpp"

namespace redtune::search {

/// 1. Start points, then points far from each other, until 6 are on their way or ran.
/// 2. A Gaussian process of the logarithm of costs says what is to be expected of some hundred
///    candidates: neighbours and crossings of the best, and strangers. The one whose cost may well
///    be lowest is next: the mean less three deviations (Srinivas and others 2010), less what makes
///    it likely to fail, judged by the failed points that are like it.
/// 3. Points on their way count as run with the cost to be expected of them ("kriging believer",
///    Ginsbourger and others 2010), so that the points of a batch keep away from each other.
/// 4. What problems like this one say comes first: the process is of how far costs are from that,
///    and there are no points far from each other. The more they are trusted the fewer deviations,
///    fewest at first and more again where nothing better is found for long; start points take
///    turns with the process's own, every third: the first of them is followed by one for each
///    categorical value that no such problem tells of. Before the process's own comes what won
///    there and has a categorical value that none of the points has of which most is expected. See
///    Prior.
/// 5. Of points that wait to be tried it chooses by what it knows by then. Start points and winners
///    keep every third turn, and all turns until it knows anything.
/// The model sees about a hundred points at most: the best ones, some of every other quality, and
/// the latest. Where it knows too little, points are drawn at random.
class Surrogate final : public Strategy {
 public:
  Surrogate(const Space& space, const StrategyOptions& options);

  std::vector<Point> ask(std::size_t max) override;
  void tell(std::span<const Observation> observations) override;
  std::vector<std::size_t> choose(std::span<const Point> waiting, std::size_t max) override;

 private:
  [[nodiscard]] bool is_opening() const;
  [[nodiscard]] std::vector<double> values() const;
  [[nodiscard]] double exploration() const;
  [[nodiscard]] Acquisition acquisition_of(std::vector<Point> points) const;
  void update_model();
  void renew_process();
  void believe(const Point& point, double cost);
  void add_model_points(std::size_t count, std::vector<Point>& batch);

  const Space* space_;
  Rng rng_;
  Prior prior_;
  Unseen unseen_;
  std::deque<Point> winners_;  ///< of sources, that are still to be asked
  History history_;
  std::vector<Point> on_their_way_;
  std::vector<Point> given_;  ///< start points and winners on their way
  GaussianProcess process_;
  std::vector<double> process_values_;  ///< of its points
  std::vector<std::size_t> modelled_;   ///< indices of the history's points that are in the process
  std::size_t taken_over_ = 0;          ///< points of the history that the process was offered
  std::size_t learned_at_ = 0;          ///< how many there were when it learned last
  std::size_t since_better_ = 0;        ///< evaluations, failed ones too
};

}  // namespace redtune::search
