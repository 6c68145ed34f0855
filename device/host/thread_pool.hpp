// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The compute units of the host device: threads that take blocks of a grid until none is left. The
// launching thread is one of them.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace redtune::device::host {

class ThreadPool {
 public:
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  [[nodiscard]] int threads() const { return static_cast<int>(workers_.size()) + 1; }

  /// Calls body(thread, item) for every item of [0, items) and returns when all are done. Rethrows
  /// the first exception; the other items still run.
  void for_each(std::int64_t items, const std::function<void(int, std::int64_t)>& body);

 private:
  void work(int thread);
  void take_items(int thread);
  void wait_for_workers() const;

  const std::chrono::microseconds looking_;  // for the next job, before a worker sleeps
  std::vector<std::thread> workers_;
  const std::function<void(int, std::int64_t)>* body_ = nullptr;
  std::int64_t items_ = 0;
  std::atomic<std::int64_t> next_{0};
  std::atomic<std::uint32_t> generation_{0};  // a new value: a new job, or the end
  std::atomic<int> busy_{0};                  // workers still in the current job
  std::atomic<bool> ending_{false};
  std::mutex failure_mutex_;
  std::exception_ptr failure_;
};

}  // namespace redtune::device::host
