// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/measure/calibrate.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "tuner/measure/batch_size.hpp"
#include "tuner/measure/clock_guard.hpp"
#include "tuner/measure/statistics.hpp"
#include "tuner/measure/untrustworthy.hpp"

namespace redtune::tuner {
namespace {

constexpr Seconds most_time{5};
constexpr int empty_batches = 20;
/// Differences below a nanosecond are the rounding of a clock's numbers.
constexpr double least_tick_us = 1e-3;

/// Warm: the samples of 50 ms are as fast as those of the 50 ms before, to half a percent or as far
/// as their noise lets anybody tell. 20 ms where one of many was timed just before.
constexpr Seconds usual_block_time{0.05};
constexpr Seconds brief_block_time{0.02};
constexpr Seconds most_warming{1};
constexpr double settled_within = 0.005;

constexpr std::size_t pairs = 20;
constexpr std::size_t least_pairs = 3;
constexpr double noise_to_warn_of = 0.02;
constexpr double noise_to_stop_at = 0.05;

/// How much the length of a batch may change what is measured.
constexpr std::size_t length_factor = 4;
constexpr std::size_t length_pairs = 9;
constexpr double most_length_effect = 0.01;

/// The device's time of a long batch against the host's: what is missing is queueing, microseconds
/// of ten milliseconds.
constexpr double long_batch_us = 10000;
constexpr int host_comparisons = 5;
constexpr double least_of_host = 0.75;

/// The smallest difference between two of these times; 0 when they are all the same.
double tick_of(std::vector<double> times) {
  std::ranges::sort(times);
  double tick = 0;
  for (std::size_t i = 1; i < times.size(); ++i) {
    const double step = times[i] - times[i - 1];
    if (step >= least_tick_us && (tick == 0 || step < tick)) tick = step;
  }
  return tick;
}

/// Each median is among the times that the other may have.
bool are_alike(const Interval& a, const Interval& b) {
  if (std::abs(a.median / b.median - 1) <= settled_within) return true;
  const auto holds = [](const Interval& one, double us) { return one.low <= us && us <= one.high; };
  return holds(a, b.median) && holds(b, a.median);
}

class Calibrator {
 public:
  Calibrator(Sampler& sampler, const MeasureTask& task, CandidateId candidate)
      : sampler_(sampler), task_(task), order_{candidate} {}

  Calibration run() {
    read_clock();
    warm_up();
    if (!task_.knows_clock) compare_with_host();
    compare_with_itself();
    judge_noise();
    if (!task_.knows_lengths) compare_lengths();
    found_.seconds = elapsed().count();
    return found_;
  }

 private:
  [[nodiscard]] Seconds elapsed() const { return sampler_.now() - begin_; }

  void read_clock() {
    std::vector<double> times;
    for (int i = 0; i < empty_batches; ++i) times.push_back(sampler_.empty_batch().device_us);
    found_.empty_us = median(times);
    found_.resolution_us = tick_of(times);
  }

  /// A batch of the search's length.
  [[nodiscard]] Sample take() {
    const Sample sample = plausible_sample(sampler_, task_, order_);
    grow(sample);
    return sample;
  }
  void grow(const Sample& sample) {
    const double batch_us = batch_us_for(found_.resolution_us);
    order_.executions = grown(order_.executions, sample.step_us(), batch_us);
  }

  [[nodiscard]] Interval time_of_block() {
    const Seconds block_time =
        task_.is_brief && task_.knows_clock ? brief_block_time : usual_block_time;
    std::vector<double> times;
    const Seconds begin = elapsed();
    while (times.empty() || elapsed() - begin < block_time) times.push_back(take().us());
    return median_interval(times);
  }

  void warm_up() {
    grow(sizing_sample(sampler_, order_));
    const Seconds begin = elapsed();
    Interval before = time_of_block();
    Interval now = time_of_block();
    while (!are_alike(before, now)) {
      if (elapsed() - begin > most_warming) {
        found_.warnings.emplace_back("the default's speed did not settle while it was warmed up");
        return;
      }
      before = now;
      now = time_of_block();
    }
  }

