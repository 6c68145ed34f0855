// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "device/host/subprocess.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fmt/format.h>
#include <poll.h>
#include <string_view>
#include <sys/socket.h>

#include "device/host/child.hpp"

namespace redtune::device::host {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t most_errors = 64 * 1024;
/// How long a killed program may take to go.
constexpr auto reaping = 5s;

void give_input(Descriptor& to, std::string_view& input) {
  const ssize_t sent = send(to.get(), input.data(), input.size(), MSG_NOSIGNAL);
  if (sent < 0 && errno == EINTR) return;
  if (sent < 0)
    input = {};
  else
    input.remove_prefix(static_cast<std::size_t>(sent));
  if (input.empty()) to.reset();
}

enum class Reason { closed, deadline, stopped };

/// Moves bytes both ways until the program has closed its output.
Reason converse(Child& child, const ProgramOptions& options, const Deadline& until,
                Finished& finished) {
  Descriptor& in = child.channel(StandardStream::input);
  Descriptor& out = child.channel(StandardStream::output);
  Descriptor& errors = child.channel(StandardStream::errors);
  std::string_view input = options.input;
  if (input.empty()) in.reset();
  while (out.is_open() || errors.is_open()) {
    std::array<pollfd, 4> waiting{{{in.get(), POLLOUT, 0},
                                   {out.get(), POLLIN, 0},
                                   {errors.get(), POLLIN, 0},
                                   {options.stop, POLLIN, 0}}};
    const int ready = poll(waiting.data(), waiting.size(), milliseconds_left(until));
    if (ready == 0) return Reason::deadline;
    if (ready < 0) continue;  // a signal
    if (waiting[3].revents != 0) return Reason::stopped;
    if (waiting[0].revents != 0) give_input(in, input);
    if (waiting[1].revents != 0) take_output(out, finished.output, options.most_output);
    if (waiting[2].revents != 0) take_output(errors, finished.errors, most_errors);
  }
  return Reason::closed;
}

}  // namespace

std::string Finished::ending() const {
  if (timed_out) return "no answer before its deadline";
  return ending_text(status);
}

Finished run_program(const std::vector<std::string>& command, const ProgramOptions& options) {
  Child child(command);
  if (options.most_memory > 0) child.limit_memory(options.most_memory);
  Finished finished;
  Deadline until;
  if (options.deadline) until = SteadyClock::now() + *options.deadline;
  const Reason reason = converse(child, options, until, finished);
  finished.stopped = reason == Reason::stopped;
  finished.timed_out =
      reason == Reason::deadline || (reason == Reason::closed && !child.wait(until));
  if (finished.timed_out || finished.stopped) (void)child.kill_group(reaping);
  finished.status = child.status().value_or(SIGKILL);
  return finished;
}

bool is_on_path(const std::string& program) {
  if (program.empty()) return false;  // else every folder of the path would do
  if (program.find('/') != std::string::npos) return access(program.c_str(), X_OK) == 0;
  const char* path = std::getenv("PATH");
  std::string_view folders = path != nullptr ? path : "/usr/bin:/bin";
  while (!folders.empty()) {
    const auto end = std::min(folders.find(':'), folders.size());
    const std::string candidate = fmt::format("{}/{}", folders.substr(0, end), program);
    if (access(candidate.c_str(), X_OK) == 0) return true;
    folders.remove_prefix(std::min(end + 1, folders.size()));
  }
  return false;
}

}  // namespace redtune::device::host
