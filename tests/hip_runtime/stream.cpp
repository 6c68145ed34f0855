// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "stream.hpp"

#include <utility>

namespace redtune::testing::hip {

Stream::Stream(int device) : device_(device) {
  std::promise<void> nothing;
  nothing.set_value();
  last_ = nothing.get_future().share();
  thread_ = std::thread([this] { run(); });
}

Stream::~Stream() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

Done Stream::queue(Work work, std::vector<Done> after) {
  Task task{std::move(work), std::move(after), {}};
  Done done = task.done.get_future().share();
  {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
    last_ = done;
  }
  changed_.notify_all();
  return done;
}

Done Stream::last() const {
  const std::lock_guard lock(mutex_);
  return last_;
}

void Stream::run() {
  while (true) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return ending_ || !tasks_.empty(); });
    if (tasks_.empty()) return;
    Task task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    for (const Done& other : task.after) other.wait();
    task.work();
    task.done.set_value();
  }
}

}  // namespace redtune::testing::hip
