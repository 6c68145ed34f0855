// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/session/stopwatch.hpp"

#include <utility>

namespace redtune::tuner {
namespace {

constexpr bool is_in_order() {
  for (std::size_t i = 0; i < activity_rows.size(); ++i) {
    if (static_cast<std::size_t>(activity_rows[i].activity) != i) return false;
  }
  return true;
}
static_assert(is_in_order(), "TimeSpent is indexed by activity");

double seconds_between(Stopwatch::Clock::time_point begin, Stopwatch::Clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

}  // namespace

TimeSpent& TimeSpent::operator+=(const TimeSpent& other) {
  for (std::size_t i = 0; i < seconds.size(); ++i) seconds[i] += other.seconds[i];
  wall_seconds += other.wall_seconds;
  measuring_seconds += other.measuring_seconds;
  return *this;
}

Stopwatch::Stopwatch(Activity first, Now now)
    : now_(std::move(now)), activity_(first), begin_(now_()), since_(begin_) {}

void Stopwatch::turn_to(Activity activity) {
  const Clock::time_point now = now_();
  spent_.of(activity_) += seconds_between(since_, now);
  activity_ = activity;
  since_ = now;
}

TimeSpent Stopwatch::spent() {
  turn_to(activity_);
  spent_.wall_seconds = seconds_between(begin_, since_);
  return spent_;
}

void Stopwatch::restart() {
  begin_ = since_ = now_();
  spent_ = {};
}

Stopwatch::Span::Span(Stopwatch& watch, Activity activity)
    : watch_(watch), before_(watch.activity_) {
  watch_.turn_to(activity);
}

Stopwatch::Span::~Span() {
  watch_.turn_to(before_);
}

Stopwatch::Sampling::Sampling(Stopwatch& watch) : watch_(watch), begin_(watch.now_()) {}

Stopwatch::Sampling::~Sampling() {
  watch_.spent_.measuring_seconds += seconds_between(begin_, watch_.now_());
}

}  // namespace redtune::tuner
