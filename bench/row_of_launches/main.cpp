// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Why a row of launches of one small kernel gets slower as it goes on: graphs of such launches in
// three ways to start, and where and when their blocks ran. Usage: row_of_launches --help
#include <algorithm>
#include <array>
#include <boost/program_options.hpp>
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <optional>
#include <set>

#include "bench/device_texts.hpp"
#include "bench/exit_code.hpp"
#include "bench/row_of_launches/notes.hpp"
#include "device/registry.hpp"
#include "redtune/error.hpp"
#include "redtune/problem.hpp"
#include "runtime/resolve.hpp"

namespace redtune::bench {
namespace {

namespace po = boost::program_options;

constexpr std::array<std::size_t, 3> lengths{50, 400, 4000};
constexpr std::array<std::int64_t, 5> grids{32, 64, 128, 132, 264};
constexpr int samples = 9;
/// Neighbouring launches whose blocks take notes: at the beginning, in the middle and at the end of
/// a row, or all of a short one.
constexpr std::size_t window = 64;

struct Way {
  const char* name;
  device::Start start;
};

/// By the number that the kernel knows them by.
constexpr std::array<Way, 3> ways{{{"plain", device::Start::after_previous},
                                   {"waits", device::Start::early},
                                   {"lets go", device::Start::early}}};

struct Options {
  std::string device = "auto";
  std::int64_t count = 0;
  int block = 0;
};

/// First launches of the windows in a row of so many.
std::vector<std::size_t> windows_in(std::size_t launches) {
  if (launches < 3 * window) return {0};
  return {0, (launches - window) / 2, launches - window};
}

std::size_t width_in(std::size_t launches) {
  return launches < 3 * window ? launches : window;
}

/// One row of the table.
struct RowFacts {
  double launch_us = 0;
  std::vector<WindowFacts> windows;
};

/// The kernels and their memory.
class Experiment {
 public:
  Experiment(device::Device& device, const device::Platform& platform, const Options& options);

  [[nodiscard]] RowFacts run(std::size_t way, std::int64_t grid, std::size_t launches);
  /// Nanoseconds by which the device's clock goes on, as far as notes have told; 0: not at all.
  [[nodiscard]] std::uint64_t clock_step() const;

 private:
  [[nodiscard]] std::vector<device::Launch> row(std::size_t way, std::int64_t grid,
                                                std::size_t launches, bool is_noted) const;
  [[nodiscard]] double time(const std::vector<device::Launch>& launches) const;
  [[nodiscard]] std::vector<LaunchNote> read_window(std::size_t number, std::int64_t grid,
                                                    std::size_t width);
  void require_right() const;
  /// Notes of window number for launch i of it.
  [[nodiscard]] std::size_t place_of(std::size_t number, std::size_t i) const {
    return (number * window + i) * static_cast<std::size_t>(grids.back());
  }

