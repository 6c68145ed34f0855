// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The points of a space that nobody has proposed yet, start points first: what lets every strategy
// repeat nothing, and end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "search/rng.hpp"
#include "search/space.hpp"

namespace redtune::search {

class Unseen {
 public:
  /// The space must outlive this.
  explicit Unseen(const Space& space, std::vector<Point> start = {});

  [[nodiscard]] std::size_t left() const { return left_; }
  [[nodiscard]] bool contains(const Point& point) const;

  /// Takes this point out; false when it is not valid or was taken before.
  bool take(const Point& point);

  /// Takes out the next start point; nothing when there is none left.
  [[nodiscard]] std::optional<Point> take_start();

  /// Takes out any of the points left, each equally likely; nothing when none is left.
  [[nodiscard]] std::optional<Point> draw(Rng& rng);

 private:
  bool take_rank(std::size_t rank);

  const Space* space_;
  std::vector<Point> start_;
  std::size_t next_start_ = 0;
  std::vector<bool> taken_;           // by rank
  std::vector<std::uint32_t> order_;  // ranks; shuffled as far as they were drawn
  std::size_t drawn_ = 0;
  std::size_t left_;
};

}  // namespace redtune::search
