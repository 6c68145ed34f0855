// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How much slower the device has become since it was calibrated, told by a reference candidate
// being timed again and again.
#pragma once

#include "tuner/measure/sampler.hpp"

namespace redtune::tuner {

class Drift {
 public:
  /// Time now / time at the calibrated speed, of anything.
  [[nodiscard]] double factor() const { return factor_; }

  /// Whether it is time to look again: after 25 races or 2 s, or ten times what looking took.
  [[nodiscard]] bool is_due(Seconds now) const;
  void count_race() { ++races_; }
  /// Something happened that makes it time.
  void expire() { is_expired_ = true; }

  /// Whether such a change is more than drifting slowly. changed: observed / expected.
  [[nodiscard]] static bool is_jump(double changed);
  /// What looking came to.
  void follow(double changed);
  void looked(Seconds from, Seconds to);

 private:
  double factor_ = 1;
  int races_ = 0;
  bool is_expired_ = false;
  Seconds last_{0};
  Seconds took_{0};
};

}  // namespace redtune::tuner
