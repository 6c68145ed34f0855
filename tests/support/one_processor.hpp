// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A processor of the machine for one program and what it starts, which no other program takes that
// looks into the same folder: it has a file for each processor, and who has one keeps it locked.
// ctest's own PROCESSOR_AFFINITY does nothing where a distribution has built it with the libuv of
// others.
#pragma once

#include <fcntl.h>
#include <filesystem>
#include <sched.h>
#include <string>
#include <sys/file.h>
#include <system_error>
#include <unistd.h>

namespace redtune::checks {

/// A file that is locked until it is closed, by this process and by those that it forks and that
/// run no other program; -1 where it is locked already.
[[nodiscard]] inline int lock_of(const std::filesystem::path& file) {
  const int lock = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock < 0 || flock(lock, LOCK_EX | LOCK_NB) == 0) return lock;
  close(lock);
  return -1;
}

/// Of those that the calling thread may use, for it and for what it starts from now on. Whether one
/// was free: else it keeps all.
[[nodiscard]] inline bool take_processor(const std::filesystem::path& folder) {
  cpu_set_t usable;
  if (sched_getaffinity(0, sizeof(usable), &usable) != 0) return false;
  std::error_code unusable;
  std::filesystem::create_directories(folder, unusable);
  for (std::size_t i = 0; i < CPU_SETSIZE; ++i) {
    if (!CPU_ISSET(i, &usable)) continue;
    const int lock = lock_of(folder / std::to_string(i));
    if (lock < 0) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(i, &one);
    if (sched_setaffinity(0, sizeof(one), &one) == 0) return true;
    close(lock);
    return false;
  }
  return false;
}

/// One of those that the calling thread may use, whoever else has it: for programs that wait most
/// of the time, and disturb nobody's measurements by more than they compute.
inline void share_processor() {
  cpu_set_t usable;
  if (sched_getaffinity(0, sizeof(usable), &usable) != 0) return;
  int skipped = static_cast<int>(getpid() % CPU_COUNT(&usable));
  for (std::size_t i = 0; i < CPU_SETSIZE; ++i) {
    if (!CPU_ISSET(i, &usable) || skipped-- > 0) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(i, &one);
    (void)sched_setaffinity(0, sizeof(one), &one);
    return;
  }
}

}  // namespace redtune::checks
