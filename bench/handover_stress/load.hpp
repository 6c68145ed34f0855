// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Something else that runs on a device: kernels of changing kinds and sizes, on a stream of their
// own, so that blocks of others start late, in gaps, and find memory busy.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <thread>

#include "device/registry.hpp"

namespace redtune::bench {

class Load {
 public:
  /// Begins. Throws DeviceError, OutOfMemory.
  explicit Load(const device::Selection& selection);
  /// Ends, and waits for what runs.
  ~Load();
  Load(const Load&) = delete;
  Load& operator=(const Load&) = delete;

  [[nodiscard]] std::int64_t launches() const { return launches_; }
  /// Throws what ended it early.
  void require_running() const;

 private:
  class Kernels;
  void run(const std::stop_token& stop);

  std::unique_ptr<device::Device> device_;  // the same one, opened again: it has its own stream
  std::unique_ptr<Kernels> kernels_;
  std::atomic<std::int64_t> launches_{0};
  std::atomic<bool> has_failed_{false};
  std::exception_ptr failure_;  // written before has_failed_
  std::jthread thread_;         // the last: it uses the others
};

}  // namespace redtune::bench
