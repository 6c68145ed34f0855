// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/measure/batches.hpp"

#include "tuner/measure/batch_size.hpp"

namespace redtune::tuner {
namespace {

constexpr int most_growths = 3;

}  // namespace

Batches::Batches(ClockGuard& guard, const BatchOrder& order, Phase phase)
    : guard_(&guard), order_(order), phase_(phase) {
  order_.executions = 1;
}

double Batches::single() {
  const Sample sample = guard_->sizing_sample(order_);
  single_us_ = sample.step_us();
  return sample.us();
}

double Batches::warm_up(double batch_us) {
  order_.executions = executions_for(single_us_, batch_us);
  Sample sample;
  for (int growth = 0; growth < most_growths; ++growth) {
    sample = guard_->sample(order_, phase_);
    const std::size_t executions = grown(order_.executions, sample.step_us(), batch_us);
    if (executions == order_.executions) break;
    order_.executions = executions;
  }
  is_one_by_one_ = sample.is_one_by_one;
  return sample.us();
}

double Batches::sample() {
  return whole_sample().us();
}

Sample Batches::whole_sample() {
  return guard_->sample(order_, phase_);
}

std::vector<double> Batches::samples(std::size_t count) {
  std::vector<double> times;
  times.reserve(count);
  for (std::size_t i = 0; i < count; ++i) times.push_back(sample());
  return times;
}

}  // namespace redtune::tuner
