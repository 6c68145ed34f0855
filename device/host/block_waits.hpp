// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Finds out when blocks of a launch wait for what nobody will store: for each other in a ring, for
// a block that has ended and left it out, or for one that has no place to begin.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace redtune::device::host {

/// Blocks that run look in turns. Where all of them have looked, `enough` times over, and nobody
/// has come further, nobody ever will.
class BlockWaits {
 public:
  /// Of a block: in which turn its lanes began to look, and in which it was counted last.
  struct Look {
    std::int64_t began_in = -1;
    std::int64_t counted_in = -1;
  };

  /// Before a launch: so many blocks, so many of them at a time.
  void begin(std::int64_t blocks, int at_a_time);
  void block_ended() { ended_.fetch_add(1, std::memory_order_release); }

  /// No lane of a block can go on before others store what some look for. has_moved: a lane has
  /// come to a barrier, to a shuffle or to its end since the block's last look. Whether it waits in
  /// vain; other blocks that do are told at their next look.
  [[nodiscard]] bool is_in_vain(std::int64_t block, Look& look, bool has_moved);
  /// What one of the blocks that wait in vain says of itself; the first of them is listened to.
  void report(std::int64_t block, const std::string& text);

  /// Whether the launch is lost: blocks that have not begun need not.
  [[nodiscard]] bool is_lost() const { return is_lost_.load(std::memory_order_acquire); }
  /// Once all blocks have ended; empty where none waited in vain.
  [[nodiscard]] std::string why_lost() const;

 private:
  /// In a turn a lane may come further unseen, from one wait to the next; not in as many.
  static constexpr int enough = 1000;

  [[nodiscard]] std::int64_t running() const;
  void next_turn();

  std::int64_t blocks_ = 0;
  int at_a_time_ = 1;
  std::atomic<std::int64_t> ended_ = 0;
  std::atomic<bool> is_lost_ = false;
  std::mutex mutex_;  // of what follows
  std::int64_t ended_before_ = 0;
  std::int64_t turn_ = 0;
  int turns_in_vain_ = 0;
  std::vector<std::int64_t> counted_;  // blocks, in this turn
  std::int64_t told_by_ = 0;
  std::string told_;
  std::string of_others_;
};

}  // namespace redtune::device::host
