// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The device of a session: the worker process that owns it now, and the next one when that is gone.
// The tuner's own process never touches the device.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "tuner/worker/remote_bench.hpp"

namespace redtune::tuner {

class DeviceSite {
 public:
  /// Starts the first worker and opens the device.
  DeviceSite(WorkerCommand command, WorkerLog log);

  [[nodiscard]] const OpenedDevice& device() const { return device_; }
  /// Finds out whether a custom operator is one; before a bench is open. Throws UsageError.
  void check_operator(const BenchOrder& order);
  /// How fast the device can read; before a bench is open.
  [[nodiscard]] Probe probe();
  /// A fresh bench for a problem: at first on the worker that is there, then each on a new one.
  [[nodiscard]] std::unique_ptr<Bench> open(const BenchOrder& order);
  /// Other processes on the device, as far as its driver tells: "4711 (python), 4712"; empty: none.
  [[nodiscard]] std::string others();
  /// What the device's sensors tell now, by name; empty: nothing.
  [[nodiscard]] nlohmann::json readings();

 private:
  [[nodiscard]] std::shared_ptr<DeviceWorker> next_worker();
  [[nodiscard]] DeviceWorker& unused();

  WorkerCommand command_;
  WorkerLog log_;
  std::shared_ptr<DeviceWorker> unused_;  // opened, and not yet given to a bench
  std::weak_ptr<DeviceWorker> current_;
  OpenedDevice device_;
};

}  // namespace redtune::tuner
