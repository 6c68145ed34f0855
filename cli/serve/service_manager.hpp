// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Talks to the service manager that started this process, if one did: the protocol of sd_notify(3),
// datagrams of lines "NAME=value" to the socket that NOTIFY_SOCKET names.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "device/host/child.hpp"

namespace redtune::cli {

class ServiceManager {
 public:
  /// By the environment, from which the variables are taken: what this process starts has no say.
  ServiceManager();

  /// Is told again by alive() until the manager has taken it.
  void ready();
  void stopping();
  /// One line for systemctl status; what the manager has taken is not sent again.
  void status(const std::string& line);
  /// To be called often: tells that this process goes on, where that is asked for and as often as
  /// it must be.
  void alive();

  [[nodiscard]] bool is_there() const { return socket_.is_open(); }

 private:
  /// Whether it was taken.
  bool send(std::string_view lines);

  device::host::Descriptor socket_;
  std::string address_;  // as it stands in a sockaddr_un
  std::optional<std::chrono::microseconds> every_;
  std::chrono::steady_clock::time_point told_{};
  std::string status_;  // as it was taken last
  bool is_ready_to_tell_ = false;
};

/// Whether a stream leads to the journal, as systemd tells in JOURNAL_STREAM: then each line may
/// begin with its priority, "<4>".
[[nodiscard]] bool leads_to_journal(int descriptor);

}  // namespace redtune::cli
