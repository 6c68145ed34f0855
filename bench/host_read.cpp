// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Sums the same floats as a plain loop, with the family's default and with what was tuned, in turns
// on cold buffers, and says how they compare. Usage: host_read --help
#include "bench/host_read.hpp"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <boost/program_options.hpp>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fstream>
#include <functional>
#include <numeric>
#include <optional>
#include <random>
#include <thread>

#include "bench/exit_code.hpp"
#include "bench/plain_sum.hpp"
#include "redtune/reducer.hpp"

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
      : count_(count),
        partials_(static_cast<std::size_t>((count - 1) / chunk + 1)),
        start_(threads),
        end_(threads) {
    for (int i = 1; i < threads; ++i) helpers_.emplace_back([this] { help(); });
  }
  ~PlainLoop() {
    values_ = nullptr;
    start_.arrive_and_wait();
  }
  PlainLoop(const PlainLoop&) = delete;
  PlainLoop& operator=(const PlainLoop&) = delete;

  [[nodiscard]] float sum(const float* values) {
    values_ = values;
    next_ = 0;
    start_.arrive_and_wait();
    take_chunks();
    end_.arrive_and_wait();
    return std::accumulate(partials_.begin(), partials_.end(), 0.0F);
  }

 private:
  void help() {
    while (true) {
      start_.arrive_and_wait();
      if (values_ == nullptr) return;
      take_chunks();
      end_.arrive_and_wait();
    }
  }
  void take_chunks() {
    for (std::size_t i = next_++; i < partials_.size(); i = next_++) {
      const std::int64_t first = static_cast<std::int64_t>(i) * chunk;
      partials_[i] =
          plain_sum(values_ + first, static_cast<std::size_t>(std::min(chunk, count_ - first)));
    }
  }

  std::int64_t count_;
  std::vector<float> partials_;
  const float* values_ = nullptr;  // null at the start: the end
  std::atomic<std::size_t> next_{0};
  std::barrier<> start_;
  std::barrier<> end_;
  std::vector<std::jthread> helpers_;  // the last member: joined before the rest goes
};

/// Copies of the same numbers that together exceed twice the last-level cache, taken in turns.
class Buffers {
 public:
  Buffers(const Options& options, const DeviceClass& device)
      : count_(static_cast<std::size_t>(options.count)) {
    const std::size_t bytes = count_ * sizeof(float);
    const auto cache = static_cast<std::size_t>(device.last_level_cache_bytes);
    const auto memory = static_cast<std::size_t>(device.memory_bytes);
    copies_ = std::clamp<std::size_t>(memory / 4 / bytes, 1, 2 * cache / bytes + 2);
    values_.resize(copies_ * count_);
    std::mt19937_64 random(options.seed);
    for (std::size_t i = 0; i < count_; ++i) {
      values_[i] = static_cast<float>(static_cast<double>(random() >> 11) * 0x1p-52 - 1.0);
    }
    for (std::size_t copy = 1; copy < copies_; ++copy) {
      std::copy_n(values_.data(), count_, values_.data() + copy * count_);
    }
  }
  [[nodiscard]] const float* first() const { return values_.data(); }
  [[nodiscard]] const float* next() {
    turn_ = (turn_ + 1) % copies_;
    return values_.data() + turn_ * count_;
  }
  [[nodiscard]] std::size_t count() const { return copies_; }

 private:
  std::size_t count_;
  std::size_t copies_ = 1;
  std::size_t turn_ = 0;
  std::vector<float> values_;
};

/// A Reducer as a contestant: what an application pays, launch and wait.
class DeviceSum {
 public:
  DeviceSum(const Problem& problem, const LookupOptions& lookup)
      : count_(problem.count), reducer_(problem, {.device = "host", .lookup = lookup}) {}

  [[nodiscard]] float sum(const float* values) {
    reducer_.launch(values, count_, &result_);
    reducer_.synchronize();
    return result_;
  }
  [[nodiscard]] const Answer& answer() const { return reducer_.answer(); }

 private:
  std::int64_t count_;
  Reducer reducer_;
  float result_ = 0;
};

using Sum = std::function<float(const float*)>;

/// Microseconds of one execution, in a batch that takes buffer after buffer.
double time(const Sum& sum, Buffers& buffers, int executions) {
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < executions; ++i) (void)sum(buffers.next());
  const std::chrono::duration<double, std::micro> spent = std::chrono::steady_clock::now() - begin;
  return spent.count() / executions;
}

/// Rounds of all contestants, each round in another order; the first one is a warm-up.
void race(const std::vector<Sum>& sums, Buffers& buffers, Findings& findings) {
  const Options& options = findings.options;
  std::mt19937_64 random(options.seed);
  std::vector<std::size_t> order(sums.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (int round = 0; round <= options.rounds; ++round) {
    std::ranges::shuffle(order, random);
    for (const std::size_t i : order) {
      const double us = time(sums[i], buffers, options.executions);
      if (round > 0) findings.rows[i].times_us.push_back(us);
    }
  }
}

/// All three against the sum in long double. No order of single-precision additions of n numbers is
/// off by more than n * 2^-24 * sum|x|; these, in many short chains, are far below a thousandth of
/// that.
void verify(const std::vector<Sum>& sums, const float* values, Findings& findings) {
  long double exact = 0;
  long double magnitude = 0;
  for (std::int64_t i = 0; i < findings.options.count; ++i) {
    exact += values[i];
    magnitude += std::fabs(values[i]);
  }
  findings.expected = static_cast<double>(exact);
  const long double chain =
      std::max(4096.0L, static_cast<long double>(findings.options.count) / 1000);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const float sum = sums[i](values);
    findings.rows[i].value = static_cast<double>(sum);
    if (!(std::fabs(sum - exact) <= chain * 0x1p-24L * magnitude)) {
      findings.rows[i].why_wrong = fmt::format("expected {}, got {}", findings.expected, sum);
    }
  }
}

Findings compare(const Options& options) {
  const Problem problem = make_problem(Op::sum, DType::f32, options.count);
  Findings findings{.options = options, .device = identify_device("host")};
  Buffers buffers(options, findings.device.device_class);
  // A results file that is not there leaves the built-in default.
  DeviceSum by_default(problem, {.cache_file = "/nonexistent/redtune.db"});
  DeviceSum by_best(problem, {.cache_file = options.cache_file});
  PlainLoop plain(findings.device.device_class.compute_units, options.count);
  findings.answer = by_best.answer();
  findings.buffers = buffers.count();
  const std::vector<Sum> sums{[&](const float* values) { return plain.sum(values); },
                              [&](const float* values) { return by_default.sum(values); },
                              [&](const float* values) { return by_best.sum(values); }};
  findings.rows = {{.name = "plain loop"},
                   {.name = "family default", .settings = to_string(by_default.answer().settings)},
                   {.name = "tuned", .settings = to_string(by_best.answer().settings)}};
  verify(sums, buffers.first(), findings);
  race(sums, buffers, findings);
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
  return redtune::bench::exit_usage;
} catch (const redtune::Error& error) {
  fmt::print(stderr, "host_read: {}\n", error.what());
  return redtune::bench::exit_code_of(error);
}