  device::Device& device_;
  std::int64_t count_;
  int block_;
  std::unique_ptr<device::Module> module_;
  std::vector<device::Kernel> kernels_;  // by way
  device::Buffer input_;
  device::Buffer partials_;
  device::Buffer counter_;
  device::Buffer output_;
  device::Buffer notes_;
  std::set<std::uint64_t> times_;
};

Experiment::Experiment(device::Device& device, const device::Platform& platform,
                       const Options& options)
    : device_(device),
      count_(options.count),
      block_(options.block),
      input_(device.allocate(static_cast<std::size_t>(options.count) * sizeof(float))),
      partials_(device.allocate(static_cast<std::size_t>(grids.back()) * sizeof(float))),
      counter_(device.allocate(sizeof(std::uint32_t))),
      output_(device.allocate(sizeof(float))),
      notes_(device.allocate(place_of(3, 0) * sizeof(BlockNote))) {
  device::CompileRequest request{
      program_text("row_of_launches/kernel.hip.h"), {}, platform.arch_of(device.identity())};
  for (std::size_t way = 0; way < ways.size(); ++way) {
    request.name_expressions.push_back(fmt::format("redtune::noted_sum<{}, {}>", block_, way));
  }
  const device::CompileResult result = platform.compiler().compile(request);
  if (const auto* failure = std::get_if<device::CompileFailure>(&result)) {
    throw DeviceError("the kernels do not compile: " + failure->log);
  }
  const auto& program = std::get<device::CompiledProgram>(result);
  module_ = device.load(program.binary);
  for (const auto& kernel : program.kernels) kernels_.push_back(module_->kernel(kernel.symbol));
  const std::vector<float> ones(static_cast<std::size_t>(count_), 1.0F);
  device.copy_to_device(input_.data(), ones.data(), input_.bytes());
  device.fill(counter_.data(), std::byte{0}, counter_.bytes());
}

std::vector<device::Launch> Experiment::row(std::size_t way, std::int64_t grid,
                                            std::size_t launches, bool is_noted) const {
  device::Launch launch{
      .kernel = kernels_[way], .grid = grid, .block = block_, .start = ways[way].start};
  launch.arguments.append(input_.data());
  launch.arguments.append(count_ / 4);
  launch.arguments.append(partials_.data());
  launch.arguments.append(counter_.data());
  launch.arguments.append(output_.data());
  std::vector<BlockNote*> places(launches, nullptr);
  const auto windows = windows_in(launches);
  for (std::size_t number = 0; is_noted && number < windows.size(); ++number) {
    for (std::size_t i = 0; i < width_in(launches); ++i) {
      places[windows[number] + i] = static_cast<BlockNote*>(notes_.data()) + place_of(number, i);
    }
  }
  std::vector<device::Launch> all(launches, launch);
  for (std::size_t i = 0; i < launches; ++i) all[i].arguments.append(places[i]);
  return all;
}

/// Microseconds of one launch.
double Experiment::time(const std::vector<device::Launch>& launches) const {
  const auto batch = device_.prepare(launches);
  (void)batch->time();  // a graph's first replay brings it to the device
  std::vector<double> times;
  for (int i = 0; i < samples; ++i) times.push_back(batch->time().device_us);
  return median_of(std::move(times)) / static_cast<double>(launches.size());
}

std::vector<LaunchNote> Experiment::read_window(std::size_t number, std::int64_t grid,
                                                std::size_t width) {
  std::vector<LaunchNote> launches;
  std::vector<BlockNote> blocks(static_cast<std::size_t>(grid));
  for (std::size_t i = 0; i < width; ++i) {
    device_.copy_to_host(blocks.data(),
                         static_cast<BlockNote*>(notes_.data()) + place_of(number, i),
                         blocks.size() * sizeof(BlockNote));
    for (const BlockNote& block : blocks) times_.insert({block.begin, block.ready, block.end});
    launches.push_back(launch_of(blocks));
  }
  return launches;
}

void Experiment::require_right() const {
  float sum = 0;
  device_.copy_to_host(&sum, output_.data(), sizeof(sum));
  if (sum != static_cast<float>(count_)) {
    throw DeviceError(fmt::format("the sum is {}, not {}", sum, count_));
  }
}

RowFacts Experiment::run(std::size_t way, std::int64_t grid, std::size_t launches) {
  RowFacts facts;
  // Without notes: taking them is no part of what is timed.
  facts.launch_us = time(row(way, grid, launches, false));
  device_.fill(output_.data(), std::byte{0}, output_.bytes());
  (void)time(row(way, grid, launches, true));
  require_right();
  for (std::size_t number = 0; number < windows_in(launches).size(); ++number) {
    facts.windows.push_back(facts_of(read_window(number, grid, width_in(launches))));
  }
  return facts;
}

std::uint64_t Experiment::clock_step() const {
  std::uint64_t least = 0;
  for (auto at = times_.begin(); at != times_.end() && std::next(at) != times_.end(); ++at) {
    const std::uint64_t step = *std::next(at) - *at;
    least = least == 0 ? step : std::min(least, step);
  }
  return least;
}

/// A figure of each window: "1.52/0.97/0.98".
template <class Figure>
std::string over_windows(const RowFacts& facts, int digits, const Figure& figure) {
  std::string text;
  for (const WindowFacts& one : facts.windows) {
    text +=
        fmt::format("{}{:.{}f}", text.empty() ? "" : "/", static_cast<double>(figure(one)), digits);
  }
  return text;
}

void print(std::int64_t grid, std::size_t launches, std::size_t way, const RowFacts& facts) {
  using Facts = WindowFacts;
  fmt::print("{:>6} {:>8}  {:<8} {:>9.3f} {:>11} {:>11} {:>9} {:>17} {:>20} {:>20}\n", grid,
             launches, ways[way].name, facts.launch_us,
             over_windows(facts, 0, [](const Facts& one) { return one.in_flight; }),
             over_windows(facts, 0, [](const Facts& one) { return one.units; }),
             over_windows(facts, 0, [](const Facts& one) { return one.most; }),
             over_windows(facts, 2, [](const Facts& one) { return one.work_us; }),
             over_windows(facts, 2, [](const Facts& one) { return one.lead_us; }),
             over_windows(facts, 2, [](const Facts& one) { return one.lead2_us; }));
}

void print_all(Experiment& experiment, const Options& options, const std::string& device) {
  fmt::print("{}: sum of {} f32 in blocks of {} threads, graphs of so many launches\n", device,
             describe_count(options.count), options.block);
  fmt::print("{:>6} {:>8}  {:<8} {:>9} {:>11} {:>11} {:>9} {:>17} {:>20} {:>20}\n", "blocks",
             "launches", "start", "us each", "in flight", "units", "a unit", "work us",
             "before last end us", "end before that us");
  for (const std::int64_t grid : grids) {
    for (std::size_t way = 0; way < ways.size(); ++way) {
      for (const std::size_t launches : lengths) {
        print(grid, launches, way, experiment.run(way, grid, launches));
      }
    }
  }
  fmt::print("the device's clock goes on by {} ns at least\n", experiment.clock_step());
}

/// Nothing: help was asked for and printed.
std::optional<Options> read_options(int argc, char** argv) {
  Options options;
  std::string count;
  po::options_description all("Rows of launches of one small kernel, and where their blocks land");
  auto add = all.add_options();
  add("help,h", "show this");
  add("device", po::value(&options.device)->default_value("auto"), "as redtune devices names it");
  add("count", po::value(&count)->default_value("2^18"), "elements, a multiple of 4");
  add("block", po::value(&options.block)->default_value(64), "threads: 32, 64, ... 1024");
  po::variables_map found;
  po::store(po::command_line_parser(argc, argv).options(all).positional({}).run(), found);
  if (found.contains("help")) {
    fmt::print("{}", fmt::streamed(all));
    return std::nullopt;
  }
  po::notify(found);
  options.count = parse_count(count);
  // Sums of more ones than 2^24 are not exact.
  if (options.count < 4 || options.count > 1 << 24 || options.count % 4 != 0) {
    throw UsageError("--count is a multiple of 4 from 4 to 2^24");
  }
  if (options.block < 32 || options.block > 1024 || (options.block & (options.block - 1)) != 0) {
    throw UsageError("--block is a power of two from 32 to 1024");
  }
  return options;
}

int run(int argc, char** argv) {
  const auto options = read_options(argc, argv);
  if (!options) return 0;
  const device::Selection selection = runtime::registry().select(options->device);
  const auto device = device::open(selection);
  const bool can_run = device->identity().device_class.platform == "cuda" &&
                       device->limits().early_start == EarlyStart::present;
  if (!can_run) {
    throw UsageError(fmt::format(
        "this experiment needs a CUDA device of compute capability 9.0 or later; {} is none",
        selection.text()));
  }
  Experiment experiment(*device, *selection.platform, *options);
  print_all(experiment, *options, device->identity().name);
  return 0;
}

}  // namespace
}  // namespace redtune::bench

int main(int argc, char** argv) try {
  return redtune::bench::run(argc, argv);
} catch (const boost::program_options::error& error) {
  fmt::print(stderr, "row_of_launches: {}\n", error.what());
  return redtune::bench::exit_usage;
} catch (const redtune::Error& error) {
  fmt::print(stderr, "row_of_launches: {}\n", error.what());
  return redtune::bench::exit_code_of(error);
}
