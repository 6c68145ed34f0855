// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A test program has one of the machine's processors, together with what it starts, and no other
// has the same: there is a file for each processor, which its program keeps locked. ctest's own
// PROCESSOR_AFFINITY does nothing where a distribution has built it with the libuv of others.
#include <fcntl.h>
#include <filesystem>
#include <sched.h>
#include <string>
#include <sys/file.h>
#include <system_error>
#include <unistd.h>

namespace redtune {
namespace {

/// Holds the lock until the process ends.
bool is_free(const std::filesystem::path& file) {
  const int lock = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock < 0) return false;
  if (flock(lock, LOCK_EX | LOCK_NB) == 0) return true;
  close(lock);
  return false;
}

/// Whether there was one. Where more programs run than there are processors, some have all.
bool take_processor() {
  cpu_set_t usable;
  if (sched_getaffinity(0, sizeof(usable), &usable) != 0) return false;
  const std::filesystem::path folder = REDTUNE_TEST_PROCESSORS;
  std::error_code unusable;
  std::filesystem::create_directories(folder, unusable);
  for (std::size_t i = 0; i < CPU_SETSIZE; ++i) {
    if (!CPU_ISSET(i, &usable) || !is_free(folder / std::to_string(i))) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(i, &one);
    return sched_setaffinity(0, sizeof(one), &one) == 0;
  }
  return false;
}

// Before main, so before there are threads.
[[maybe_unused]] const bool taken = take_processor();

}  // namespace
}  // namespace redtune
