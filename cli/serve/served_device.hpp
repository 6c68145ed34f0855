// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A device that a service watches: whether somebody uses it, for how long nobody has, and what is
// wrong when that cannot be found out. A driver that hangs holds nobody up here.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <sys/types.h>
#include <vector>

#include "cli/serve/idle.hpp"
#include "redtune/device_identity.hpp"
#include "tuner/lease/lease.hpp"
#include "tuner/worker/device_watch.hpp"

namespace redtune::cli {

/// A service's lease of a device, beside that of whoever tunes on it.
[[nodiscard]] std::string service_lease_of(const DeviceIdentity& device);

class ServedDevice {
 public:
  using Clock = IdleClock::Clock;

  /// Starts a process that watches it. name: as it is typed; device_worker: the command of that
  /// process; stop: a descriptor, waiting ends when it becomes readable.
  ServedDevice(std::string name, std::vector<std::string> device_worker, int stop,
               Clock::duration idle);

  /// As it is typed; once it is served, as it is called.
  [[nodiscard]] const std::string& name() const { return name_; }
  /// Waits so long for its driver to find it. Throws as DeviceWatch.
  [[nodiscard]] bool is_found(std::chrono::milliseconds patience);
  /// Of one that is found, and not served yet.
  [[nodiscard]] const DeviceIdentity& found_identity() const { return watch_->device().identity; }
  /// Takes the lease of serving it, once. Throws Busy where another service has it.
  void serve();
  [[nodiscard]] bool is_served() const { return served_ != nullptr; }
  /// Of one that is served.
  [[nodiscard]] const DeviceIdentity& identity() const { return served_->identity; }

  /// Looks who uses it, and waits no longer than that for its driver. tuner: the process that tunes
  /// for this service, or 0.
  void look(pid_t tuner, bool is_tuned_on, std::chrono::milliseconds patience);
  /// It cannot be looked at, and is tried again after a while.
  void fail(const std::string& why);
  /// Somebody was seen there.
  void see_somebody() { idle_.see(true, Clock::now()); }
  /// Nobody must use it for so much longer, until this says otherwise.
  void need_more(Clock::duration more) { idle_.need_more(more); }

  /// Who use it, as it was seen last; empty: nobody.
  [[nodiscard]] const std::string& users() const { return users_; }
  /// Why it cannot be asked who does; empty: it can.
  [[nodiscard]] const std::string& trouble() const { return trouble_; }
  /// Whether its platform has said that it does not tell.
  [[nodiscard]] bool is_silent() const;
  /// Whether nobody has used it for long enough, as far as anybody knows.
  [[nodiscard]] bool is_free(Clock::time_point now) const;
  [[nodiscard]] Clock::duration left(Clock::time_point now) const { return idle_.left(now); }
  /// Readable when its driver has answered; -1: nobody waits for that.
  [[nodiscard]] int answers() const;
  /// Its watch ends; the destructor waits for that.
  void let_end();

  /// The questions that are to be tuned on it.
  std::set<std::string> wanted{};

 private:
  /// What is known of one that is served.
  struct Known {
    DeviceIdentity identity;
    tuner::Lease lease;
  };

  void start_watch();
  [[nodiscard]] std::optional<std::string> ask(pid_t tuner, bool is_tuned_on,
                                               std::chrono::milliseconds patience);
  [[nodiscard]] std::string trouble_of_waiting();
  void tell(const std::string& trouble);

  std::string name_;
  std::vector<std::string> device_worker_;
  int stop_;
  IdleClock idle_;
  std::unique_ptr<tuner::DeviceWatch> watch_;  // null: it failed, and is to be started again
  Clock::time_point watch_again_{};
  bool is_given_up_ = false;  // the watch is to end
  std::unique_ptr<Known> served_;
  std::string users_;
  std::string trouble_;
};

}  // namespace redtune::cli
