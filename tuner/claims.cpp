// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/claims.hpp"

#include <algorithm>
#include <numeric>

namespace redtune::tuner {

Claims::Claims(std::size_t count, std::size_t takers)
    : open_(count), has_failed_(count), takers_(takers) {
  std::iota(open_.begin(), open_.end(), 0);
}

Claims::Open Claims::first_for(std::size_t taker) {
  const auto meant_for_it = [&](std::size_t index) {
    const auto meant = meant_for_.find(index);
    return meant != meant_for_.end() && meant->second == taker;
  };
  const auto own = std::ranges::find_if(open_, meant_for_it);
  if (own != open_.end()) return own;
  const auto of_nobody =
      std::ranges::find_if(open_, [&](std::size_t index) { return !meant_for_.contains(index); });
  return of_nobody != open_.end() ? of_nobody : open_.begin();
}

std::optional<std::size_t> Claims::take(std::size_t taker) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return is_ended_ || !open_.empty() || at_work_ == 0; });
  if (is_ended_ || open_.empty()) return std::nullopt;
  const auto first = first_for(taker);
  const std::size_t index = *first;
  open_.erase(first);
  meant_for_.erase(index);
  ++at_work_;
  return index;
}

std::optional<std::size_t> Claims::next(std::size_t taker) {
  const std::lock_guard lock(mutex_);
  if (is_ended_ || open_.empty()) return std::nullopt;
  const std::size_t index = *first_for(taker);
  meant_for_.try_emplace(index, taker);
  return index;
}

bool Claims::are_all_taken() const {
  const std::lock_guard lock(mutex_);
  return is_ended_ || open_.empty();
}

void Claims::done() {
  const std::lock_guard lock(mutex_);
  --at_work_;
  changed_.notify_all();
}

void Claims::give_back(std::size_t index) {
  const std::lock_guard lock(mutex_);
  --at_work_;
  open_.push_front(index);
  changed_.notify_all();
}

void Claims::pause(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, time, [this] { return is_ended_ || (open_.empty() && at_work_ == 0); });
}

Claims::Heir Claims::leave(std::size_t index, Blame blame) {
  const std::lock_guard lock(mutex_);
  --at_work_;
  --takers_;
  changed_.notify_all();
  if (takers_ == 0) {
    is_ended_ = true;
    return Heir::nobody;
  }
  if (blame == Blame::taker) {
    open_.push_front(index);
    return Heir::another;
  }
  if (has_failed_[index]) return Heir::none_as_two_failed;
  has_failed_[index] = true;
  open_.push_back(index);
  return Heir::another;
}

void Claims::end() {
  const std::lock_guard lock(mutex_);
  is_ended_ = true;
  changed_.notify_all();
}

std::size_t Claims::takers() const {
  const std::lock_guard lock(mutex_);
  return takers_;
}

}  // namespace redtune::tuner
