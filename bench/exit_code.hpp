// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What the programs of this folder end with, in the numbers that the program redtune has.
#pragma once

#include "redtune/error.hpp"

namespace redtune::bench {

inline constexpr int exit_failed = 1;
inline constexpr int exit_usage = 2;
inline constexpr int exit_missed = 4;
inline constexpr int exit_device = 6;
inline constexpr int exit_io = 74;

[[nodiscard]] inline int exit_code_of(const Error& error) {
  const bool is_usage = dynamic_cast<const UsageError*>(&error) != nullptr ||
                        dynamic_cast<const NoSuchDevice*>(&error) != nullptr;
  if (is_usage) return exit_usage;
  if (dynamic_cast<const UnmetMatch*>(&error) != nullptr) return exit_missed;
  if (dynamic_cast<const DeviceError*>(&error) != nullptr) return exit_device;
  if (dynamic_cast<const IoError*>(&error) != nullptr) return exit_io;
  return exit_failed;
}

}  // namespace redtune::bench
