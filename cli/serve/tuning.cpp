// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/serve/tuning.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <poll.h>
#include <spdlog/spdlog.h>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>

namespace redtune::cli {
namespace {

using namespace std::chrono_literals;
using device::host::SteadyClock;

/// A tune that is told to end needs a few milliseconds; a worker that hangs in a driver is killed.
constexpr auto ends_by_itself = 500ms;
constexpr auto ends_by_force = 2s;
/// What has no end of a line is none of ours.
constexpr std::size_t longest_line = 64 * 1024;

bool has_input(int descriptor) {
  pollfd waiting{descriptor, POLLIN, 0};
  return descriptor >= 0 && poll(&waiting, 1, 0) > 0;
}

}  // namespace

void log_again(const std::string& line) {
  constexpr std::string_view program = "redtune: ";
  if (line.empty()) return;
  if (line.starts_with(program)) {
    const auto colon = line.find(": ", program.size());
    const auto level = spdlog::level::from_str(line.substr(program.size(), colon - program.size()));
    if (colon != std::string::npos && level != spdlog::level::off) {
      return spdlog::log(level, "{}", line.substr(colon + 2));
    }
  }
  spdlog::info("{}", line);
}

void Tuning::pass_on() {
  std::string ignored;  // the report: its lines say the same
  while (has_input(output())) {
    ignored.clear();
    device::host::take_output(child_.channel(Stream::output), ignored, longest_line);
  }
  while (has_input(errors())) {
    std::string part;
    device::host::take_output(child_.channel(Stream::errors), part, longest_line);
    errors_ += part;
    for (auto end = errors_.find('\n'); end != std::string::npos; end = errors_.find('\n')) {
      log_again(errors_.substr(0, end));
      errors_.erase(0, end + 1);
    }
    if (errors_.size() > longest_line) errors_.clear();
  }
}

bool Tuning::has_ended() {
  pass_on();
  if (!child_.wait(SteadyClock::now())) return false;
  pass_on();
  return true;
}

void Tuning::stop() {
  if (has_ended()) return;
  kill(child_.id(), SIGTERM);
  const auto until = SteadyClock::now() + ends_by_itself;
  while (SteadyClock::now() < until) {
    if (child_.wait(SteadyClock::now() + 5ms)) break;
    pass_on();  // one that cannot speak does not end
  }
  (void)child_.kill_group(ends_by_force);
  pass_on();
}

int Tuning::code() const {
  const int status = child_.status().value_or(0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

}  // namespace redtune::cli
