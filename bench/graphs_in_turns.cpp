// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What it costs a graph that others were replayed since: they take its place on the device, and its
// next replay brings it back. Graphs of small kernels. Usage: graphs_in_turns --help
#include <array>
#include <boost/program_options.hpp>
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <functional>
#include <memory>
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

constexpr std::array<std::size_t, 5> lengths{750, 1500, 3000, 6000, 12000};
constexpr std::array<std::size_t, 4> lengths_of_others{3000, 6000, 12000, 24000};
constexpr int samples = 15;

std::string device_asked_for(int argc, char** argv) {
  std::string device;
  po::options_description all(
      "What it costs a graph that others were replayed since\nusage: graphs_in_turns [option...]");
  auto add = all.add_options();
  add("help,h", "show this");
  add("device", po::value(&device)->default_value("auto"), "as redtune devices names it");
  po::variables_map found;
  po::store(po::parse_command_line(argc, argv, all), found);
  po::notify(found);
  if (!found.contains("help")) return device;
  fmt::print("{}", fmt::streamed(all));
  return {};
}

/// Microseconds of one kernel of a graph.
class Replayed {
 public:
  Replayed(SmallKernels& small, std::size_t length) : graph_(small.graph(length)), length_(length) {
    (void)time();
  }
  double time() { return graph_->time().device_us / static_cast<double>(length_); }

 private:
  std::unique_ptr<device::Batch> graph_;
  std::size_t length_;
};

/// before: what is done before each replay that is timed.
void tell_of_graphs(SmallKernels& small, const std::function<void()>& before) {
  fmt::print("{:>8} {:>15}", "kernels", "again and again");
  for (const std::size_t others : lengths_of_others) {
    fmt::print(" {:>15}", fmt::format("after {}", others));
  }
  fmt::print("  (and once more)\n");
  for (const std::size_t length : lengths) {
    Replayed graph(small, length);
    const auto timed = [&] {
      before();
      return graph.time();
    };
    std::vector<double> again;
    while (again.size() < samples) again.push_back(timed());
    fmt::print("{:>8} {:>15.3f}", length, tuner::median(again));
    for (const std::size_t others : lengths_of_others) {
      Replayed other(small, others);
      std::vector<double> first;
      std::vector<double> second;
      while (first.size() < samples) {
        (void)other.time();
        first.push_back(timed());
        second.push_back(timed());
      }
      fmt::print(" {:>15}",
                 fmt::format("{:.3f} ({:.3f})", tuner::median(first), tuner::median(second)));
    }
    fmt::print("\n");
  }
}

void run(const std::string& name) {
  const device::Selection selection = runtime::registry().select(name);
  const auto device = device::open(selection);
  SmallKernels small(*device, *selection.platform, SmallKernel::touch);
  fmt::print("{}\nsmall kernels in graphs, us of one, median of {}\n\n", device->identity().name,
             samples);
  tell_of_graphs(small, [] {});
  const auto queue_on_both = [&](int launches) {
    small.queue(launches, {});
    small.queue(launches, device->second_stream());
  };
  queue_on_both(2000);
  fmt::print("\nin a process with two streams, 50 kernels on each before each replay\n\n");
  tell_of_graphs(small, [&] { queue_on_both(50); });
}

}  // namespace
}  // namespace redtune::bench

int main(int argc, char** argv) try {
  const std::string device = redtune::bench::device_asked_for(argc, argv);
  if (!device.empty()) redtune::bench::run(device);
  return 0;
} catch (const redtune::Error& error) {
  fmt::print(stderr, "graphs_in_turns: {}\n", error.what());
  return redtune::bench::exit_code_of(error);
} catch (const std::exception& error) {
  fmt::print(stderr, "graphs_in_turns: {}; --help lists the options\n", error.what());
  return 2;
}
