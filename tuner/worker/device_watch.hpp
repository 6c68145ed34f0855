// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Who uses a device on which this process's children work as well. Opens nothing on it.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
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

/// Waits for a driver no longer than it is told to: one that hangs must not hold up who watches.
class DeviceWatch {
 public:
  using Clock = std::chrono::steady_clock;

  /// Starts a process that is to find the device, and does not wait for it. Throws what starting a
  /// process throws.
  explicit DeviceWatch(const WorkerCommand& command);

  /// Waits so long, or until a stop is asked, until the device is found. Throws as DeviceWorker's
  /// constructor: the watch is of no use then.
  [[nodiscard]] bool is_found(std::chrono::milliseconds patience);
  /// Once it is found.
  [[nodiscard]] const FoundDevice& device() const { return device_; }
  /// "4711 (python), 4712"; empty: nobody, or the platform does not tell. Nothing: the driver has
  /// not answered yet, and is not asked again until it has. tuner: this process's child that tunes
  /// on the device; 0: none does. Throws as DeviceWorker::ask(): it is of no use then.
  [[nodiscard]] std::optional<std::string> strangers(pid_t tuner,
                                                     std::chrono::milliseconds patience);
  /// As strangers() found out last.
  [[nodiscard]] bool can_tell() const { return can_tell_; }
  /// Since when an answer is waited for; nothing: none is.
  [[nodiscard]] const std::optional<Clock::time_point>& waits_since() const { return since_; }
  /// Readable when an answer has come.
  [[nodiscard]] int answers() { return worker_.answers(); }
  /// Its process ends, and nothing is asked any more; the destructor waits for it, but not for one
  /// that has not answered.
  void let_end();
  /// Ends a process that does not answer. Once has_ended() the watch is of no use.
  void give_up() { worker_.give_up(); }
  [[nodiscard]] bool has_ended() { return worker_.has_ended(); }
  [[nodiscard]] pid_t process() const { return worker_.process(); }

 private:
  [[nodiscard]] std::size_t workers_of(pid_t tuner);

  DeviceWorker worker_;
  FoundDevice device_;
  bool is_found_ = false;
  std::optional<Clock::time_point> since_ = Clock::now();
  Family family_;
  bool can_tell_ = false;
  std::size_t most_workers_ = 0;  // lately: drivers list a process for a while when it is gone
  Clock::time_point most_until_{};
};

}  // namespace redtune::tuner
