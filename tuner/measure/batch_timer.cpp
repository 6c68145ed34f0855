// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/measure/batch_timer.hpp"

#include <chrono>

#include "tuner/measure/statistics.hpp"
#include "tuner/verify/offsets.hpp"

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

Work work_of(const Runnable& runnable, const GuardedOutput& output, const InputPart& part) {
  const Problem& problem = runnable.config.choice().problem;
  return {.append =
              [&runnable, &output, &problem, part](std::vector<device::Launch>& launches,
                                                   const void* in, const Turn& turn) {
                const std::size_t of_output = turn.place_of(output.places());
                const std::size_t of_workspace = turn.place_of(runnable.workspaces.size());
                const auto one = runnable.config.launches(
                    operands_of(problem, part, in, output.address(of_output)),
                    runnable.workspaces[of_workspace]);
                launches.insert(launches.end(), one.begin(), one.end());
              },
          .launches = runnable.config.plan(part.shape).calls.size(),
          .cache_mode = problem.cache_mode};
}

Work work_of(const Runnable& runnable, const GuardedOutput& output) {
  return work_of(runnable, output, {runnable.config.choice().problem, 0});
}

BatchTimer::BatchTimer(const Stage& stage, Work work, std::size_t executions)
    : stage_(stage), work_(std::move(work)), executions_(executions) {}

const void* BatchTimer::input_of(const Turn& turn) {
  return work_.cache_mode == CacheMode::cold ? stage_.slots->next() : stage_.slots->of_warm(turn);
}

std::vector<device::Launch> BatchTimer::next_launches(Surrounding surrounding, const Turn& first) {
  std::vector<device::Launch> launches;
  for (Turn turn = first; turn.i < turn.executions; ++turn.i) {
    const void* const in = input_of(turn);
    if (!is_alone(surrounding)) stage_.surroundings->append_before(launches, surrounding, in);
    work_.append(launches, in, turn);
    if (!is_alone(surrounding)) stage_.surroundings->append_after(launches, surrounding, turn);
  }
  return launches;
}

/// Where a launch is over when it returns nothing overlaps: the share is what passes between the
/// other kernels, and what they take is known exactly.
TimedBatch BatchTimer::timed_in_steps(Surrounding surrounding) {
  using Clock = std::chrono::steady_clock;
  double own_us = 0;
  std::vector<device::Launch> launches;
  const auto begin = Clock::now();
  for (Turn turn{.executions = executions_}; turn.i < executions_; ++turn.i) {
    const void* const in = input_of(turn);
    launches.clear();
    stage_.surroundings->append_before(launches, surrounding, in);
    stage_.device->launch(launches, {});
    launches.clear();
    work_.append(launches, in, turn);
    own_us += stage_.device->time(launches).device_us;
    launches.clear();
    stage_.surroundings->append_after(launches, surrounding, turn);
    stage_.device->launch(launches, {});
  }
  const std::chrono::duration<double, std::micro> all = Clock::now() - begin;
  return {.surrounding = surrounding,
          .time = {.device_us = all.count(), .host_us = all.count()},
          .others_us = all.count() - own_us};
}

/// A graph reads the same slots again in every replay, so there is one for each site; where
/// preparing costs nothing, every sample goes on with the next slots instead.
bool BatchTimer::is_replayed() const {
  return stage_.device->batching() == device::Batching::graph;
}

std::vector<Turn> BatchTimer::firsts(Scheme scheme) const {
  if (!is_replayed()) return {{.executions = executions_}};
  if (scheme == Scheme::between) return at_sites(executions_);
  return {at_one_site(executions_)};  // a row is one, and what the host queues was not warmed
}

std::vector<device::Batch*> BatchTimer::prepared(Surrounding surrounding, Scheme scheme) {
  std::vector<device::Batch*> batches;
  for (const Turn& first : firsts(scheme)) {
    std::unique_ptr<device::Batch>& batch = prepared_[{surrounding, first.site}];
    const bool is_new = !batch;
    if (is_new || !is_replayed()) {
      batch = stage_.device->prepare(next_launches(surrounding, first));
    }
    if (is_new && is_replayed()) (void)batch->time();  // brings a graph to the device
    batches.push_back(batch.get());
  }
  return batches;
}

/// No cache has the copies that a cold batch read in its last replay, since a sweep comes before
/// it, whatever its loads leave there. A device reads a graph from memory as well, which takes some
/// 0.1 us for each of its kernels where no cache has it: none has that of a cold batch, and one has
/// that of a warm one, which follows a replay that is not timed; of others alone likewise.
device::BatchTime BatchTimer::timed_graphs(Surrounding surrounding, Scheme scheme) {
  const std::vector<device::Batch*> batches = prepared(surrounding, scheme);
  const bool is_cold = work_.cache_mode == CacheMode::cold;
  if (is_cold && stage_.surroundings != nullptr) stage_.surroundings->sweep();
  device::BatchTime all;
  for (device::Batch* const batch : batches) {
    if (is_replayed() && !is_cold) (void)batch->time();
    const device::BatchTime time = batch->time();
    all.device_us += time.device_us;
    all.host_us += time.host_us;
  }
  return all;
}

TimedBatch BatchTimer::timed(Surrounding surrounding, Scheme scheme) {
  if (!is_replayed() && !is_alone(surrounding)) {
    return timed_in_steps(surrounding);
  }
  TimedBatch timed{.surrounding = surrounding};
  if (scheme == Scheme::by_host) {
    timed.time = stage_.device->time(next_launches(surrounding, firsts(scheme).front()));
  } else {
    timed.time = timed_graphs(surrounding, scheme);
  }
  if (!is_alone(surrounding)) {
    timed.others_us = stage_.others->us(surrounding, executions_, scheme, timed.time.device_us);
  }
  return timed;
}

Sample BatchTimer::sample(Scheme scheme) {
  Sample sample{.batches = {}, .executions = executions_};
  keep(stage_.two_streams);
  if (scheme == Scheme::row) {
    sample.batches.push_back(timed(Surrounding::itself, scheme));
  } else {
    for (const Surrounding surrounding : stage_.surroundings->all()) {
      sample.batches.push_back(timed(surrounding, scheme));
    }
  }
  sample.is_one_by_one = scheme != Scheme::row && !is_replayed();
  if (scheme != Scheme::by_host) {
    sample.charge_us = stage_.further_launch_us * static_cast<double>(work_.launches - 1);
  }
  return sample;
}

}  // namespace redtune::tuner
