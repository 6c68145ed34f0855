// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/measure/drift.hpp"

#include <algorithm>
#include <cmath>

namespace redtune::tuner {
namespace {

constexpr int races_between = 25;
constexpr Seconds time_between{2};
/// Looking takes at most about a tenth of the time.
constexpr double least_pause = 10;
constexpr double jump = 0.02;
/// A look is nine samples, as uncertain as what it corrects: half of what it says is believed, and
/// the rest as the next ones repeat it.
constexpr double believed = 0.5;

}  // namespace

bool Drift::is_due(Seconds now) const {
  const Seconds pause = now - last_;
  if (is_expired_) return true;
  if (pause < least_pause * took_) return false;
  return races_ >= races_between || (races_ > 0 && pause >= time_between);
}

bool Drift::is_jump(double changed) {
  return std::abs(changed - 1) > jump;
}

void Drift::follow(double changed) {
  factor_ *= is_jump(changed) ? changed : std::pow(changed, believed);
}

void Drift::looked(Seconds from, Seconds to) {
  races_ = 0;
  is_expired_ = false;
  last_ = to;
  took_ = to - from;
}

}  // namespace redtune::tuner
