// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "device/host/child.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "redtune/error.hpp"

extern char** environ;

namespace redtune::device::host {
namespace {

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

/// Whether this process is a worker itself.
std::atomic<bool> works_for_another = false;

/// Whether it would be missed if the channel to its parent were closed now.
std::atomic<bool> is_at_work = false;

/// What a compiler that is told to end needs to take its files along.
constexpr auto clearing_away = std::chrono::milliseconds(200);

/// Whether what this process starts has its group, and nobody else.
bool leads_group() {
  return getpgrp() == getpid();
}

/// Ends this process, and all that it has started, now; also as a handler of signals.
[[noreturn]] void kill_own_group(int /*signal*/ = 0) {
  if (leads_group()) (void)kill(0, SIGKILL);
  (void)kill(getpid(), SIGKILL);
  _exit(1);  // which nobody gets to
}

/// Ends this process as well, but who is to end it.
[[noreturn]] void end_own_group() {
  if (!leads_group()) _exit(1);
  std::signal(SIGTERM, SIG_IGN);
  (void)kill(0, SIGTERM);
  // Who has started a compiler sees its end, clears away after it and comes to an end by itself.
  std::this_thread::sleep_for(clearing_away);
  kill_own_group();
}

/// In a thread of its own, until the process ends.
void end_with_channel() {
  pollfd channel{STDIN_FILENO, 0, 0};
  while (poll(&channel, 1, -1) <= 0) continue;  // a signal
  while (true) {
    if (is_at_work) end_own_group();
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

std::vector<char*> pointers_to(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  return pointers;
}

/// Whether the name of "NAME=value" is that of one of these.
bool is_set_by(const std::vector<std::string>& variables, std::string_view one) {
  const std::string_view name = one.substr(0, one.find('=') + 1);
  return std::ranges::any_of(
      variables, [&](const std::string& variable) { return variable.starts_with(name); });
}

/// How a child is started; given back whatever happens.
class SpawnPlan {
 public:
  explicit SpawnPlan(const std::array<Channel, 3>& channels) {
    posix_spawn_file_actions_init(&actions_);
    for (int i = 0; i < 3; ++i) {
      posix_spawn_file_actions_adddup2(&actions_,
                                       channels[static_cast<std::size_t>(i)].theirs.get(), i);
    }
    // Signals that this program ignores or blocks are none of the child's business.
    sigset_t none;
    sigemptyset(&none);
    sigset_t usual;
    sigemptyset(&usual);
    for (const int signal : {SIGINT, SIGTERM, SIGPIPE, SIGXFSZ}) sigaddset(&usual, signal);
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &usual);
    // What a worker starts stays in the worker's group, and ends with it.
    const int group = works_for_another ? 0 : POSIX_SPAWN_SETPGROUP;
    posix_spawnattr_setflags(
        &attributes_, static_cast<short>(group | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF));
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }

  [[nodiscard]] pid_t spawn(const std::vector<std::string>& command,
                            const std::vector<std::string>& variables) const {
    std::vector<char*> arguments = pointers_to(command);
    arguments.push_back(nullptr);
    std::vector<char*> environment = pointers_to(variables);
    for (char** one = environ; *one != nullptr; ++one) {
      if (!is_set_by(variables, *one)) environment.push_back(*one);
    }
    environment.push_back(nullptr);
    pid_t child = 0;
    const int error = posix_spawnp(&child, arguments[0], &actions_, &attributes_, arguments.data(),
                                   environment.data());
    if (error != 0) {
      throw IoError(fmt::format("cannot run {}: {}", command[0], std::strerror(error)));
    }
    return child;
  }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

}  // namespace

int milliseconds_left(const Deadline& until) {
  if (!until) return -1;
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(*until - SteadyClock::now()).count();
  return static_cast<int>(std::clamp<long long>(left, 0, 1 << 30));
}

Child::Child(const std::vector<std::string>& command, const std::vector<std::string>& variables) {
  std::array<Channel, 3> channels;
  id_ = SpawnPlan(channels).spawn(command, variables);
  for (std::size_t i = 0; i < channels.size(); ++i) channels_[i] = std::move(channels[i].ours);
}

Child::~Child() {
  using namespace std::chrono_literals;
  if (id_ > 0 && !status_) (void)kill_group(1s);
}

void Child::limit_memory([[maybe_unused]] std::size_t bytes) const {
#if !defined(__SANITIZE_ADDRESS__)  // whose shadow is terabytes of data to the system
  // Not of its addresses: drivers reserve far more of them than they use.
  rlimit limit{};
  if (prlimit(id_, RLIMIT_DATA, nullptr, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max = std::min<rlim_t>(limit.rlim_max, bytes);
  (void)prlimit(id_, RLIMIT_DATA, &limit, nullptr);
#endif
}

std::optional<int> Child::wait(const Deadline& until) {
  auto pause = std::chrono::microseconds(100);
  while (!status_) {
    siginfo_t ended{};
    const int answer =
        waitid(P_PID, static_cast<id_t>(id_), &ended, WEXITED | WNOWAIT | (until ? WNOHANG : 0));
    if (answer == 0 && ended.si_pid == id_) reap();
    if (answer != 0 && errno != EINTR) status_ = 0;  // somebody else has waited for it
    if (status_) break;
    if (until && SteadyClock::now() > *until) return std::nullopt;
    if (until) std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, std::chrono::microseconds(5000));
  }
  return status_;
}

void Child::reap() {
  // As long as nobody has waited for it, its number is nobody else's, nor is that of its group.
  (void)kill(-id_, SIGKILL);
  int status = 0;
  while (waitpid(id_, &status, 0) < 0 && errno == EINTR) continue;
  status_ = status;
}

bool Child::kill_group(std::chrono::milliseconds timeout) {
  if (status_) return true;
  // Without a group of its own there is none of its number.
  if (kill(-id_, SIGKILL) != 0) (void)kill(id_, SIGKILL);
  return wait(SteadyClock::now() + timeout).has_value();
}

void take_output(Descriptor& from, std::string& output, std::size_t most) {
  std::array<char, 65536> part;
  const ssize_t got = read(from.get(), part.data(), part.size());
  if (got < 0 && errno == EINTR) return;
  if (got <= 0) return from.reset();
  output.append(part.data(), std::min(static_cast<std::size_t>(got), most - output.size()));
}

std::string ending_text(int status) {
  if (WIFSIGNALED(status)) {
    return fmt::format("killed by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  }
  return fmt::format("exit status {}", WEXITSTATUS(status));
}

std::string last_line(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  return std::string(text.substr(text.rfind('\n') + 1));
}

void die_with_parent() {
  // SIGKILL would leave behind what was started.
  struct sigaction action {};
  action.sa_handler = kill_own_group;
  (void)sigaction(SIGHUP, &action, nullptr);
  prctl(PR_SET_PDEATHSIG, SIGHUP);
  works_for_another = true;
}

void end_without_parent() {
  char next = 0;
  if (recv(STDIN_FILENO, &next, 1, MSG_PEEK | MSG_DONTWAIT) == 0) _exit(1);
}

ChannelWatch::ChannelWatch() {
  works_for_another = true;
  // Of a file or a pipe, which may be closed behind its last request, nothing is to be told.
  int type = 0;
  socklen_t bytes = sizeof type;
  if (getsockopt(STDIN_FILENO, SOL_SOCKET, SO_TYPE, &type, &bytes) != 0) return;
  std::thread(end_with_channel).detach();
}

ChannelWatch::Work ChannelWatch::begin_work() {
  return Work(is_at_work);
}

}  // namespace redtune::device::host