  void compare_with_host() {
    BatchOrder order = order_;
    double best = 0;
    for (int i = 0; i < host_comparisons; ++i) {
      const device::BatchTime time = plausible_sample(sampler_, task_, order).batches.front().time;
      const bool is_long = time.host_us >= long_batch_us || order.executions == most_executions;
      if (is_long) best = std::max(best, time.device_us / time.host_us);
      found_.clock_agrees = best >= least_of_host;
      if (found_.clock_agrees) return;
      // By the host's clock, since the device's is in doubt; a fifth more, since times vary.
      const double one_us = time.host_us / static_cast<double>(order.executions);
      if (!is_long) order.executions = executions_for(one_us, 1.2 * long_batch_us);
    }
    if (best == 0) return;
    throw UntrustworthySession(fmt::format(
        "while the device was busy its clock counted {:.0f} % of the time that the host's did: its "
        "times cannot be believed. End what else runs on this machine and try again; if that does "
        "not help, the driver's timers are wrong",
        100 * best));
  }

  void compare_with_itself() {
    std::vector<double> first;
    std::vector<double> second;
    std::vector<double> paces;
    const auto take_into = [&](std::vector<double>& times) {
      const Sample sample = take();
      times.push_back(sample.us());
      if (sample.pace_us) paces.push_back(*sample.pace_us);
    };
    const std::size_t most = task_.is_brief ? pairs / 2 : pairs;
    while (first.size() < most && (first.size() < least_pairs || elapsed() < most_time)) {
      // In turn, so that none is always the later one.
      const bool swapped = first.size() % 2 == 1;
      take_into(swapped ? second : first);
      take_into(swapped ? first : second);
    }
    const Interval against_itself = ratio_interval(first, second);
    found_.noise_floor = (against_itself.high - against_itself.low) / 2;
    first.insert(first.end(), second.begin(), second.end());
    found_.default_us = median(first);
    if (!paces.empty()) found_.pace_us = median(paces);
  }

  void judge_noise() {
    if (found_.noise_floor <= noise_to_warn_of) return;
    const std::string noise =
        fmt::format("times of the same configuration differ by {:.1f} %", 100 * found_.noise_floor);
    if (found_.noise_floor > noise_to_stop_at && !task_.accept_noise) {
      throw UntrustworthySession(
          noise + ": end what else runs on this machine and try again, or pass --force-noisy");
    }
    found_.warnings.push_back(noise + ": smaller gains may be missed");
  }

  /// A time that depends on how many executions stand in a batch is that of no program.
  void compare_lengths() {
    const BatchOrder usual = order_;
    BatchOrder longer = order_;
    longer.executions = std::min(length_factor * usual.executions, most_executions);
    if (usual.executions == 1 || longer.executions == usual.executions) return;
    std::vector<double> short_us;
    std::vector<double> long_us;
    const std::size_t most = task_.is_brief ? length_pairs / 2 + 1 : length_pairs;
    while (short_us.size() < most) {
      short_us.push_back(plausible_sample(sampler_, task_, usual).us());
      long_us.push_back(plausible_sample(sampler_, task_, longer).us());
    }
    const Interval ratio = ratio_interval(long_us, short_us);
    found_.length_ratio = ratio.median;
    const double allowed = most_length_effect + found_.noise_floor;
    found_.lengths_agree = ratio.low < 1 + allowed && ratio.high > 1 - allowed;
    if (found_.lengths_agree) return;
    const std::string what =
        fmt::format("an execution takes {:.3f} times as long in batches of {} as in batches of {}",
                    ratio.median, longer.executions, usual.executions);
    // A replay reads the copies of the one before: of few, caches may have kept more.
    if (task_.is_cold) {
      found_.warnings.push_back(
          what + ": caches may keep some of a cold input from one batch to the next");
      return;
    }
    if (!task_.accept_noise) {
      throw UntrustworthySession(
          what +
          ": neither is what a program would see. End what else runs on this "
          "machine and try again, or pass --force-noisy");
    }
    found_.warnings.push_back(what);
  }

  Sampler& sampler_;
  const MeasureTask& task_;
  Seconds begin_ = sampler_.now();
  BatchOrder order_;
  Calibration found_;
};

}  // namespace

Calibration calibrate(Sampler& sampler, const MeasureTask& task, CandidateId default_candidate) {
  return Calibrator(sampler, task, default_candidate).run();
}

}  // namespace redtune::tuner
