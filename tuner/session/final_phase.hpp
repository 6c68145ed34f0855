// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The second half of a run: finalists that are right on inputs made to break them are timed against
// each other and the default, and one is chosen.
#pragma once

#include <set>
#include <vector>

#include "tuner/session/search_phase.hpp"
#include "tuner/session/tune.hpp"

namespace redtune::tuner {

class FinalPhase {
 public:
  /// search: has run. Each of the arguments outlives the object.
  FinalPhase(const TuneRequest& request, Evaluator& evaluator, const TuneObserver& observer,
             SearchPhase& search);

  /// The result but for the account of the search. Throws as tune().
  [[nodiscard]] TuneResult run();

 private:
  [[nodiscard]] bool stopped() const { return request_.stop != nullptr && *request_.stop; }
  [[nodiscard]] std::vector<search::Point> finalists() const;
  [[nodiscard]] std::vector<search::Point> challenged_finalists();
  void require_reaction() const;
  [[nodiscard]] FinalLimits limits() const;
  [[nodiscard]] TuneResult conclude(const std::vector<search::Point>& chosen,
                                    const Rounds& rounds) const;
  /// Into traits: of those that may win by it.
  void time_displaced(const std::vector<search::Point>& chosen, const Rounds& rounds,
                      std::vector<FinalistTraits>& traits) const;
  void ask_after_final(const search::Point& winner, TuneResult& result) const;

  const TuneRequest& request_;
  Evaluator& evaluator_;
  const TuneObserver& observer_;
  SearchPhase& search_;
  std::set<search::Point> passed_;  // the challenge
};

}  // namespace redtune::tuner
