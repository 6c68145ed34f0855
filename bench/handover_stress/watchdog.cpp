// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/handover_stress/watchdog.hpp"

#include <cstdlib>
#include <fmt/format.h>

namespace redtune::bench {

Watchdog::Watchdog(std::chrono::seconds patience)
    : patience_(patience), thread_([this](const std::stop_token& stop) { run(stop); }) {}

void Watchdog::expect(const std::string& what) {
  const std::lock_guard lock(mutex_);
  end_ = Clock::now() + patience_;
  what_ = what;
  changed_.notify_all();
}

void Watchdog::calm() {
  const std::lock_guard lock(mutex_);
  end_.reset();
  changed_.notify_all();
}

void Watchdog::run(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    if (!end_) {
      changed_.wait(lock, stop, [this] { return end_.has_value(); });
      continue;
    }
    const auto end = *end_;
    changed_.wait_until(lock, stop, end, [&] { return end_ != end; });
    if (stop.stop_requested() || end_ != end) continue;
    fmt::print(stderr, "handover_stress: not over after {} s, so a block waits for ever: {}\n",
               patience_.count(), what_);
    std::fflush(nullptr);
    std::_Exit(1);  // the device would be waited for otherwise
  }
}

}  // namespace redtune::bench
