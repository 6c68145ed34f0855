// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A library to preload: the wall clock jumps a while after a program began, or once a file is
// there, as when somebody sets it, or the clock that counts sleep, as when the machine has slept.
// The environment says when and how far; the other clocks go on as they do.
#include <cstdlib>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

namespace {

using ClockGettime = int(clockid_t, timespec*);

int real_clock(clockid_t clock, timespec* time) {
  static auto* const next = reinterpret_cast<ClockGettime*>(dlsym(RTLD_NEXT, "clock_gettime"));
  return next(clock, time);
}

long from_environment(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? 0 : std::atol(text);
}

double monotonic() {
  timespec now{};
  real_clock(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

const double loaded_at = monotonic();

/// Leaves a file behind, so that a test knows that the jump was seen.
void report_jump() {
  static const char* const file = std::getenv("REDTUNE_CLOCK_REPORT");
  static const bool reported = [] {
    const int made = file == nullptr ? -1 : open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (made >= 0) close(made);
    return true;
  }();
  (void)reported;
}

bool is_time() {
  static const char* const file = std::getenv("REDTUNE_CLOCK_ONCE_THERE");
  if (file != nullptr) return access(file, F_OK) == 0;
  static const double after =
      1e-3 * static_cast<double>(from_environment("REDTUNE_CLOCK_AFTER_MS"));
  return monotonic() - loaded_at >= after;
}

/// For how long the machine has slept until now, in seconds.
long slept() {
  static const long seconds = from_environment("REDTUNE_CLOCK_SLEPT_S");
  return seconds != 0 && is_time() ? seconds : 0;
}

/// How far the wall clock is off now, in seconds.
long jump() {
  static const long seconds = from_environment("REDTUNE_CLOCK_JUMP_S");
  if (seconds == 0 || !is_time()) return 0;
  report_jump();
  return seconds;
}

}  // namespace

extern "C" {

#define EXPORTED __attribute__((visibility("default")))

EXPORTED int clock_gettime(clockid_t clock, timespec* time) noexcept {
  const int code = real_clock(clock, time);
  const bool is_wall = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
  if (code == 0 && is_wall) time->tv_sec += jump();
  if (code == 0 && clock == CLOCK_BOOTTIME) time->tv_sec += slept();
  return code;
}
EXPORTED int gettimeofday(timeval* time, void*) noexcept {
  timespec now{};
  const int code = clock_gettime(CLOCK_REALTIME, &now);
  *time = {now.tv_sec, now.tv_nsec / 1000};
  return code;
}
EXPORTED time_t time(time_t* time) noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  if (time != nullptr) *time = now.tv_sec;
  return now.tv_sec;
}

}  // extern "C"
