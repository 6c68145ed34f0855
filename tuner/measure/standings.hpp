// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The times of all candidates of a search so far, at the calibrated speed.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "tuner/measure/terms.hpp"

namespace redtune::tuner {

class Standings {
 public:
  void set(CandidateId candidate, const Interval& time_us);
  void remove(CandidateId candidate);

  [[nodiscard]] std::optional<CandidateId> fastest() const { return fastest_; }
  /// 0: there is none.
  [[nodiscard]] double fastest_us() const;
  /// Of one that is there.
  [[nodiscard]] const Interval& time_of(CandidateId candidate) const {
    return times_.at(candidate);
  }
  /// The fastest, and who is within this factor of it, so many beside it at most; fastest first.
  [[nodiscard]] std::vector<CandidateId> nearest(double factor, std::size_t most) const;

 private:
  void find_fastest();

  std::map<CandidateId, Interval> times_;
  std::optional<CandidateId> fastest_;
};

}  // namespace redtune::tuner
