// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Another process that holds the lease of a device.
#pragma once

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

#include "tuner/lease/lease.hpp"

namespace redtune::tuner::testing {

class LeaseHolder {
 public:
  /// Returns when the lease is held, or the process has failed to take it.
  LeaseHolder(const std::string& device, const LeaseNote& note, const LeasePlaces& places) {
    int ready[2] = {-1, -1};
    if (pipe(ready) != 0) return;
    child_ = fork();
    if (child_ == 0) {
      close(ready[0]);
      hold(ready[1], device, note, places);
    }
    close(ready[1]);
    char answer = 0;
    is_holding_ = read(ready[0], &answer, 1) == 1 && answer == 'y';
    close(ready[0]);
  }
  LeaseHolder(const LeaseHolder&) = delete;
  LeaseHolder& operator=(const LeaseHolder&) = delete;
  ~LeaseHolder() { kill_it(); }

  [[nodiscard]] bool is_holding() const { return is_holding_; }
  [[nodiscard]] pid_t pid() const { return child_; }
  void kill_it() {
    if (child_ <= 0) return;
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
    child_ = -1;
  }

 private:
  [[noreturn]] static void hold(int ready, const std::string& device, LeaseNote note,
                                const LeasePlaces& places) {
    try {
      note.pid = getpid();
      const Lease lease = Lease::take(device, note, places);
      (void)!write(ready, lease.is_held() ? "y" : "n", 1);
      close(ready);
      for (;;) pause();
    } catch (const std::exception&) {
      _exit(1);
    }
  }

  pid_t child_ = -1;
  bool is_holding_ = false;
};

}  // namespace redtune::tuner::testing
