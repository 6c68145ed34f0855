// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "device/host/thread_pool.hpp"

#include <chrono>
#include <utility>

#include "device/host/host_identity.hpp"

namespace redtune::device::host {
namespace {

/// Waits for a change of value: first by looking for so long, then asleep.
void wait_for_change(const std::atomic<std::uint32_t>& value, std::uint32_t old,
                     std::chrono::microseconds looking) {
  const auto until = std::chrono::steady_clock::now() + looking;
  while (value.load(std::memory_order_acquire) == old) {
    if (std::chrono::steady_clock::now() >= until) {
      value.wait(old, std::memory_order_acquire);
    }
  }
}

}  // namespace

// The next launch of a batch comes at once: 20 us is what waking a sleeping thread costs. Where
// threads share processors, who looks keeps one from the thread that it waits for.
ThreadPool::ThreadPool(int threads) : looking_(threads > usable_processors() ? 0 : 20) {
  for (int i = 1; i < threads; ++i) workers_.emplace_back([this, i] { work(i); });
}

ThreadPool::~ThreadPool() {
  ending_ = true;
  ++generation_;
  generation_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::for_each(std::int64_t items, const std::function<void(int, std::int64_t)>& body) {
  body_ = &body;
  items_ = items;
  next_ = 0;
  const bool alone = items < 2 || workers_.empty();
  if (!alone) {
    busy_ = static_cast<int>(workers_.size());
    generation_.fetch_add(1, std::memory_order_release);
    generation_.notify_all();
  }
  take_items(0);
  if (!alone) wait_for_workers();
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

/// A thread that yields all the time takes a processor from other programs: it sleeps where threads
/// share processors.
void ThreadPool::wait_for_workers() const {
  for (int left = busy_.load(std::memory_order_acquire); left > 0;
       left = busy_.load(std::memory_order_acquire)) {
    if (looking_.count() > 0) {
      std::this_thread::yield();
    } else {
      busy_.wait(left, std::memory_order_acquire);
    }
  }
}

void ThreadPool::work(int thread) {
  std::uint32_t seen = 0;
  while (true) {
    wait_for_change(generation_, seen, looking_);
    seen = generation_.load(std::memory_order_acquire);
    if (ending_) return;
    take_items(thread);
    if (busy_.fetch_sub(1, std::memory_order_release) == 1) busy_.notify_one();
  }
}

void ThreadPool::take_items(int thread) {
  for (std::int64_t i = next_++; i < items_; i = next_++) {
    try {
      (*body_)(thread, i);
    } catch (...) {
      const std::lock_guard lock(failure_mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
  }
}

}  // namespace redtune::device::host
