// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The device of a session: the worker process that owns it now, and the next one when that is gone
// or not to be trusted any more. A worker that did well serves one problem after the other. The
// tuner's own process never touches the device.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "tuner/worker/remote_bench.hpp"

namespace redtune::tuner {

class DeviceSite {
 public:
  /// Starts the first worker and finds the device. Nothing is opened on it before it is used.
  DeviceSite(WorkerCommand command, WorkerLog log);
  ~DeviceSite() { leave(); }
  DeviceSite(const DeviceSite&) = delete;
  DeviceSite& operator=(const DeviceSite&) = delete;

  [[nodiscard]] const FoundDevice& device() const { return device_; }
  /// Has the device opened for what comes next, and does not wait for that; where that cannot be,
  /// make_ready() says why.
  void open_ahead();
  /// Before a problem: sees to it that there is a worker, at no bench, which has the device open.
  void make_ready();
  /// Free memory of the device when it was opened first; 0 before.
  [[nodiscard]] std::size_t free_bytes() const { return free_bytes_; }
  /// Finds out whether a custom operator is one; before a bench is open. Throws UsageError.
  void check_operator(const BenchOrder& order);
  /// How fast the device can read; before a bench is open.
  [[nodiscard]] Probe probe();
  /// Has the bench set up that will be opened next, and does not wait for that.
  void set_up_ahead(const BenchOrder& order);
  /// A fresh bench for a problem: on the worker that is at no bench, else on a new one.
  [[nodiscard]] std::unique_ptr<Bench> open(const BenchOrder& order);
  /// A next worker will be needed some time: starts one, unless one rests. It does not touch the
  /// device, so that who measures there is not disturbed.
  void find_ahead();
  /// A next worker will be needed soon: wakes the one that rests, or starts one, behind the one
  /// that is at work. It sets up this bench as well, unless there is none.
  void start_ahead(const BenchOrder* bench = nullptr);
  /// It is not, and must not disturb.
  void stop_ahead() { ahead_.reset(); }
  /// A bench that is left for another one: its worker rests, with what it has set up, to be woken
  /// for a later problem, unless it may have taken harm; then it ends. One that has done much ends
  /// once its problem is done, before anything of the next is timed.
  void rest(std::unique_ptr<Bench> bench);
  /// Ends who rests, and who has done much: there must be room.
  void let_nobody_rest() {
    resting_.reset();
    leaving_ = {};
  }
  [[nodiscard]] bool has_resting() const { return resting_ != nullptr; }
  /// Ends the workers that are at no bench; make_ready() starts one again.
  void leave();
  /// A problem is done, and nothing is wrong with its bench: the worker may serve the next.
  void take_back(std::unique_ptr<Bench> bench);
  /// Other processes on the device, as far as its driver tells: "4711 (python), 4712"; empty: none.
  [[nodiscard]] std::string others();
  /// What the device's sensors tell now, by name; empty: nothing.
  [[nodiscard]] nlohmann::json readings();

 private:
  void start_worker();
  void take_over(std::shared_ptr<DeviceWorker> worker);
  [[nodiscard]] std::shared_ptr<DeviceWorker> next_worker();
  [[nodiscard]] DeviceWorker& unused();
  /// How the driver numbers the one that rests, and the one that leaves: nobody else's.
  [[nodiscard]] nlohmann::json numbers_of_resting();
  [[nodiscard]] nlohmann::json numbers_of_leaving();
  /// Tells the one that leaves that its problem is done. It takes a tenth of a second.
  void let_it_leave();

  /// That has done much.
  struct Leaving {
    std::shared_ptr<DeviceWorker> worker;
    nlohmann::json numbers;
    bool is_told = false;
  };

  WorkerCommand command_;
  WorkerLog log_;
  std::shared_ptr<DeviceWorker> unused_;  // opened, and at no bench
  std::shared_ptr<DeviceWorker> ahead_;   // on its way to be that
  std::shared_ptr<DeviceWorker> resting_;
  Leaving leaving_;
  std::weak_ptr<DeviceWorker> current_;
  bool may_rest_ = false;  // who is at the last order
  nlohmann::json last_order_;
  std::shared_ptr<DefaultTimes> took_us_;  // by that order's default
  FoundDevice device_;
  std::size_t free_bytes_ = 0;
};

}  // namespace redtune::tuner
