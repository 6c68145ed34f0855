// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/measure/batch_timer.hpp"

#include <chrono>

#include "tuner/measure/statistics.hpp"

namespace redtune::tuner {

double queueing_us(device::Device& device, const device::Launch& launch) {
  if (device.batching() == device::Batching::queued) return 0;
  using Clock = std::chrono::steady_clock;
  // Fewer than a driver's queue holds: the host must not wait for the device.
  constexpr int launches = 200;
  std::vector<double> samples;
  for (int sample = 0; sample < 5; ++sample) {
    device.synchronize({});
    const auto begin = Clock::now();
    for (int i = 0; i < launches; ++i) device.launch({&launch, 1}, {});
    samples.push_back(std::chrono::duration<double, std::micro>(Clock::now() - begin).count() /
                      launches);
  }
  device.synchronize({});
  return median(samples);
}

BatchTimer::BatchTimer(const Stage& stage, const Runnable& runnable, std::size_t executions)
    : stage_(stage),
      runnable_(runnable),
      executions_(executions),
      further_launches_(runnable.config.plan(runnable.config.choice().problem.count).calls.size() -
                        1) {}

std::vector<device::Launch> BatchTimer::next_launches() {
  std::vector<device::Launch> launches;
  const std::int64_t count = runnable_.config.choice().problem.count;
  for (std::size_t i = 0; i < executions_; ++i) {
    const auto one = runnable_.config.launches({stage_.slots->next(), count, stage_.output},
                                               runnable_.workspace);
    launches.insert(launches.end(), one.begin(), one.end());
  }
  return launches;
}

/// A graph reads the same slots again in every replay; where preparing costs nothing, every sample
/// goes on with the next slots instead.
bool BatchTimer::is_replayed() const {
  return stage_.device->batching() == device::Batching::graph;
}

/// Before a cold replay whose inputs may still be cached.
void BatchTimer::sweep() const {
  const InputSlots& slots = *stage_.slots;
  const bool covers_all_slots = executions_ >= slots.count();
  if (stage_.sweeper == nullptr || slots.count() == 1 || covers_all_slots) return;
  const Problem& problem = stage_.sweeper->config.choice().problem;
  const auto elements =
      static_cast<std::int64_t>(slots.count() * slots.stride() / size_of(problem.in));
  const auto launches = stage_.sweeper->config.launches({slots.first(), elements, stage_.output},
                                                        stage_.sweeper->workspace);
  stage_.device->launch(launches, {});
  stage_.device->synchronize({});  // the host's clock must not run meanwhile
}

device::BatchTime BatchTimer::time(Queueing queueing) {
  if (queueing == Queueing::by_host) return stage_.device->time(next_launches());
  if (!batch_ || !is_replayed()) batch_ = stage_.device->prepare(next_launches());
  sweep();
  return batch_->time();
}

double BatchTimer::charge_us() const {
  return stage_.further_launch_us * static_cast<double>(further_launches_);
}

}  // namespace redtune::tuner
