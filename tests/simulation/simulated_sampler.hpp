// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A device made of numbers, with the faults of real ones: noise, outliers, drift, clocks that fall,
// times that cannot be true. Time passes only as it is used.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include "tuner/measure/sampler.hpp"

namespace redtune::tuner {

/// How a device behaves.
struct SimulatedWorld {
  std::vector<double> true_us;  ///< of one execution, by candidate
  double noise = 0;             ///< standard deviation of a sample, as a share
  double outliers = 0;          ///< share of the samples that take outlier_factor as long
  double outlier_factor = 5;
  double tick_us = 0;    ///< what the clock can tell apart; 0: anything
  double queue_us = 15;  ///< that the host sees and the device does not
  double empty_us = 2;
  /// By the time of the session: what everything takes longer, and the clock as a share of its
  /// usual speed.
  std::function<double(Seconds)> slowness = {};
  std::function<double(Seconds)> clock = {};
  std::optional<double> pace_us = {};  ///< at the usual speed
  /// In what surroundings executions are timed, and what the other kernels take in each step.
  std::vector<Surrounding> surroundings = {Surrounding::small_kernel};
  double others_us = 0;
  bool is_one_by_one = false;  ///< each execution is timed by itself
  /// Of one execution in a surrounding, instead of true_us.
  std::function<double(const BatchOrder&, Surrounding)> us_in = {};
  /// What a batch takes instead.
  std::function<double(const BatchOrder&, double us)> takes = {};
  /// What the device says that it took.
  std::function<double(const BatchOrder&, double us)> report = {};
};

class SimulatedSampler final : public Sampler {
 public:
  explicit SimulatedSampler(SimulatedWorld world, std::uint64_t seed = 1)
      : world_(std::move(world)), random_(seed) {}

  [[nodiscard]] Sample sample(const BatchOrder& order) override {
    orders.push_back(order);
    const double speed = world_.clock ? world_.clock(now_) : 1;
    const double slowness = world_.slowness ? world_.slowness(now_) : 1;
    Sample sample{
        .batches = {}, .executions = order.executions, .is_one_by_one = world_.is_one_by_one};
    const auto executions = static_cast<double>(order.executions);
    for (const Surrounding surrounding : surroundings_of(order.scheme)) {
      const double others =
          surrounding == Surrounding::itself ? 0 : world_.others_us * slowness / speed;
      double us = (true_us_in(order, surrounding) * slowness / speed + others) * executions;
      if (world_.noise > 0) us *= std::max(0.5, 1 + world_.noise * error_(random_));
      if (world_.outliers > 0 && chance_(random_) < world_.outliers) us *= world_.outlier_factor;
      if (world_.takes) us = world_.takes(order, us);
      TimedBatch batch{surrounding, passed(us), others * executions};
      if (world_.report) batch.time.device_us = world_.report(order, batch.time.device_us);
      sample.batches.push_back(batch);
    }
    if (world_.pace_us) sample.pace_us = *world_.pace_us / speed;
    return sample;
  }

  [[nodiscard]] device::BatchTime empty_batch() override {
    // A real clock's reading of the same thing differs by a tick now and then.
    const double more = world_.tick_us * static_cast<double>(++empty_batches_ % 2);
    return passed(world_.empty_us + more);
  }

  [[nodiscard]] Seconds now() const override { return now_; }
  void wait(Seconds seconds) override {
    waits.push_back(seconds);
    now_ += seconds;
  }

  [[nodiscard]] Seconds waited() const {
    Seconds sum{0};
    for (const Seconds one : waits) sum += one;
    return sum;
  }
  [[nodiscard]] double true_us(CandidateId candidate) const {
    return world_.true_us.at(static_cast<std::size_t>(candidate));
  }

  [[nodiscard]] std::size_t candidates() const { return world_.true_us.size(); }

  std::vector<BatchOrder> orders;  ///< every one of them
  std::vector<Seconds> waits;

 private:
  [[nodiscard]] std::vector<Surrounding> surroundings_of(Scheme scheme) const {
    return scheme == Scheme::row ? std::vector{Surrounding::itself} : world_.surroundings;
  }
  [[nodiscard]] double true_us_in(const BatchOrder& order, Surrounding surrounding) const {
    return world_.us_in ? world_.us_in(order, surrounding) : true_us(order.candidate);
  }
  [[nodiscard]] device::BatchTime passed(double us) {
    const double host_us = us + world_.queue_us;
    now_ += Seconds(host_us * 1e-6);
    const double tick = world_.tick_us;
    return {.device_us = tick > 0 ? std::floor(us / tick) * tick : us, .host_us = host_us};
  }

  SimulatedWorld world_;
  std::mt19937_64 random_;
  std::normal_distribution<double> error_;
  std::uniform_real_distribution<double> chance_;
  int empty_batches_ = 0;
  Seconds now_{0};
};

}  // namespace redtune::tuner
