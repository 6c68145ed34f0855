// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// When to tune, and when to step aside: a scheduler around 'redtune tune --wanted'. It opens no
// device and writes no store; whoever ends it ends nothing but itself and the tune it has started.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "cli/serve/idle.hpp"
#include "cli/serve/served_device.hpp"
#include "cli/serve/service_manager.hpp"
#include "cli/serve/tuning.hpp"
#include "redtune/device_identity.hpp"
#include "tuner/session/stop.hpp"

namespace redtune::cli {

struct ServiceOrder {
  std::vector<std::string> devices;        ///< by their names
  std::vector<std::string> device_worker;  ///< command of a process that watches one
  IdleClock::Clock::duration idle{0};      ///< so long nobody must have used a device
  bool is_once = false;                    ///< ends as soon as there is nothing to do, or no way to
  /// The questions that are to be tuned on a device, by what tells them apart; throws where that
  /// cannot be found out. The device by its name as well.
  std::function<std::set<std::string>(const std::string&, const DeviceIdentity&)> wanted;
  /// Whether only a tune finds out what there is: then it says so itself.
  bool tune_finds_out = false;
  /// Is told what the service does now, in a line, whenever that changes; may be empty.
  std::function<void(const std::string&)> tell{};
  /// What changes when there may be others.
  std::function<std::string()> mark_of_wanted;
  /// The command that tunes on these devices.
  std::function<std::vector<std::string>(const std::vector<std::string>&)> tune;
};

/// How a service ended.
struct ServiceEnd {
  enum class Why { told_to, nothing_wanted, in_use, tuned, failed };
  Why why = Why::told_to;
  std::size_t wanted = 0;         ///< questions, when it looked first
  std::size_t left = 0;           ///< likewise, when it looked last
  std::size_t tunes = 0;          ///< that were begun
  std::size_t stepped_aside = 0;  ///< how often
  std::string text{};             ///< in_use: by whom; failed: why
  int code = 0;                   ///< failed: exit code of the tune
};

class Service {
 public:
  /// Finds the devices, and takes a lease of serving each. Throws what finding one throws, unless
  /// others are found, and Busy where another service has one. One whose driver does not answer is
  /// served when it does; of what is done once it is an error.
  explicit Service(ServiceOrder order);

  /// Until SIGTERM or SIGINT, or the end of what was asked for once.
  [[nodiscard]] ServiceEnd run();

 private:
  using Clock = IdleClock::Clock;
  using Devices = std::vector<std::unique_ptr<ServedDevice>>;

  bool find(ServedDevice& served, Clock::time_point until);
  bool admit(ServedDevice& served);
  void say_who_cannot_tell() const;
  void look_at(ServedDevice& served);
  [[nodiscard]] bool is_tuned_on(const ServedDevice& served) const;
  void look_at_all();
  void wait_for_news();
  /// False: that cannot be found out, and a pause has begun.
  bool look_for_wanted();
  void look_anew_for_wanted();
  [[nodiscard]] bool is_time_for_wanted() const;
  [[nodiscard]] std::size_t all_wanted() const;
  [[nodiscard]] bool is_anything_done(const std::vector<std::set<std::string>>& before) const;
  void begin_tuning();
  void watch_tuning();
  void end_tuning();
  void fail(int code, const std::string& why);
  void step_aside(const ServedDevice& from);
  void wait_longer();
  [[nodiscard]] std::string state() const;
  void tell_state();
  [[nodiscard]] std::optional<ServiceEnd::Why> why_once_ends();

  ServiceOrder order_;
  tuner::Stop stop_;
  ServiceManager manager_;
  Devices served_;
  std::unique_ptr<Tuning> tuning_;
  std::vector<std::string> tuned_on_;
  ServiceEnd end_;
  std::string mark_{};              // of what was wanted when it was looked for
  Clock::time_point mark_again_{};  // not before
  Clock::time_point look_again_{};  // although it is the same
  bool has_looked_ = false;
  std::size_t failures_ = 0;  // in a row
  std::size_t asides_ = 0;    // likewise: tunes that were left
  std::minstd_rand random_{std::random_device{}()};
  Clock::time_point paused_until_{};
  std::string told_;
};

}  // namespace redtune::cli
