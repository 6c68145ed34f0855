// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// One connection to a PostgreSQL server, by libpq, which is opened when the first one is asked for:
// programs that never ask for one need no libpq. Nothing waits for ever.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "redtune/error.hpp"

namespace redtune::fleet {

/// The server cannot be reached, has gone, or does not answer in time: another time it may.
class Unreachable : public IoError {
 public:
  using IoError::IoError;
};

/// The server has refused a statement.
class Refused : public IoError {
 public:
  Refused(std::string text, std::string state)
      : IoError(std::move(text)), state_(std::move(state)) {}
  /// SQLSTATE, five characters.
  [[nodiscard]] const std::string& state() const { return state_; }

 private:
  std::string state_;
};

/// A text; nothing is NULL.
using Value = std::optional<std::string>;
using Row = std::vector<Value>;

/// As an array of PostgreSQL is written, for a parameter.
[[nodiscard]] std::string array_text(const std::vector<std::string>& values);

/// Throws UsageError unless it is the URL of a database without a password; the text never repeats
/// what might be one.
void check_url(const std::string& url);

/// Of libpq on this machine, "15.4", or why there is none.
[[nodiscard]] std::string client_version();

class Connection {
 public:
  /// Throws UsageError for a URL that cannot be used or where there is no libpq, Unreachable.
  /// limit: so long connecting may take, whatever the URL says, and each statement [1 min]; libpq
  /// waits for two seconds at least.
  explicit Connection(const std::string& url,
                      std::optional<std::chrono::milliseconds> limit = std::nullopt);
  Connection(Connection&&) noexcept;
  Connection& operator=(Connection&&) noexcept;
  ~Connection();

  /// One statement. Throws Refused, Unreachable.
  std::vector<Row> ask(const std::string& statement, const std::vector<Value>& parameters = {});
  /// Several statements without parameters, in one transaction of the server.
  void run(const std::string& statements);
  /// 150004 is version 15.4.
  [[nodiscard]] int server_version() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
  std::chrono::milliseconds limit_{60'000};  // of a statement
};

}  // namespace redtune::fleet
