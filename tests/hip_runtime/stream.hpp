// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A stream: a thread that does what is queued, in order, while the program goes on.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace redtune::testing::hip {

using Work = std::function<void()>;
using Done = std::shared_future<void>;

/// What a thread queues between the beginning and the end of a capture is kept, not done.
struct Capture {
  std::thread::id thread;
  std::vector<Work> works;
  bool broken = false;
};

class Stream {
 public:
  explicit Stream(int device);
  /// Finishes what is queued.
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  [[nodiscard]] int device() const { return device_; }

  /// After everything that is queued here, and after the others.
  Done queue(Work work, std::vector<Done> after);
  /// The end of what was queued last.
  [[nodiscard]] Done last() const;

  std::optional<Capture> capture;  ///< used by one thread at a time, as HIP demands

 private:
  struct Task {
    Work work;
    std::vector<Done> after;
    std::promise<void> done;
  };
  void run();

  int device_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Task> tasks_;
  Done last_;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace redtune::testing::hip
