// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/session/stop.hpp"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "redtune/error.hpp"

namespace redtune::tuner {
namespace {

std::atomic<bool> stop_asked = false;
std::atomic<bool> can_finish = false;
std::atomic<int> stop_now_descriptor = -1;

/// What may be left of the program when it is told to end and something does not.
constexpr unsigned seconds_to_end = 5;

void on_signal(int signal) {
  const int error = errno;
  const bool is_first = !stop_asked.exchange(true);
  if (signal == SIGTERM || !is_first || !can_finish) {
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
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) {
    throw IoError("cannot make a pipe; too many open files?");
  }
  read_ = ends[0];
  write_ = ends[1];
  stop_asked = false;
  can_finish = false;
  stop_now_descriptor = write_;
  handle(SIGINT, on_signal);
  handle(SIGTERM, on_signal);
}

Stop::~Stop() {
  handle(SIGINT, SIG_DFL);
  handle(SIGTERM, SIG_DFL);
  alarm(0);
  stop_now_descriptor = -1;
  close(read_);
  close(write_);
}

void Stop::begin_problem() {
  can_finish = false;
}

void Stop::has_results() {
  can_finish = true;
}

const std::atomic<bool>& Stop::asked() {
  return stop_asked;
}

bool Stop::is_now() const {
  pollfd waiting{read_, POLLIN, 0};
  return poll(&waiting, 1, 0) > 0;
}

}  // namespace redtune::tuner
