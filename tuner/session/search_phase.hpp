// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The first half of a run: ask a strategy, evaluate, tell it, until the budget is spent; and the
// account of what was tried, which the final goes on with.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "search/space.hpp"
#include "search/strategy.hpp"
#include "tuner/session/tune.hpp"

namespace redtune::tuner {

class SearchPhase {
 public:
  /// Each of the arguments outlives the object.
  SearchPhase(const TuneRequest& request, Evaluator& evaluator, const TuneObserver& observer);

  void run();

  /// Of what may win, as timed last.
  [[nodiscard]] const std::map<search::Point, Interval>& times() const { return times_; }
  /// A point that was measured cannot win: recorded once more, with the reason.
  void disqualify(const Update& update);
  /// Who was given up in a race against one that cannot win has another, the most promising first.
  void race_again();
  /// Throws NothingValid, or Interrupted, when there is nothing to compare with.
  void require_valid_default() const;

  [[nodiscard]] const search::Space& space() const { return *space_; }
  [[nodiscard]] const search::Point& default_point() const { return default_; }
  /// Trials of the search, without what was disqualified later.
  [[nodiscard]] std::size_t trials() const { return searched_; }
  /// How many of all ended how.
  [[nodiscard]] std::map<std::string, std::size_t> statuses() const;

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] bool goes_on() const;
  [[nodiscard]] bool stopped() const { return request_.stop != nullptr && *request_.stop; }
  void take_in_known();
  void try_stored_answer();
  void prepare(std::span<const search::Point> points);
  std::vector<search::Observation> try_out(std::span<const search::Point> points);
  void record(Trial trial);
  void take_updates();
  void disqualify(const search::Point& point);
  [[nodiscard]] double fastest_us() const;
  [[nodiscard]] double share_spent() const;
  [[nodiscard]] std::optional<double> seconds_left() const;
  [[nodiscard]] bool is_good_enough() const;

  const TuneRequest& request_;
  Evaluator& evaluator_;
  const TuneObserver& observer_;
  std::shared_ptr<const search::Space> space_;
  search::Point default_;
  Clock::time_point begin_ = Clock::now();
  std::vector<Trial> trials_;
  std::size_t searched_ = 0;
  search::Settled settled_;
  std::size_t next_sequence_;
  std::size_t confirmed_;
  Progress progress_;
  std::map<search::Point, Interval> times_;
  std::map<search::Point, double> given_up_;  // as slow, and the time so far in us; once each
  std::set<search::Point> disqualified_;      // measured, and found wrong later
};

}  // namespace redtune::tuner
