// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How long a process takes until it has a device open, and to end again: with all devices of the
// machine to be seen and with this one alone, beside nobody and beside another process there.
#include <algorithm>
#include <boost/program_options.hpp>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <iostream>
#include <optional>
#include <poll.h>
#include <string>
#include <unistd.h>
#include <vector>

#include "bench/exit_code.hpp"
#include "bench/small_kernels.hpp"
#include "device/host/child.hpp"
#include "device/registry.hpp"
#include "redtune/error.hpp"
#include "runtime/resolve.hpp"
#include "tuner/measure/statistics.hpp"

namespace redtune::bench {
namespace {

namespace po = boost::program_options;
using device::host::Child;
using device::host::StandardStream;
using Clock = device::host::SteadyClock;

constexpr std::size_t held_bytes = std::size_t{64} << 20;
constexpr std::chrono::seconds most_waiting{60};

/// What a process does once it has the device open, until its input ends.
enum class Part { none, idle, busy };

struct Options {
  std::string device;  ///< by name; nothing: help was asked for and given
  int samples = 5;
  std::string part;  ///< of a process that this program started
};

Options read_options(int argc, char** argv) {
  Options options;
  po::options_description all(
      "How long a process takes until it has a device open, and to end again\n"
      "usage: process_times [option...]");
  auto add = all.add_options();
  add("help,h", "show this");
  add("device", po::value(&options.device)->default_value("auto"), "as redtune devices names it");
  add("samples", po::value(&options.samples)->default_value(options.samples),
      "processes of each kind");
  add("part", po::value(&options.part),
      "idle or busy: what another process does, which the program starts itself");
  po::variables_map found;
  po::store(po::parse_command_line(argc, argv, all), found);
  po::notify(found);
  if (found.contains("help")) {
    fmt::print("{}", fmt::streamed(all));
    return {};
  }
  if (options.samples < 1) throw UsageError("--samples is 1 or more");
  return options;
}

/// Opens the device, says so, and keeps it until nobody listens.
void play(const Options& options) {
  const device::Selection selection = runtime::registry().select(options.device);
  const auto device = device::open(selection);
  const device::Buffer held = device->allocate(held_bytes);
  device->fill(held.data(), std::byte{1}, held_bytes);
  device->synchronize({});
  std::cout << "open" << std::flush;
  if (options.part == "busy") {
    SmallKernels kernels(*device, *selection.platform, SmallKernel::empty);
    for (pollfd input{STDIN_FILENO, POLLIN, 0}; poll(&input, 1, 0) == 0;) {
      kernels.queue(1000, {});
      device->synchronize({});
    }
  }
  for (std::string line; std::getline(std::cin, line);) {
  }
}

class Player {
 public:
  Player(const Options& options, const std::string& part, const std::string& variable)
      : begin_(Clock::now()),
        child_({std::filesystem::read_symlink("/proc/self/exe").string(), "--part", part,
                "--device", options.device},
               variable.empty() ? std::vector<std::string>{} : std::vector{variable}) {
    pollfd said{child_.channel(StandardStream::output).get(), POLLIN, 0};
    const auto wait = std::chrono::milliseconds(most_waiting).count();
    char first = 0;
    if (poll(&said, 1, static_cast<int>(wait)) != 1 || read(said.fd, &first, 1) != 1) {
      throw DeviceError("another process cannot open the device");
    }
    open_seconds_ = since(begin_);
  }

  [[nodiscard]] double open_seconds() const { return open_seconds_; }
  /// Seconds.
  [[nodiscard]] double end() {
    const auto begin = Clock::now();
    child_.channel(StandardStream::input).reset();
    child_.channel(StandardStream::output).reset();
    if (!child_.wait(begin + most_waiting)) throw DeviceError("another process does not end");
    return since(begin);
  }

 private:
  static double since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  }

  Clock::time_point begin_;
  Child child_;
  double open_seconds_ = 0;
};

void tell(const Options& options, const std::string& others, const std::string& seen,
          const std::string& variable) {
  std::vector<double> opening;
  std::vector<double> ending;
  for (int i = 0; i < options.samples; ++i) {
    Player player(options, "idle", variable);
    opening.push_back(player.open_seconds());
    ending.push_back(player.end());
  }
  const auto [first, last] = std::ranges::minmax(ending);
  fmt::print("{:<22} {:<10} {:>8.3f} {:>8.3f}   {:.3f} to {:.3f}\n", others, seen,
             tuner::median(opening), tuner::median(ending), first, last);
  std::fflush(stdout);
}

void run(const Options& options) {
  const device::Selection selection = runtime::registry().select(options.device);
  const device::Facts facts = selection.platform->facts(selection.ordinal, selection.variant);
  const std::string variable = selection.platform->variable_to_see_only(facts.identity);
  fmt::print("{}, {} of {}; seconds, median of {}\n{:<22} {:<10} {:>8} {:>8}\n",
             facts.identity.name, selection.text(), selection.platform->device_count(),
             options.samples, "beside", "it sees", "to open", "to end");
  Options alone = options;
  alone.device = fmt::format("{}:0", selection.platform->name());
  for (const auto& [part, others] : {std::pair{Part::none, "nobody"},
                                     {Part::idle, "an idle process"},
                                     {Part::busy, "one that computes"}}) {
    std::optional<Player> other;
    if (part != Part::none) other.emplace(options, part == Part::idle ? "idle" : "busy", "");
    tell(options, others, "all", {});
    if (!variable.empty()) tell(alone, others, "this one", variable);
  }
}

}  // namespace
}  // namespace redtune::bench

int main(int argc, char** argv) try {
  const redtune::bench::Options options = redtune::bench::read_options(argc, argv);
  if (options.device.empty()) return 0;
  options.part.empty() ? redtune::bench::run(options) : redtune::bench::play(options);
  return 0;
} catch (const redtune::Error& error) {
  fmt::print(stderr, "process_times: {}\n", error.what());
  return redtune::bench::exit_code_of(error);
} catch (const std::exception& error) {
  fmt::print(stderr, "process_times: {}; --help lists the options\n", error.what());
  return 2;
}
