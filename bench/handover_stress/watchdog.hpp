// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Ends the program when a batch does not end: on a GPU a block that waits for what nobody stores
// waits for ever, and so does the host.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace redtune::bench {

class Watchdog {
 public:
  explicit Watchdog(std::chrono::seconds patience);

  /// From now on so long; what: for the last words.
  void expect(const std::string& what);
  /// It has ended.
  void calm();

 private:
  using Clock = std::chrono::steady_clock;
  void run(const std::stop_token& stop);

  std::chrono::seconds patience_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::optional<Clock::time_point> end_;
  std::string what_;
  std::jthread thread_;  // the last: it uses the others
};

}  // namespace redtune::bench
