// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Sums the same floats as a plain loop, with the family's default and with what was tuned, in turns
// on cold buffers, and says how they compare. Usage: host_read --help
#include "bench/host_read.hpp"

#include <algorithm>
#include <array>
#include <boost/program_options.hpp>
#include <chrono>
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fstream>
#include <functional>
#include <numeric>
#include <optional>
#include <random>

#include "bench/plain_sum.hpp"
#include "device/host/thread_pool.hpp"
#include "redtune/error.hpp"
#include "runtime/loaded_config.hpp"
#include "runtime/resolve.hpp"
#include "tuner/measure/input_slots.hpp"
#include "tuner/verify/input.hpp"
#include "tuner/verify/reference.hpp"

namespace redtune::bench {
namespace {

namespace po = boost::program_options;

/// Elements a thread of the plain loop takes at a time: 256 KiB, so that a thread that is held up
/// does not hold up all.
constexpr std::int64_t chunk = 1 << 16;

/// The plain loop on threads that stay: as many as the device has compute units.
class PlainLoop {
 public:
  PlainLoop(int threads, std::int64_t count)
      : pool_(threads),
        count_(count),
        partials_(static_cast<std::size_t>((count - 1) / chunk + 1)) {}

  [[nodiscard]] float sum(const float* values) {
    pool_.for_each(static_cast<std::int64_t>(partials_.size()), [&](int, std::int64_t i) {
      const std::int64_t size = std::min(chunk, count_ - i * chunk);
      partials_[static_cast<std::size_t>(i)] =
          plain_sum(values + i * chunk, static_cast<std::size_t>(size));
    });
    return std::accumulate(partials_.begin(), partials_.end(), 0.0F);
  }
  [[nodiscard]] std::int64_t longest_chain() const {
    return static_cast<std::int64_t>(plain_sum_chain(chunk) + partials_.size());
  }

 private:
  device::host::ThreadPool pool_;
  std::int64_t count_;
  std::vector<float> partials_;
};

/// A configuration on the device, with what it needs to run.
class DeviceSum {
 public:
  DeviceSum(const device::Selection& selection, device::Device& device,
            runtime::ConfigChoice choice)
      : device_(device),
        config_(runtime::load_config(*selection.platform, device, std::move(choice))),
        workspace_(config_.make_workspace(device)),
        result_(device.allocate(sizeof(float))) {}

  [[nodiscard]] float sum(const float* values) {
    const std::int64_t count = config_.choice().problem.count;
    device_.launch(config_.launches({values, count, result_.data()}, workspace_), {});
    device_.synchronize({});
    float result = 0;
    device_.copy_to_host(&result, result_.data(), sizeof(result));
    return result;
  }
  [[nodiscard]] std::int64_t longest_chain() const {
    return config_.plan(config_.choice().problem.count).longest_chain;
  }

