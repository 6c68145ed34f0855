// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/ladder/step_timer.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "tuner/measure/batch_size.hpp"
#include "tuner/measure/batch_timer.hpp"
#include "tuner/measure/plausible.hpp"
#include "tuner/measure/statistics.hpp"
#include "tuner/measure/untrustworthy.hpp"

namespace redtune::tuner {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double batch_us = 5000;
constexpr std::size_t most_step_launches = 4096;  // of a batch
constexpr std::size_t most_samples = 9;
constexpr std::size_t most_system_samples = 3;
/// Of each of the two figures of a step; one sample is taken in any case.
constexpr double most_seconds = 0.5;
constexpr int most_step_attempts = 3;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

}  // namespace

StepTimes StepTimer::time(const Execution& execution) {
  StepTimes times;
  time_kernels(execution, times);
  time_system(execution, times);
  return times;
}

std::size_t StepTimer::most_executions(const Execution& execution) const {
  const std::size_t launches = execution(bench_.slots->first()).size();
  return std::max<std::size_t>(1, most_step_launches / std::max<std::size_t>(1, launches));
}

/// A replayed batch reads the same slots each time: only all of them are more than caches hold. Two
/// slots are there where each alone is.
std::size_t StepTimer::least_executions() const {
  return bench_.slots->in_turns() > 2 ? bench_.slots->in_turns() : 1;
}

std::vector<device::Launch> StepTimer::batch_of(const Execution& execution,
                                                std::size_t executions) {
  std::vector<device::Launch> launches;
  for (std::size_t i = 0; i < executions; ++i) {
    const auto one = execution(bench_.slots->next());
    launches.insert(launches.end(), one.begin(), one.end());
  }
  return launches;
}

double StepTimer::sample(device::Batch& batch, std::size_t executions) const {
  std::string why;
  for (int attempt = 0; attempt < most_step_attempts; ++attempt) {
    const Sample sample{.batches = {{.time = batch.time()}}, .executions = executions};
    why =
        why_implausible(sample, static_cast<double>(bench_.data.size()), bench_.peak_bytes_per_us);
    if (why.empty()) return sample.us();
  }
  throw ImplausibleSample(why);
}

void StepTimer::time_kernels(const Execution& execution, StepTimes& times) {
  const auto begin = Clock::now();
  const std::size_t most = most_executions(execution);
  const bool is_replayed = bench_.device->batching() == device::Batching::graph;
  std::size_t executions = 1;
  auto batch = bench_.device->prepare(batch_of(execution, executions));
  std::vector<double> samples{sample(*batch, executions)};
  const std::size_t wanted = std::min(most, executions_for(samples[0], batch_us));
  executions = is_replayed ? std::min(most, std::max(wanted, least_executions())) : wanted;
  if (executions > 1) {
    samples.clear();
    batch = bench_.device->prepare(batch_of(execution, executions));
    (void)batch->time();  // warm-up
  }
  while (samples.size() < most_samples &&
         (samples.empty() || seconds_since(begin) < most_seconds)) {
    if (!is_replayed) batch = bench_.device->prepare(batch_of(execution, executions));
    samples.push_back(sample(*batch, executions));
  }
  times.kernel_us = median_interval(samples);
  times.samples = samples.size();
  times.executions = executions;
}

void StepTimer::time_system(const Execution& execution, StepTimes& times) const {
  const auto start = Clock::now();
  void* const in = const_cast<void*>(bench_.slots->first());  // is given what it holds already
  const auto launches = execution(in);
  std::vector<std::byte> result(bench_.output_bytes);
  std::vector<double> samples;
  do {
    const auto begin = Clock::now();
    bench_.device->copy_to_device(in, bench_.data.data(), bench_.data.size());
    bench_.device->launch(launches, {});
    bench_.device->synchronize({});
    bench_.device->copy_to_host(result.data(), bench_.output, result.size());
    samples.push_back(1e6 * seconds_since(begin));
  } while (samples.size() < most_system_samples && seconds_since(start) < most_seconds);
  times.system_us = median_interval(samples);
  times.system_samples = samples.size();
}

}  // namespace redtune::tuner
