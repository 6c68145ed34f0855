// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Since when nobody has used a device.
#pragma once

#include <algorithm>
#include <chrono>

namespace redtune::cli {

class IdleClock {
 public:
  using Clock = std::chrono::steady_clock;

  /// needed: so long nobody must have been seen. It begins now.
  IdleClock(Clock::duration needed, Clock::time_point now) : needed_(needed), since_(now) {}

  /// What was seen at a moment.
  void see(bool is_used, Clock::time_point now) {
    is_used_ = is_used;
    if (is_used) since_ = now;
  }
  /// So much longer, until it is told otherwise.
  void need_more(Clock::duration more) { more_ = more; }
  [[nodiscard]] bool is_idle(Clock::time_point now) const {
    return !is_used_ && left(now) == Clock::duration::zero();
  }
  /// If nobody comes.
  [[nodiscard]] Clock::duration left(Clock::time_point now) const {
    return std::max(Clock::duration::zero(), needed_ + more_ - (now - since_));
  }

 private:
  Clock::duration needed_;
  Clock::duration more_{0};
  Clock::time_point since_;
  bool is_used_ = false;
};

}  // namespace redtune::cli
