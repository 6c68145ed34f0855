// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Processes that read while others write, for tests that end when a writer fails too.
#pragma once

#include <algorithm>
#include <atomic>
#include <ctime>
#include <new>
#include <stdexcept>
#include <sys/mman.h>
#include <unistd.h>

namespace redtune::cache::testing {

/// The writers still at work and the reads so far, in memory that all processes of a test share.
class WatchedWriters {
 public:
  explicit WatchedWriters(int writers) {
    void* const bytes =
        mmap(nullptr, sizeof(Counts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (bytes == MAP_FAILED) throw std::runtime_error("no memory to share");
    counts_ = new (bytes) Counts{writers, 0};
  }
  ~WatchedWriters() { munmap(counts_, sizeof(Counts)); }
  WatchedWriters(const WatchedWriters&) = delete;
  WatchedWriters& operator=(const WatchedWriters&) = delete;

  /// A writer's work: it counts as at work until it returns or throws.
  template <typename Work>
  int write(const Work& work) {
    const struct AtWork {
      std::atomic<int>& writers;
      ~AtWork() { --writers; }
    } at_work{counts_->writers};
    return work();
  }

  /// A reader's work: looks again and again until a look says that it saw the last of all (0), or
  /// that something is wrong (more than 0); a look that saw less says `more`. `unfinished` where
  /// the writers ended and the last of all does not come.
  template <typename Look>
  int read(Look look) {
    for (;;) {
      const bool is_over = counts_->writers == 0;
      const clock_t begin = clock();
      const int seen = look();
      ++counts_->reads;
      if (seen != more) return seen;
      if (is_over) return unfinished;
      rest(clock() - begin);
    }
  }
  static constexpr int more = -1;
  static constexpr int unfinished = 90;

  [[nodiscard]] long reads() const { return counts_->reads; }

 private:
  struct Counts {
    std::atomic<int> writers;
    std::atomic<long> reads;
  };

  /// 400 times as long as a look kept a processor: 64 readers keep a fifth of one busy, and
  /// leave the writers theirs, whatever else the machine does.
  static void rest(clock_t busy) {
    const clock_t microseconds = 400 * busy / (CLOCKS_PER_SEC / 1'000'000);
    usleep(static_cast<useconds_t>(std::clamp<clock_t>(microseconds, 1'000, 500'000)));
  }

  Counts* counts_;
};

}  // namespace redtune::cache::testing
