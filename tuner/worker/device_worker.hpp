// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A worker process that owns a device, from the tuner's side: ask and be answered, or learn how it
// ended.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/host/child.hpp"
#include "tuner/worker/bench.hpp"
#include "tuner/worker/device_frame.hpp"

namespace redtune::tuner {

/// How long a worker may take.
struct Timeouts {
  std::chrono::milliseconds open{60'000};
  std::chrono::milliseconds set_up{600'000};
  /// A step of a trial: this at least, and so many times what the same step of the default took,
  /// at most that.
  std::chrono::milliseconds least_step{5'000};
  double step_factor = 20;
  std::chrono::milliseconds most_step{30'000};
  std::chrono::milliseconds reaping{5'000};
};

/// What setting up a problem may take; the worker ends itself when a custom operator hangs.
[[nodiscard]] std::chrono::milliseconds set_up_timeout(const Timeouts& timeouts,
                                                       const Problem& problem);

struct WorkerCommand {
  std::vector<std::string> words;  ///< of the program; it speaks on its standard input and output
  std::string device;              ///< as it is typed
  std::vector<std::string> variables = {};  ///< "NAME=value", of its environment
  Timeouts timeouts = {};
  int stop = -1;  ///< a descriptor; waiting ends with Stopped when it becomes readable
};

/// Gets, by kind, what is worth keeping of a worker when it is gone: "worker_output", what it
/// printed, at most 64 KiB; "worker", how often it was asked for what and how long that took.
using WorkerLog =
    std::function<void(const std::string& kind, const nlohmann::ordered_json& fields)>;

/// What a list of devices means, one by one: "cuda:all" is "cuda:0", "cuda:1". Asks a process that
/// ends again. Throws as finding the devices does.
[[nodiscard]] std::vector<std::string> devices_named(const WorkerCommand& command);

class DeviceWorker {
 public:
  /// Starts the process and finds the device, which is not opened yet. Throws what finding throws,
  /// BenchMishap when the process does not live so long.
  explicit DeviceWorker(const WorkerCommand& command, WorkerLog log = {});
  struct Ahead {};
  /// Starts the process and asks it to find the device, but waits for neither: open() does, and is
  /// to be called before all else but open_ahead() and set_up_ahead(). Throws what starting a
  /// process throws.
  DeviceWorker(Ahead, const WorkerCommand& command, WorkerLog log = {});
  struct Unasked {};
  /// Starts the process and asks nothing. Throws what starting a process throws.
  DeviceWorker(Unasked, const WorkerCommand& command);
  ~DeviceWorker();
  DeviceWorker(const DeviceWorker&) = delete;
  DeviceWorker& operator=(const DeviceWorker&) = delete;

  [[nodiscard]] const FoundDevice& device() const { return device_; }
  /// Opens the device, once; before anything is asked of it. Throws as ask().
  void open();
  /// Has it opened, and does not wait for that: open() is to be called before all else but
  /// set_up_ahead().
  void open_ahead();
  /// A bench, in place of the one before; at once when this one was set up ahead. Throws as ask().
  void set_up(const BenchOrder& order, std::chrono::milliseconds timeout);
  /// What a bench is set up beside: another one may have left it no room, and then it is asked for
  /// again when it is wanted.
  enum class Beside { nobody, another_bench };
  /// Asks for a bench that will be wanted, and does not wait for it. One at a time: until it is
  /// set up others are left out.
  void set_up_ahead(const BenchOrder& order, Beside beside = Beside::another_bench);
  /// When it was opened.
  [[nodiscard]] std::size_t free_bytes() const { return free_bytes_.value_or(0); }
  /// Whether its process is gone.
  [[nodiscard]] bool has_ended() {
    return child_.wait(device::host::SteadyClock::now()).has_value();
  }

  /// A candidate did what may have left something behind in its process.
  void mistrust() { is_trusted_ = false; }
  /// Nothing did.
  [[nodiscard]] bool is_trusted() const { return is_trusted_; }
  /// Since its process began.
  [[nodiscard]] int times_asked(std::string_view request) const;

  /// Tells its process that nothing more is asked, so that several end at a time: the destructor
  /// waits.
  void let_end() { child_.channel(device::host::StandardStream::input).reset(); }

  /// Asks and waits. Throws what the worker answers: UsageError, Error, BenchMishap, and
  /// BenchMishap when there is no answer; the process is then gone.
  nlohmann::json ask(std::string_view request, nlohmann::json document,
                     std::chrono::milliseconds timeout);

  /// Asks and does not wait: for who cannot afford that a driver hangs. Nothing else may be asked
  /// until the answer was taken. Throws as ask().
  void ask_later(std::string_view request, nlohmann::json document);
  /// Waits for the answer so long, or until a stop is asked.
  [[nodiscard]] bool is_answered(std::chrono::milliseconds patience);
  /// To be called when it is answered. Throws as ask().
  nlohmann::json take_answer(std::string_view request);
  /// Readable when it is answered; -1 when its process has left.
  [[nodiscard]] int answers() { return child_.channel(device::host::StandardStream::output).get(); }
  /// Ends its process and does not wait for that: one that hangs in its driver may never end. Only
  /// has_ended() may be called then.
  void give_up();
  [[nodiscard]] pid_t process() const { return child_.id(); }

 private:
  /// Whether there was a bench that is set up ahead, and it is there now.
  bool await_ahead(std::chrono::milliseconds timeout);
  void post(std::string_view request, nlohmann::json document, std::chrono::milliseconds timeout);
  /// The answer to what was posted first of what has none yet. Throws as ask().
  nlohmann::json take(std::string_view request, std::chrono::milliseconds timeout);
  void send(std::string_view bytes, const device::host::Deadline& until);
  void receive(char* to, std::size_t bytes, const device::host::Deadline& until);
  /// Waits for what poll() can tell of the channel. Throws for a deadline and a stop.
  [[nodiscard]] short await(int descriptor, short events, const device::host::Deadline& until);
  [[noreturn]] void report_end();
  [[noreturn]] void end_by_force(Mishap mishap, const std::string& why);

  WorkerCommand command_;
  WorkerLog log_;
  device::host::Child child_;
  FoundDevice device_;
  std::optional<std::size_t> free_bytes_;  // nothing: the device is not open
  bool is_trusted_ = true;
  bool is_given_up_ = false;
  bool is_finding_ahead_ = false;        // it was asked for the device
  bool is_opening_ahead_ = false;        // and to open it
  std::optional<nlohmann::json> ahead_;  // the bench that it sets up, and nobody has asked for yet
  Beside beside_ = Beside::another_bench;
  std::string output_;
  std::chrono::milliseconds timeout_{0};  // of what is waited for now
  struct Tally {
    int count = 0;
    double seconds = 0;
  };
  std::map<std::string, Tally, std::less<>> requests_;
};

}  // namespace redtune::tuner
