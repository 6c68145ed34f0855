// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "search/point_queue.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace redtune::search {
namespace {

void move_to_end(std::vector<Point>& of, std::vector<Point> points) {
  std::ranges::move(points, std::back_inserter(of));
}

}  // namespace

PointQueue::PointQueue(Strategy& strategy, const AskSizes& sizes)
    : strategy_(strategy), sizes_(sizes) {}

std::vector<Point> PointQueue::ask(std::size_t most) {
  const std::size_t wanted = std::min(has_asked_ ? sizes_.batch : sizes_.asked_at_first(), most);
  std::vector<Point> points;
  if (wanted > 0) points = strategy_.ask(wanted);
  if (!std::exchange(has_asked_, true)) {
    waiting_ = points;
    return points;
  }
  compiling_.push_back(points);
  if (compiling_.size() > sizes_.ahead) {
    move_to_end(waiting_, std::move(compiling_.front()));
    compiling_.pop_front();
  }
  return points;
}

std::vector<Point> PointQueue::next() {
  for (; waiting_.empty() && !compiling_.empty(); compiling_.pop_front()) {
    move_to_end(waiting_, std::move(compiling_.front()));
  }
  std::vector<Point> points;
  std::vector<bool> is_next(waiting_.size());
  for (const std::size_t place : strategy_.choose(waiting_, sizes_.batch)) {
    points.push_back(waiting_[place]);
    is_next[place] = true;
  }
  std::vector<Point> others;
  for (std::size_t i = 0; i < waiting_.size(); ++i) {
    if (!is_next[i]) others.push_back(waiting_[i]);
  }
  waiting_ = std::move(others);
  return points;
}

}  // namespace redtune::search
