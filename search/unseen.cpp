// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Drawing walks a Fisher–Yates shuffle that is carried out only as far as needed and skips what was
// taken by name: linear in the space over the whole life, nearly free per draw.
#include "search/unseen.hpp"

#include <limits>
#include <numeric>
#include <utility>

namespace redtune::search {

static_assert(Space::most_points <= std::numeric_limits<std::uint32_t>::max());

Unseen::Unseen(const Space& space, std::vector<Point> start)
    : space_(&space),
      start_(std::move(start)),
      taken_(space.size(), false),
      order_(space.size()),
      left_(space.size()) {
  std::iota(order_.begin(), order_.end(), std::uint32_t{0});
}

bool Unseen::contains(const Point& point) const {
  const auto rank = space_->rank(point);
  return rank && !taken_[*rank];
}

bool Unseen::take(const Point& point) {
  const auto rank = space_->rank(point);
  return rank && take_rank(*rank);
}

std::optional<Point> Unseen::take_start() {
  while (next_start_ < start_.size()) {
    const Point& point = start_[next_start_++];
    if (take(point)) return point;
  }
  return std::nullopt;
}

std::optional<Point> Unseen::draw(Rng& rng) {
  while (drawn_ < order_.size()) {
    std::swap(order_[drawn_], order_[drawn_ + rng.below(order_.size() - drawn_)]);
    const std::size_t rank = order_[drawn_++];
    if (take_rank(rank)) return (*space_)[rank];
  }
  return std::nullopt;
}

bool Unseen::take_rank(std::size_t rank) {
  if (taken_[rank]) return false;
  taken_[rank] = true;
  --left_;
  return true;
}

}  // namespace redtune::search
