// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What it costs all kernels of a process that some have come by a second stream: empty kernels in
// one graph, before and after, and when another process comes to the device. Usage: second_stream
// --help
#include <boost/program_options.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <string>
#include <vector>

#include "bench/exit_code.hpp"
#include "bench/small_kernels.hpp"
#include "redtune/error.hpp"
#include "runtime/resolve.hpp"
#include "tuner/measure/statistics.hpp"

namespace redtune::bench {
namespace {

namespace po = boost::program_options;

constexpr std::size_t kernels_in_graph = 512;
constexpr int samples = 21;

/// Microseconds of one, in a graph that is made anew.
double median_us(SmallKernels& empty) {
  const auto graph = empty.graph(kernels_in_graph);
  (void)graph->time();  // a graph's first replay brings it to the device
  std::vector<double> times;
  while (times.size() < samples) times.push_back(graph->time().device_us / kernels_in_graph);
  return tuner::median(times);
}

struct Options {
  std::string device;  ///< by name; nothing: help was asked for and given
  bool comes_and_goes = false;
};

Options read_options(int argc, char** argv) {
  Options options;
  po::options_description all(
      "What it costs all kernels of a process that some have come by a second stream\n"
      "usage: second_stream [option...]");
  auto add = all.add_options();
  add("help,h", "show this");
  add("device", po::value(&options.device)->default_value("auto"), "as redtune devices names it");
  add("come-and-go", po::bool_switch(&options.comes_and_goes),
      "open the device and end: the other process, which the program starts itself");
  po::variables_map found;
  po::store(po::parse_command_line(argc, argv, all), found);
  po::notify(found);
  if (found.contains("help")) {
    fmt::print("{}", fmt::streamed(all));
    return {};
  }
  return options;
}

/// Another process that takes a context on the device.
void let_another_come_and_go(const std::string& device) {
  const auto self = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string command =
      fmt::format("'{}' --come-and-go --device '{}' > /dev/null", self, device);
  if (std::system(command.c_str()) != 0) throw Error("another process cannot open the device");
}

void run(const Options& options) {
  const device::Selection selection = runtime::registry().select(options.device);
  const auto device = device::open(selection);
  if (options.comes_and_goes) return;
  SmallKernels empty(*device, *selection.platform, SmallKernel::empty);
  fmt::print("{}\nan empty kernel, one of {} in a graph made anew, us, median of {}\n",
             device->identity().name, kernels_in_graph, samples);
  const auto tell = [&](const std::string& when) {
    fmt::print("{:<48} {:.3f}\n", when, median_us(empty));
    std::fflush(stdout);
  };
  tell("before any kernel was queued on a stream");
  empty.queue(2000, {});
  tell("after 2000 on the first stream");
  const device::Stream second = device->second_stream();
  tell("with a second stream");
  const auto queue_on_both = [&](int launches) {
    empty.queue(launches, second);
    empty.queue(launches, {});
  };
  for (const int launches : {1, 3, 10, 30, 2000}) {
    queue_on_both(launches);
    tell(fmt::format("after {} more on each of both", launches));
  }
  (void)selection.platform->readings(selection.ordinal);
  tell("after the sensors were read");
  (void)selection.platform->users(selection.ordinal);
  tell("after the processes on the device were listed");
  for (const int launches : {1, 3, 10, 30, 50, 50, 50}) {
    queue_on_both(2000);
    let_another_come_and_go(options.device);
    tell("after another process came and went");
    queue_on_both(launches);
    tell(fmt::format("after {} more on each of both", launches));
  }
}

}  // namespace
}  // namespace redtune::bench

int main(int argc, char** argv) try {
  const redtune::bench::Options options = redtune::bench::read_options(argc, argv);
  if (!options.device.empty()) redtune::bench::run(options);
  return 0;
} catch (const redtune::Error& error) {
  fmt::print(stderr, "second_stream: {}\n", error.what());
  return redtune::bench::exit_code_of(error);
} catch (const std::exception& error) {
  fmt::print(stderr, "second_stream: {}; --help lists the options\n", error.what());
  return 2;
}
