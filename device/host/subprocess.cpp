// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "device/host/subprocess.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string_view>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include "redtune/error.hpp"

extern char** environ;

namespace redtune::device::host {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t most_errors = 64 * 1024;

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { reset(); }
  void reset() {
    if (number_ >= 0) close(std::exchange(number_, -1));
  }
  [[nodiscard]] int get() const { return number_; }

 private:
  int number_ = -1;
};

/// Both ends of a channel: ours, which does not outlive us in a child, and the program's.
struct Channel {
  Descriptor ours;
  Descriptor theirs;

  Channel() {
    int ends[2];
    // Sockets, since writing to a program that has died must be an error and not a signal.
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
      throw IoError("cannot make a channel to a program; too many open files?");
    }
    ours = Descriptor(ends[0]);
    theirs = Descriptor(ends[1]);
  }
};

pid_t spawn(const std::vector<std::string>& command, const std::array<Channel, 3>& channels) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (int i = 0; i < 3; ++i) {
    posix_spawn_file_actions_adddup2(&actions, channels[static_cast<std::size_t>(i)].theirs.get(),
                                     i);
  }
  pid_t child = 0;
  const int error =
      posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw IoError(fmt::format("cannot run {}: {}", command[0], std::strerror(error)));
  return child;
}

/// Takes what is there; what is beyond the limit is dropped, so that the writer never blocks.
void take_output(Descriptor& from, std::string& output, std::size_t most) {
  std::array<char, 65536> part;
  const ssize_t got = read(from.get(), part.data(), part.size());
  if (got < 0 && errno == EINTR) return;
  if (got <= 0) return from.reset();
  output.append(part.data(), std::min(static_cast<std::size_t>(got), most - output.size()));
}

void give_input(Descriptor& to, std::string_view& input) {
  const ssize_t sent = send(to.get(), input.data(), input.size(), MSG_NOSIGNAL);
  if (sent < 0 && errno == EINTR) return;
  if (sent < 0)
    input = {};
  else
    input.remove_prefix(static_cast<std::size_t>(sent));
  if (input.empty()) to.reset();
}

int milliseconds_left(const std::optional<Clock::time_point>& until) {
  if (!until) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*until - Clock::now()).count();
  return static_cast<int>(std::clamp<long long>(left, 0, 1 << 30));
}

using Deadline = std::optional<Clock::time_point>;

/// Moves bytes both ways until the program has closed its output. False: the deadline came first.
bool converse(std::array<Channel, 3>& channels, const ProgramOptions& options, Deadline until,
              Finished& finished) {
  std::string_view input = options.input;
  if (input.empty()) channels[0].ours.reset();
  while (channels[1].ours.get() >= 0 || channels[2].ours.get() >= 0) {
    std::array<pollfd, 3> waiting{{{channels[0].ours.get(), POLLOUT, 0},
                                   {channels[1].ours.get(), POLLIN, 0},
                                   {channels[2].ours.get(), POLLIN, 0}}};
    const int ready = poll(waiting.data(), waiting.size(), milliseconds_left(until));
    if (ready == 0) return false;
    if (ready < 0) continue;  // a signal
    if (waiting[0].revents != 0) give_input(channels[0].ours, input);
    if (waiting[1].revents != 0) {
      take_output(channels[1].ours, finished.output, options.most_output);
    }
    if (waiting[2].revents != 0) take_output(channels[2].ours, finished.errors, most_errors);
  }
  return true;
}

/// Waits for the end of a program that has closed its output. False: the deadline came first.
bool has_ended(pid_t child, Deadline until, Finished& finished) {
  while (waitpid(child, &finished.status, until ? WNOHANG : 0) != child) {
    if (until && Clock::now() > *until) return false;
    if (until) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

}  // namespace

std::string Finished::ending() const {
  if (timed_out) return "no answer within its time";
  if (WIFSIGNALED(status)) {
    return fmt::format("killed by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  }
  return fmt::format("exit status {}", WEXITSTATUS(status));
}

Finished run_program(const std::vector<std::string>& command, const ProgramOptions& options) {
  std::array<Channel, 3> channels;
  const pid_t child = spawn(command, channels);
  for (Channel& channel : channels) channel.theirs.reset();
  Finished finished;
  Deadline until;
  if (options.deadline) until = Clock::now() + *options.deadline;
  finished.timed_out =
      !converse(channels, options, until, finished) || !has_ended(child, until, finished);
  if (finished.timed_out) {
    kill(child, SIGKILL);
    while (waitpid(child, &finished.status, 0) < 0 && errno == EINTR) {
    }
  }
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
