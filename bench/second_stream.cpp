// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What it costs all kernels of a process that some have come by a second stream: empty kernels in
// one graph, before and after. Usage: second_stream --help
#include <algorithm>
#include <boost/program_options.hpp>
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <string>
#include <vector>

#include "device/registry.hpp"
#include "kernel_templates/probe.hpp"
#include "redtune/error.hpp"
#include "runtime/resolve.hpp"

namespace redtune::bench {
namespace {

namespace po = boost::program_options;

constexpr std::size_t kernels_in_graph = 512;
constexpr int samples = 21;

/// Empty kernels of a device, queued on streams and timed in a graph.
class EmptyKernels {
 public:
  EmptyKernels(device::Device& device, const device::Platform& platform) : device_(device) {
    const device::CompileRequest request{kernels::probe_text(),
                                         {kernels::empty_probe_name(device.limits())},
                                         platform.arch_of(device.identity())};
    const device::CompileResult result = platform.compiler().compile(request);
    if (const auto* failure = std::get_if<device::CompileFailure>(&result)) {
      throw DeviceError("the kernel does not compile: " + failure->log);
    }
    const auto& program = std::get<device::CompiledProgram>(result);
    module_ = device.load(program.binary);
    launch_ = {.kernel = module_->kernel(program.kernels[0].symbol),
               .block = device.limits().min_block_size};
  }

  void queue(int launches, device::Stream stream) {
    for (int i = 0; i < launches; ++i) device_.launch({&launch_, 1}, stream);
    device_.synchronize(stream);
  }

  /// Microseconds of one, in a graph that is made anew.
  [[nodiscard]] double median_us() {
    const auto batch = device_.prepare(std::vector(kernels_in_graph, launch_));
    (void)batch->time();  // a graph's first replay brings it to the device
    std::vector<double> times;
    while (times.size() < samples) times.push_back(batch->time().device_us / kernels_in_graph);
    std::ranges::nth_element(times, times.begin() + samples / 2);
    return times[samples / 2];
  }

 private:
  device::Device& device_;
  std::unique_ptr<device::Module> module_;
  device::Launch launch_;
};

/// The device by name; nothing: help was asked for and given.
std::string read_options(int argc, char** argv) {
  std::string device;
  po::options_description all(
      "What it costs all kernels of a process that some have come by a second stream\n"
      "usage: second_stream [option...]");
  auto add = all.add_options();
  add("help,h", "show this");
  add("device", po::value(&device)->default_value("auto"), "as redtune devices names it");
  po::variables_map found;
  po::store(po::parse_command_line(argc, argv, all), found);
  po::notify(found);
  if (found.contains("help")) {
    fmt::print("{}", fmt::streamed(all));
    return {};
  }
  return device;
}

void run(const std::string& name) {
  const device::Selection selection = runtime::registry().select(name);
  const auto device = device::open(selection);
  if (device->batching() != device::Batching::graph) {
    throw UsageError("this experiment needs a GPU");
  }
  EmptyKernels empty(*device, *selection.platform);
  fmt::print("{}\nan empty kernel, one of {} in a graph made anew, us, median of {}\n",
             device->identity().name, kernels_in_graph, samples);
  const auto tell = [&](const char* when) {
    fmt::print("{:<48} {:.3f}\n", when, empty.median_us());
  };
  tell("before any kernel was queued on a stream");
  empty.queue(2000, {});
  tell("after 2000 on the first stream");
  const device::Stream second = device->second_stream();
  tell("with a second stream");
  for (const int launches : {1, 3, 10, 30, 2000}) {
    empty.queue(launches, second);
    empty.queue(launches, {});
    tell(fmt::format("after {} more on each of both", launches).c_str());
  }
}

}  // namespace
}  // namespace redtune::bench

int main(int argc, char** argv) try {
  const std::string device = redtune::bench::read_options(argc, argv);
  if (!device.empty()) redtune::bench::run(device);
  return 0;
} catch (const redtune::Error& error) {
  fmt::print(stderr, "second_stream: {}\n", error.what());
  return static_cast<int>(error.exit_code());
} catch (const std::exception& error) {
  fmt::print(stderr, "second_stream: {}; --help lists the options\n", error.what());
  return 2;
}
