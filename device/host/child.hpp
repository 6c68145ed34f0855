// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A program that runs beside this one: its channels, its end, and its end by force.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace redtune::device::host {

/// A file descriptor with one owner.
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
  [[nodiscard]] bool is_open() const { return number_ >= 0; }

 private:
  int number_ = -1;
};

using SteadyClock = std::chrono::steady_clock;
using Deadline = std::optional<SteadyClock::time_point>;  ///< none: for ever

/// Milliseconds that poll() may wait; -1: for ever.
[[nodiscard]] int milliseconds_left(const Deadline& until);

/// The channels of a child by the numbers of its standard streams.
enum class StandardStream : std::size_t { input, output, errors };

class Child {
 public:
  /// Starts a program that is looked up on the path, in a process group of its own: what a terminal
  /// sends to this program does not reach it. Each of its standard streams is a socket. variables,
  /// each "NAME=value", stand in its environment in place of this program's. Throws IoError when it
  /// cannot be started.
  explicit Child(const std::vector<std::string>& command,
                 const std::vector<std::string>& variables = {});
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  /// Kills it when it still runs, and all it started.
  ~Child();

  [[nodiscard]] pid_t id() const { return id_; }
  [[nodiscard]] Descriptor& channel(StandardStream stream) {
    return channels_[static_cast<std::size_t>(stream)];
  }

  /// No more data than this: a larger request fails inside the child.
  void limit_memory(std::size_t bytes) const;
  /// Waits for its end, with which all ends that it started. Nothing: the deadline came first. Else
  /// as waitpid gives it.
  [[nodiscard]] std::optional<int> wait(const Deadline& until);
  /// Ends it and all it started, and waits so long for its end. False: it does not end, e.g.
  /// because it hangs inside a driver.
  [[nodiscard]] bool kill_group(std::chrono::milliseconds timeout);
  /// As waitpid gave it, once it has ended.
  [[nodiscard]] std::optional<int> status() const { return status_; }

 private:
  /// It has ended.
  void reap();

  pid_t id_ = -1;
  std::array<Descriptor, 3> channels_;
  std::optional<int> status_;
};

/// Takes what is there to read; what is beyond the limit is dropped, so that the writer never
/// blocks. The channel is closed at its end.
void take_output(Descriptor& from, std::string& output, std::size_t most);

/// "exit status 1", "killed by signal 6 (Aborted)".
[[nodiscard]] std::string ending_text(int status);

/// The last line that is not empty: of a program that died it says most.
[[nodiscard]] std::string last_line(std::string_view text);

/// To be called first by a program that works for another one: it dies with its parent, and so does
/// what it starts, which stays in its own process group. It is SIGHUP that says so: nothing else
/// may handle that.
void die_with_parent();

/// To be called next by one whose parent keeps the channel to it open: ends where the parent had
/// ended before that.
void end_without_parent();

/// Of a program whose parent starts it by threads that come and go, so that die_with_parent() would
/// end it with one of those: it ends with the channel that is its standard input. Who waits there
/// for more sees its end; who is at work is ended, with all that was started for it. What it starts
/// stays in its own process group. Made once, first of all.
class ChannelWatch {
 public:
  ChannelWatch();
  ChannelWatch(const ChannelWatch&) = delete;
  ChannelWatch& operator=(const ChannelWatch&) = delete;

  class Work {
   public:
    explicit Work(std::atomic<bool>& is_at_work) : is_at_work_(is_at_work) { is_at_work_ = true; }
    Work(const Work&) = delete;
    Work& operator=(const Work&) = delete;
    ~Work() { is_at_work_ = false; }

   private:
    std::atomic<bool>& is_at_work_;
  };
  /// As long as it lives, the end of the channel is the end of this process.
  [[nodiscard]] Work begin_work();
};

}  // namespace redtune::device::host
