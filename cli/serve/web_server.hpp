// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Pages over HTTP on the loopback address, in a thread of its own: whoever is slow, or sends what
// is no request, holds nobody up but those who also look.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace redtune::cli {

/// What is answered: 200 or 404, and a whole HTML document.
struct WebAnswer {
  unsigned status = 200;
  std::string document;
};

class WebServer {
 public:
  /// The path of a request, which begins with '/'; called in the server's thread. What it throws is
  /// logged, and 500 for the reader.
  using Pages = std::function<WebAnswer(const std::string& path)>;

  /// port: 0: one that is free. Throws IoError where it cannot be had.
  WebServer(std::uint16_t port, Pages pages);
  WebServer(const WebServer&) = delete;
  WebServer& operator=(const WebServer&) = delete;
  ~WebServer();

  [[nodiscard]] std::uint16_t port() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace redtune::cli
