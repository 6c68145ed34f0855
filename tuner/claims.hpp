// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What several devices take from: each thing once, by whichever comes first. From any thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

namespace redtune::tuner {

class Claims {
 public:
  /// Things 0, 1, … are there to be taken.
  Claims(std::size_t count, std::size_t takers);

  /// What is meant for the taker, or the first that is meant for nobody, or else what is meant for
  /// another; waits while others are at work, whose things may come back. Nothing: all are done, or
  /// it was ended.
  [[nodiscard]] std::optional<std::size_t> take(std::size_t taker);
  /// What the taker would take next, if anything: it is meant for it from now on, so that others
  /// take it only when there is nothing else.
  [[nodiscard]] std::optional<std::size_t> next(std::size_t taker);
  /// Whether nothing is left to be taken.
  [[nodiscard]] bool are_all_taken() const;
  /// A thing that was taken is done.
  void done();
  /// It is not, and nothing is wrong with it: it is taken first.
  void give_back(std::size_t index);
  /// Waits so long, or until nothing is to be taken any more.
  void pause(std::chrono::milliseconds time);

  /// Who may take what a taker could not do.
  enum class Heir { another, nobody, none_as_two_failed };
  enum class Blame { taker, perhaps_the_thing };
  /// A taker goes. What may be to blame for it is taken last, and by one more taker only.
  [[nodiscard]] Heir leave(std::size_t index, Blame blame);
  /// Nobody takes any more.
  void end();
  [[nodiscard]] std::size_t takers() const;

 private:
  using Open = std::deque<std::size_t>::iterator;
  [[nodiscard]] Open first_for(std::size_t taker);

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::size_t> open_;
  std::map<std::size_t, std::size_t> meant_for_;  // things, and takers
  std::vector<bool> has_failed_;
  std::size_t takers_;
  std::size_t at_work_ = 0;
  bool is_ended_ = false;
};

}  // namespace redtune::tuner
