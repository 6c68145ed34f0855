// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/measure/batches.hpp"

#include "tuner/measure/batch_size.hpp"

namespace redtune::tuner {
namespace {

/// The first execution alone takes longer than each of many: a batch made by it may be too short.
constexpr int most_growths = 3;
constexpr double long_enough = 0.7;

}  // namespace

Batches::Batches(ClockGuard& guard, const BatchOrder& order, Phase phase)
    : guard_(&guard), order_(order), phase_(phase) {
  order_.executions = 1;
}

double Batches::single() {
  const Sample sample = guard_->sample(order_, phase_);
  single_us_ = sample.time.device_us;
  return sample.us();
}

double Batches::warm_up(double batch_us) {
  double one_us = single_us_;
  Sample sample;
  for (int growth = 0; growth < most_growths; ++growth) {
    order_.executions = executions_for(one_us, batch_us);
    sample = guard_->sample(order_, phase_);
    one_us = sample.time.device_us / static_cast<double>(sample.executions);
    if (executions_for(one_us, long_enough * batch_us) <= order_.executions) break;
  }
  return sample.us();
}

double Batches::sample() {
  return guard_->sample(order_, phase_).us();
}

std::vector<double> Batches::samples(std::size_t count) {
  std::vector<double> times;
  times.reserve(count);
  for (std::size_t i = 0; i < count; ++i) times.push_back(sample());
  return times;
}

}  // namespace redtune::tuner
