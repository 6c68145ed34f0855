// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What the program ends with; docs/reference/cli.md has the same table.
#pragma once

#include <exception>

namespace redtune::cli {

enum class ExitCode {
  done = 0,
  failed = 1,
  usage = 2,          ///< the request itself is wrong
  nothing_valid = 3,  ///< no configuration gave a right result
  missed = 4,         ///< a look-up found less than the caller demanded
  untrustworthy = 5,  ///< the measurement cannot be believed
  device_unhealthy = 6,
  io = 74,
  busy = 75,  ///< another process holds the device or the store: wait until it is done, or end it
  interrupted = 130,
};

/// By the error's type; `failed` for one that has no row.
[[nodiscard]] ExitCode exit_code_of(const std::exception& error);

}  // namespace redtune::cli
