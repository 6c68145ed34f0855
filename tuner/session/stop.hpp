// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How a person ends a run: the first Ctrl-C finishes the trial, confirms and publishes, once there
// is something to publish; before that, a second one or SIGTERM stops now.
#pragma once

#include <atomic>

namespace redtune::tuner {

class Stop {
 public:
  /// Takes over SIGINT and SIGTERM. Those of several tuners that live at a time are told together.
  Stop();
  Stop(const Stop&) = delete;
  Stop& operator=(const Stop&) = delete;
  /// The last one gives the signals back.
  ~Stop();

  /// A problem begins: what there is to finish is not there yet.
  void begin_problem();
  /// From now on the first SIGINT leaves time to finish, as long as any of them has results.
  void has_results();
  /// Set by the first SIGINT, and by all that follow.
  [[nodiscard]] static const std::atomic<bool>& asked();
  /// Readable once everything is to stop now.
  [[nodiscard]] int now() const;
  [[nodiscard]] bool is_now() const;

 private:
  bool has_results_ = false;
};

}  // namespace redtune::tuner
