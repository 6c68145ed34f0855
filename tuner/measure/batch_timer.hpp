// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// One sample: a timed batch of back-to-back executions of a loaded config (measurement.md, rules 3,
// 4 and 6).
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "device/device.hpp"
#include "runtime/loaded_config.hpp"
#include "tuner/measure/batch_size.hpp"
#include "tuner/measure/input_slots.hpp"
#include "tuner/measure/untrustworthy.hpp"

namespace redtune::tuner {

/// A config with what it needs to run.
struct Runnable {
  runtime::LoadedConfig config;
  runtime::Workspace workspace;
};

/// What all samples of a problem share.
struct Stage {
  device::Device* device = nullptr;
  InputSlots* slots = nullptr;
  void* output = nullptr;
  double peak_bytes_per_us = 0;  ///< fastest read of this device, 0 when unknown
  /// What queueing one more launch costs the host. A replayed graph hides it, an application that
  /// queues launches pays it: charged for every launch of an execution but the first.
  double further_launch_us = 0;
  /// Reads all slots, so that none of the input is left in a cache; given where batches are
  /// replayed.
  const Runnable* sweeper = nullptr;
};

/// Microseconds the host needs to queue a launch, the device's own time aside; 0 where the times of
/// batches hold it already. Throws DeviceError.
[[nodiscard]] double queueing_us(device::Device& device, const device::Launch& launch);

/// Batches of one config, all of one size.
class BatchTimer {
 public:
  BatchTimer(const Stage& stage, const Runnable& runnable, std::size_t executions);

  [[nodiscard]] std::size_t executions() const { return executions_; }
  /// Microseconds of one execution, with the charge for further launches. Throws ImplausibleTime,
  /// DeviceError.
  [[nodiscard]] double sample();
  /// The same with every launch queued by the host.
  [[nodiscard]] double stream_sample();

 private:
  [[nodiscard]] std::vector<device::Launch> next_launches();
  [[nodiscard]] double believable(const std::function<device::BatchTime()>& take) const;
  [[nodiscard]] bool is_replayed() const;
  void sweep() const;

  const Stage& stage_;
  const Runnable& runnable_;
  std::size_t executions_;
  std::size_t further_launches_;  // of one execution
  std::unique_ptr<device::Batch> batch_;
};

}  // namespace redtune::tuner
