// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "search/surrogate/candidates.hpp"

#include <algorithm>
#include <limits>
#include <unordered_set>

#include "search/surrogate/similarity.hpp"

namespace redtune::search {
namespace {

constexpr std::size_t most_parents = 12;
constexpr std::size_t most_values_of_axis = 64;
constexpr std::size_t crossings = 100;
constexpr std::size_t strangers = 300;
constexpr std::size_t far_candidates = 20;

class Pool {
 public:
  explicit Pool(const Unseen& unseen) : unseen_(unseen) {}

  void add(const Point& point) {
    if (unseen_.contains(point) && known_.insert(point).second) points_.push_back(point);
  }
  [[nodiscard]] std::vector<Point> take() { return std::move(points_); }

 private:
  const Unseen& unseen_;
  std::unordered_set<Point> known_;
  std::vector<Point> points_;
};

void add_neighbours(Pool& pool, const Space& space, const Point& point, Rng& rng) {
  for (std::size_t axis = 0; axis < space.axes().size(); ++axis) {
    const std::size_t size = space.axes()[axis].size;
    const bool all = size <= most_values_of_axis;
    for (std::size_t i = 0; i < std::min(size, most_values_of_axis); ++i) {
      pool.add(point.with(axis, all ? i : rng.below(size)));
    }
    if (all) continue;
    if (point[axis] > 0) pool.add(point.with(axis, point[axis] - 1));
    if (point[axis] + 1 < size) pool.add(point.with(axis, point[axis] + 1));
  }
}

Point cross(Point one, const Point& other, Rng& rng) {
  for (std::size_t axis = 0; axis < one.size(); ++axis) {
    if (rng.below(2) == 1) one.set(axis, other[axis]);
  }
  return one;
}

}  // namespace

std::vector<Point> candidates(const Space& space, const Unseen& unseen, const History& history,
                              std::span<const Point> promising, Rng& rng) {
  Pool pool(unseen);
  const auto all = history.points();
  const auto parents = history.cheapest().first(std::min(most_parents, history.cheapest().size()));
  for (const std::size_t parent : parents) add_neighbours(pool, space, all[parent], rng);
  for (std::size_t i = 0; i < crossings && !parents.empty(); ++i) {
    const Point& one = all[parents[rng.below(parents.size())]];
    pool.add(cross(one, all[rng.below(all.size())], rng));
  }
  for (const Point& point : promising) pool.add(point);
  for (std::size_t i = 0; i < strangers; ++i) pool.add(space[rng.below(space.size())]);
  return pool.take();
}

std::optional<Point> far_point(const Space& space, const Unseen& unseen,
                               std::span<const Point> others, Rng& rng) {
  const Similarity similarity(space, 1);
  std::optional<Point> farthest;
  float least = std::numeric_limits<float>::infinity();
  for (std::size_t i = 0; i < far_candidates; ++i) {
    const Point point = space[rng.below(space.size())];
    if (!unseen.contains(point)) continue;
    float most = 0;
    for (const Point& other : others) most = std::max(most, similarity(point, other));
    if (most < least) {
      least = most;
      farthest = point;
    }
  }
  return farthest;
}

}  // namespace redtune::search