 private:
  device::Device& device_;
  runtime::LoadedConfig config_;
  runtime::Workspace workspace_;
  device::Buffer result_;
};

/// What takes part, and how far its sum may be off.
struct Entry {
  std::function<float(const float*)> sum;
  std::int64_t longest_chain = 0;
};

/// Microseconds of one execution, in a batch that takes buffer after buffer.
double time(const Entry& entry, tuner::InputSlots& slots, int executions) {
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < executions; ++i) {
    (void)entry.sum(static_cast<const float*>(slots.next()));
  }
  const std::chrono::duration<double, std::micro> spent = std::chrono::steady_clock::now() - begin;
  return spent.count() / executions;
}

/// Rounds of all contestants, each round in another order; the first one is a warm-up.
void race(std::span<const Entry> entries, tuner::InputSlots& slots, Findings& findings) {
  const Options& options = findings.options;
  std::mt19937_64 random(options.seed);
  std::vector<std::size_t> order(entries.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (int round = 0; round <= options.rounds; ++round) {
    std::ranges::shuffle(order, random);
    for (const std::size_t i : order) {
      const double us = time(entries[i], slots, options.executions);
      if (round > 0) findings.rows[i].times_us.push_back(us);
    }
  }
}

void verify(std::span<const Entry> entries, std::span<const std::byte> data, const float* values,
            Findings& findings) {
  const tuner::Reference reference = tuner::reference_of(findings.answer.problem, data);
  findings.expected = static_cast<double>(reference.value);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const float sum = entries[i].sum(values);
    findings.rows[i].value = static_cast<double>(sum);
    findings.rows[i].why_wrong =
        tuner::why_wrong(findings.answer.problem, reference, entries[i].longest_chain, &sum);
  }
}

template <class Sum>
Entry entry_of(Sum& contestant) {
  return {[&](const float* values) { return contestant.sum(values); }, contestant.longest_chain()};
}

Findings compare(const Options& options) {
  const device::Selection selection = runtime::registry().select("host");
  const auto device = device::open(selection);
  const Problem problem = make_problem(Op::sum, DType::f32, options.count);
  const auto data = tuner::make_input(problem.in, problem.count, options.seed);
  tuner::InputSlots slots(*device, data, CacheMode::cold);
  const auto choice = [&](const Settings& settings) {
    return runtime::ConfigChoice{&runtime::family_of(problem), problem, settings, device->limits()};
  };
  Findings findings{.options = options, .device = device->identity()};
  findings.answer = runtime::resolve(problem, device->identity(), device->limits(),
                                     {.cache_file = options.cache_file})
                        .answer;
  findings.buffers = slots.count();
  const Settings untuned = runtime::family_of(problem).default_settings(problem, device->limits());
  PlainLoop plain(findings.device.device_class.compute_units, problem.count);
  DeviceSum by_default(selection, *device, choice(untuned));
  DeviceSum by_best(selection, *device, choice(findings.answer.settings));
  const std::array entries{entry_of(plain), entry_of(by_default), entry_of(by_best)};
  findings.rows = {{.name = "plain loop"},
                   {.name = "family default", .settings = to_string(untuned)},
                   {.name = "tuned", .settings = to_string(findings.answer.settings)}};
  verify(entries, data, static_cast<const float*>(slots.first()), findings);
  race(entries, slots, findings);
  return findings;
}

/// Nothing: help was asked for and printed.
std::optional<Options> read_options(int argc, char** argv) {
  Options options;
  std::string count;
  po::options_description all("Compares a plain loop, the default and the tuned sum of floats");
  auto add = all.add_options();
  add("help,h", "show this");
  add("count", po::value(&count)->default_value("2^24"), "elements, from 1");
  add("rounds", po::value(&options.rounds)->default_value(61), "from 31 for a fair verdict");
  add("executions", po::value(&options.executions)->default_value(3), "in a row, each round");
  add("seed", po::value(&options.seed)->default_value(1), "of the data and the order");
  add("cache", po::value(&options.cache_file), "results file instead of the user's");
  add("json", po::value(&options.json_file), "file to write everything to");
  po::variables_map found;
  po::store(po::parse_command_line(argc, argv, all), found);
  if (found.contains("help")) {
    fmt::print("{}", fmt::streamed(all));
    return std::nullopt;
  }
  po::notify(found);
  options.count = parse_count(count);
  if (options.count < 1 || options.rounds < 1 || options.executions < 1) {
    throw UsageError("count, rounds and executions start at 1");
  }
  return options;
}

int run(int argc, char** argv) {
  const auto options = read_options(argc, argv);
  if (!options) return 0;
  const Findings findings = compare(*options);
  fmt::print("{}", table_of(findings));
  if (!options->json_file.empty()) {
    std::ofstream file(options->json_file);
    file << json_of(findings) << std::flush;
    if (!file) throw IoError(fmt::format("cannot write {}", options->json_file));
  }
  const bool all_right =
      std::ranges::all_of(findings.rows, [](const Row& row) { return row.why_wrong.empty(); });
  return all_right ? 0 : 1;
}

}  // namespace
}  // namespace redtune::bench

int main(int argc, char** argv) try {
  return redtune::bench::run(argc, argv);
} catch (const boost::program_options::error& error) {
  fmt::print(stderr, "host_read: {}\n", error.what());
  return static_cast<int>(redtune::ExitCode::usage);
} catch (const redtune::Error& error) {
  fmt::print(stderr, "host_read: {}\n", error.what());
  return static_cast<int>(error.exit_code());
}
