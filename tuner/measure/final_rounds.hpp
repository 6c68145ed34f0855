// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The final: everybody in every round, in random order, until the answer is clear.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "search/rng.hpp"
#include "tuner/measure/batches.hpp"
#include "tuner/measure/decide.hpp"
#include "tuner/measure/rounds.hpp"

namespace redtune::tuner {

class FinalRounds {
 public:
  /// finalists: warmed up, the default first.
  FinalRounds(std::vector<Batches> finalists, const FinalLimits& limits, std::uint64_t seed);

  /// now: time that passes. At least two rounds.
  [[nodiscard]] Rounds run(const std::function<Seconds()>& now);

 private:
  [[nodiscard]] std::vector<double> round();
  /// What an answer must be clear within.
  [[nodiscard]] double within_after(Seconds took) const;
  [[nodiscard]] bool is_stopped() const;
  void drop_who_is_far_behind();
  void drop_the_slow();

  std::vector<Batches> finalists_;
  FinalLimits limits_;
  search::Rng random_;
  std::vector<std::size_t> in_;
  Rounds rounds_;
};

/// Whether more rounds would tell nothing: the fastest's gain is known closely enough, or it is
/// apart from all others.
[[nodiscard]] bool is_clear(const Rounds& rounds, double within = narrow);

/// Whether a finalist is surely slower than the fastest, by more than anybody would care about.
[[nodiscard]] bool is_clearly_slower(const Rounds& rounds, std::size_t finalist,
                                     std::size_t fastest);

}  // namespace redtune::tuner
