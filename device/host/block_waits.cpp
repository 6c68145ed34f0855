// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "device/host/block_waits.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace redtune::device::host {
namespace {

/// "; 2 other blocks wait as well, 5 have not begun", or less of it.
std::string described_others(std::int64_t waiting, std::int64_t not_begun) {
  std::string text;
  if (waiting > 0) {
    text += fmt::format("; {} other block{} as well", waiting, waiting == 1 ? " waits" : "s wait");
  }
  if (not_begun > 0) {
    text += fmt::format("{} {} ha{} not begun", waiting > 0 ? "," : ";", not_begun,
                        not_begun == 1 ? "s" : "ve");
  }
  return text;
}

}  // namespace

void BlockWaits::begin(std::int64_t blocks, int at_a_time) {
  blocks_ = blocks;
  at_a_time_ = at_a_time;
  ended_ = 0;
  is_lost_ = false;
  ended_before_ = 0;
  turns_in_vain_ = 0;
  next_turn();
  told_.clear();
  of_others_.clear();
}

bool BlockWaits::is_in_vain(std::int64_t block, Look& look, bool has_moved) {
  const std::lock_guard lock(mutex_);
  if (is_lost()) return true;
  if (const std::int64_t ended = ended_.load(std::memory_order_acquire);
      has_moved || ended != ended_before_) {
    ended_before_ = ended;
    turns_in_vain_ = 0;
    next_turn();
  } else if (look.began_in == turn_ && look.counted_in != turn_) {
    look.counted_in = turn_;
    counted_.push_back(block);
    if (std::ssize(counted_) == running()) {
      if (++turns_in_vain_ == enough) {
        const std::int64_t waiting = running();
        of_others_ = described_others(waiting - 1, blocks_ - ended_before_ - waiting);
        is_lost_.store(true, std::memory_order_release);
        return true;
      }
      next_turn();
    }
  }
  look.began_in = turn_;
  return false;
}

void BlockWaits::report(std::int64_t block, const std::string& text) {
  const std::lock_guard lock(mutex_);
  if (!told_.empty() && told_by_ < block) return;
  told_by_ = block;
  told_ = text;
}

std::string BlockWaits::why_lost() const {
  return is_lost() ? told_ + of_others_ : "";
}

/// Every thread has a block while there are as many.
std::int64_t BlockWaits::running() const {
  return std::min<std::int64_t>(at_a_time_, blocks_ - ended_before_);
}

void BlockWaits::next_turn() {
  ++turn_;
  counted_.clear();
}

}  // namespace redtune::device::host
