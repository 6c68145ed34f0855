// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Who uses a device on which this process's children work as well. Opens nothing on it.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <sys/types.h>
#include <vector>

#include "tuner/worker/device_worker.hpp"

namespace redtune::tuner {

/// Processes by number, with names where they are told.
using DeviceUsers = std::map<long, std::string>;

/// Tells strangers from this process's own family: itself, its children and theirs, also those that
/// have ended, as long as the driver lists them still.
class Family {
 public:
  /// Of these users those that are no relatives. Where the driver numbers processes otherwise than
  /// this system does, as in a container, none can be told from another: then of the users without
  /// a process here as many are taken for relatives as there are workers. workers: of the family,
  /// that may be on the device; asked only then.
  [[nodiscard]] DeviceUsers strangers(const DeviceUsers& users,
                                      const std::function<std::size_t()>& workers);

 private:
  [[nodiscard]] bool is_relative(pid_t process);

  std::set<pid_t> known_;
};

/// Processes below another that were started with this word, such as "device-worker".
[[nodiscard]] std::size_t descendants_with(const std::string& word, pid_t of);

class DeviceWatch {
 public:
  /// Finds the device, as DeviceWorker does.
  explicit DeviceWatch(const WorkerCommand& command);

  [[nodiscard]] const FoundDevice& device() const { return worker_.device(); }
  /// "4711 (python), 4712"; empty: nobody, or the platform does not tell. tuner: this process's
  /// child that tunes on the device; 0: none does. Throws as DeviceWorker::ask(): it is of no use
  /// then.
  [[nodiscard]] std::string strangers(pid_t tuner);
  /// As strangers() found out last.
  [[nodiscard]] bool can_tell() const { return can_tell_; }
  /// Its process ends, and nothing is asked any more; the destructor waits for it.
  void let_end() { worker_.let_end(); }

 private:
  [[nodiscard]] std::size_t workers_of(pid_t tuner);

  DeviceWorker worker_;
  Family family_;
  bool can_tell_ = false;
  std::size_t most_workers_ = 0;  // lately: drivers list a process for a while when it is gone
  std::chrono::steady_clock::time_point most_until_{};
};

}  // namespace redtune::tuner
