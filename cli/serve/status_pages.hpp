// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a service shows of itself over HTTP: what it does now, and the pages of redtune report, made
// anew for each reader by another process. Nothing can be changed there.
#pragma once

#include <cstdint>
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
  [[nodiscard]] WebAnswer page(const std::string& path) const;
  [[nodiscard]] WebAnswer first_page() const;
  [[nodiscard]] WebAnswer report(const std::vector<std::string>& words) const;

  std::string program_;
  std::vector<std::string> cache_;
  std::vector<std::string> devices_;
  mutable std::mutex mutex_;
  std::string state_ = "it begins";
  device::host::Descriptor ended_;  // readable once reports are of no use any more
  device::host::Descriptor end_;
  std::unique_ptr<WebServer> server_;
};

}  // namespace redtune::cli
