// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A processor of the machine for one program and what it starts, which no other program takes:
// there is a file for each processor, and who has it keeps it locked. ctest's own
// PROCESSOR_AFFINITY does nothing where a distribution has built it with the libuv of others.
#pragma once

#include <fcntl.h>
#include <filesystem>
#include <sched.h>
#include <string>
#include <sys/file.h>
#include <system_error>
#include <unistd.h>

namespace redtune::checks {

/// Locked until the process ends.
[[nodiscard]] inline bool could_lock(const std::filesystem::path& file) {
  const int lock = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock < 0) return false;
  if (flock(lock, LOCK_EX | LOCK_NB) == 0) return true;
  close(lock);
  return false;
}

/// Of those that the calling thread may use, for it and for what it starts from now on. Whether one
/// was free: else it keeps all.
[[nodiscard]] inline bool take_processor(const std::filesystem::path& folder) {
  cpu_set_t usable;
  if (sched_getaffinity(0, sizeof(usable), &usable) != 0) return false;
  std::error_code unusable;
  std::filesystem::create_directories(folder, unusable);
  for (std::size_t i = 0; i < CPU_SETSIZE; ++i) {
    if (!CPU_ISSET(i, &usable) || !could_lock(folder / std::to_string(i))) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(i, &one);
    return sched_setaffinity(0, sizeof(one), &one) == 0;
  }
  return false;
}

}  // namespace redtune::checks
