// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The tables of a fleet store, as migrations that follow each other: what is once in a released
// version is never changed, only added to.
#pragma once

#include <span>
#include <string_view>

namespace redtune::fleet {

/// One step: version n is made of version n - 1 by the n-th.
[[nodiscard]] std::span<const std::string_view> migrations();

/// The version that this redtune reads and writes.
[[nodiscard]] inline int schema_version() {
  return static_cast<int>(migrations().size());
}

}  // namespace redtune::fleet
