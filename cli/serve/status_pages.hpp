// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a service shows of itself over HTTP: what it does now, and the pages of redtune report, made
// by another process, anew when the last ones are a few seconds old. Nothing can be changed there.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cli/serve/web_server.hpp"
#include "device/host/child.hpp"

namespace redtune::cli {

class StatusPages {
 public:
  /// address: "127.0.0.1:PORT", nothing else; program: redtune's, by its path; cache: words for it
  /// that name the store. Throws UsageError for an address, IoError.
  StatusPages(const std::string& address, std::string program, std::vector<std::string> cache,
              std::vector<std::string> devices);
  StatusPages(const StatusPages&) = delete;
  StatusPages& operator=(const StatusPages&) = delete;
  /// Waits for nobody who reads.
  ~StatusPages();

  /// What the service does now, in a line.
  void tell(const std::string& state);
  /// Where it is to be read.
  [[nodiscard]] std::string url() const;
  /// Throws UsageError for an address that is not of the loopback, or none.
  [[nodiscard]] static std::uint16_t port_in(const std::string& address);

 private:
  using Clock = std::chrono::steady_clock;
  using Words = std::vector<std::string>;
  /// What redtune said a moment ago.
  struct Printed {
    std::string text{};
    std::string refusal{};  ///< why there is no such thing; empty: text is it
    Clock::time_point until{};
  };

  [[nodiscard]] WebAnswer page(const std::string& path);
  [[nodiscard]] WebAnswer first_page();
  [[nodiscard]] WebAnswer report(const Words& words);
  /// Throws IoError where redtune fails.
  [[nodiscard]] Printed run(Words words) const;
  [[nodiscard]] const Printed& printed(const Words& words);

  std::string program_;
  std::vector<std::string> cache_;
  std::vector<std::string> devices_;
  mutable std::mutex mutex_;
  std::string state_ = "it begins";
  std::map<Words, Printed> printed_;  // of the server's thread
  device::host::Descriptor ended_;    // readable once reports are of no use any more
  device::host::Descriptor end_;
  std::unique_ptr<WebServer> server_;
};

}  // namespace redtune::cli
