// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How a person ends a run: the first Ctrl-C finishes the trial, confirms and publishes, once there
// is something to publish; before that, a second one or SIGTERM stops now.
#pragma once

#include <atomic>

namespace redtune::tuner {

class Stop {
 public:
  /// Takes over SIGINT and SIGTERM. One object at a time.
  Stop();
  Stop(const Stop&) = delete;
  Stop& operator=(const Stop&) = delete;
  /// Gives the signals back.
  ~Stop();

  /// A problem begins: what there is to finish is not there yet.
  static void begin_problem();
  /// From now on the first SIGINT leaves time to finish.
  static void has_results();
  /// Set by the first SIGINT, and by all that follow.
  [[nodiscard]] static const std::atomic<bool>& asked();
  /// Readable once everything is to stop now.
  [[nodiscard]] int now() const { return read_; }
  [[nodiscard]] bool is_now() const;

 private:
  int read_ = -1;
  int write_ = -1;
};

}  // namespace redtune::tuner
