// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How many launches had which match: each workspace counts for itself, so that threads do not meet
// in one counter.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "redtune/match.hpp"

namespace redtune::runtime {

/// Of one workspace; counted by one thread at a time, read by any.
class HitCounters {
 public:
  void add(Match match) noexcept {
    auto& counter = counters_[static_cast<std::size_t>(match)];
    counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  [[nodiscard]] std::uint64_t of(Match match) const noexcept {
    return counters_[static_cast<std::size_t>(match)].load(std::memory_order_relaxed);
  }

 private:
  std::array<std::atomic<std::uint64_t>, all_matches.size()> counters_{};
};

/// All counters of a Reducer, those of workspaces that are gone as well.
class HitTotals {
 public:
  void add(const HitCounters& counters) {
    const std::lock_guard lock(mutex_);
    counters_.push_back(&counters);
  }
  /// What they have counted stays.
  void remove(const HitCounters& counters) noexcept {
    const std::lock_guard lock(mutex_);
    if (std::erase(counters_, &counters) == 0) return;
    for (const Match match : all_matches) {
      removed_[static_cast<std::size_t>(match)] += counters.of(match);
    }
  }
  [[nodiscard]] std::uint64_t total(Match match) const {
    const std::lock_guard lock(mutex_);
    std::uint64_t sum = removed_[static_cast<std::size_t>(match)];
    for (const HitCounters* counters : counters_) sum += counters->of(match);
    return sum;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<const HitCounters*> counters_;
  std::array<std::uint64_t, all_matches.size()> removed_{};
};

}  // namespace redtune::runtime
