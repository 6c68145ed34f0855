// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// An operator that users bring may never return. It runs in a process that ends when it takes too
// long, since nothing else stops a thread or a device that is busy.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "redtune/problem.hpp"

namespace redtune::tuner {

/// How long a custom operator may take for a step on so many elements: $REDTUNE_OPERATOR_SECONDS,
/// else 30 s and one more for every 2^21. Throws UsageError for a variable that is no such number.
[[nodiscard]] std::chrono::seconds operator_timeout(std::int64_t count);

/// The handler gets the one line about an operator that did not return, in a thread of its own, and
/// may end the process as its program ends for wrong requests. When the function returns, the
/// process ends with EXIT_FAILURE. An empty function: the line goes to standard error.
void set_hang_handler(std::function<void(const std::string&)> tell);

/// As long as it lives an operator is at work, which may take operator_timeout(). Watches nothing
/// for a built-in one.
class OperatorWatch {
 public:
  /// doing: "while samples were tried".
  OperatorWatch(const Problem& problem, std::int64_t count, std::string doing);
  OperatorWatch(const OperatorWatch&) = delete;
  OperatorWatch& operator=(const OperatorWatch&) = delete;
  ~OperatorWatch();

 private:
  struct Watcher;
  std::unique_ptr<Watcher> watcher_;
};

}  // namespace redtune::tuner
