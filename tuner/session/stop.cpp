// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/session/stop.hpp"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <mutex>
#include <poll.h>
#include <unistd.h>
#include <utility>

#include "redtune/error.hpp"

namespace redtune::tuner {
namespace {

std::atomic<bool> stop_asked = false;
std::atomic<int> can_finish = 0;  // how many have results
std::atomic<int> stop_now_descriptor = -1;

/// What all have together: who comes first makes it, who goes last ends it.
std::mutex shared_mutex;
int living = 0;
int readable_end = -1;

/// What may be left of the program when it is told to end and something does not.
constexpr unsigned seconds_to_end = 5;

void on_signal(int signal) {
  const int error = errno;
  const bool is_first = !stop_asked.exchange(true);
  if (signal == SIGTERM || !is_first || can_finish == 0) {
    const char byte = 0;
    (void)!write(stop_now_descriptor, &byte, 1);
    alarm(seconds_to_end);  // ends the program, and its workers with it
  }
  errno = error;
}

void handle(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

}  // namespace

Stop::Stop() {
  const std::lock_guard lock(shared_mutex);
  if (living == 0) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) {
      throw IoError("cannot make a pipe; too many open files?");
    }
    readable_end = ends[0];
    stop_asked = false;
    can_finish = 0;
    stop_now_descriptor = ends[1];
    handle(SIGINT, on_signal);
    handle(SIGTERM, on_signal);
  }
  ++living;
}

Stop::~Stop() {
  begin_problem();
  const std::lock_guard lock(shared_mutex);
  if (--living > 0) return;
  handle(SIGINT, SIG_DFL);
  handle(SIGTERM, SIG_DFL);
  alarm(0);
  close(stop_now_descriptor.exchange(-1));
  close(std::exchange(readable_end, -1));
}

void Stop::begin_problem() {
  if (std::exchange(has_results_, false)) --can_finish;
}

void Stop::has_results() {
  if (!std::exchange(has_results_, true)) ++can_finish;
}

int Stop::now() const {
  const std::lock_guard lock(shared_mutex);
  return readable_end;
}

const std::atomic<bool>& Stop::asked() {
  return stop_asked;
}

bool Stop::is_now() const {
  pollfd waiting{now(), POLLIN, 0};
  return poll(&waiting, 1, 0) > 0;
}

}  // namespace redtune::tuner
