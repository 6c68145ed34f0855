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

Work work_of(const Runnable& runnable, const GuardedOutput& output) {
  const Problem& problem = runnable.config.choice().problem;
  return {.append =
              [&runnable, &output, shape = Shape(problem)](std::vector<device::Launch>& launches,
                                                           const void* in, const Turn& turn) {
                const std::size_t of_output = turn.place_of(output.places());
                const std::size_t of_workspace = turn.place_of(runnable.workspaces.size());
                const auto one = runnable.config.launches({in, shape, output.address(of_output)},
                                                          runnable.workspaces[of_workspace]);
                launches.insert(launches.end(), one.begin(), one.end());
              },
          .launches = runnable.config.plan(problem).calls.size(),
          .cache_mode = problem.cache_mode};
}

BatchTimer::BatchTimer(const Stage& stage, Work work, std::size_t executions)
    : stage_(stage), work_(std::move(work)), executions_(executions) {}

const void* BatchTimer::input_of(const Turn& turn) {
  return work_.cache_mode == CacheMode::cold ? stage_.slots->next() : stage_.slots->of_warm(turn);
}

std::vector<device::Launch> BatchTimer::next_launches(Surrounding surrounding, const Turn& first) {
  std::vector<device::Launch> launches;
  const bool is_alone = surrounding == Surrounding::itself;
  for (Turn turn = first; turn.i < turn.executions; ++turn.i) {
    const void* const in = input_of(turn);
    if (!is_alone) launches.push_back(stage_.surroundings->before(surrounding, in));
    work_.append(launches, in, turn);
    if (!is_alone) launches.push_back(stage_.surroundings->after(turn));
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
    const device::Launch before = stage_.surroundings->before(surrounding, in);
    stage_.device->launch({&before, 1}, {});
    launches.clear();
    work_.append(launches, in, turn);
    own_us += stage_.device->time(launches).device_us;
    stage_.device->launch({&stage_.surroundings->after(turn), 1}, {});
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

/// Before a cold replay, whose inputs may still be cached: the slots that it does not read, from
/// those behind its own on, so that its own are what caches were given first.
void BatchTimer::sweep(std::size_t first_slot, std::size_t executions) const {
  if (work_.cache_mode != CacheMode::cold) return;
  for (const auto memory : stage_.slots->others(first_slot, executions)) {
    const device::Launch launch = stage_.surroundings->sweep(memory);
    stage_.device->launch({&launch, 1}, {});
  }
  stage_.device->synchronize({});  // the host's clock must not run meanwhile
}

std::vector<Turn> BatchTimer::firsts(Scheme scheme) const {
  if (!is_replayed()) return {{.executions = executions_}};
  if (scheme == Scheme::between) return at_sites(executions_);
  return {at_one_site(executions_)};  // a row is one, and what the host queues was not warmed
}

device::BatchTime BatchTimer::timed_graph(Surrounding surrounding, const Turn& first) {
  Prepared& prepared = batches_[{surrounding, first.site}];
  if (!prepared.batch || !is_replayed()) {
    prepared.first_slot = stage_.slots->turn();
    prepared.batch = stage_.device->prepare(next_launches(surrounding, first));
  }
  if (is_replayed()) {
    // A graph's first replay brings it to the device, and so does one after graphs of others that
    // took its place there: some 0.1 us for each of its kernels. And it warms a warm input.
    (void)prepared.batch->time();
    sweep(prepared.first_slot, first.executions);
  }
  return prepared.batch->time();
}

TimedBatch BatchTimer::timed(Surrounding surrounding, Scheme scheme) {
  TimedBatch timed{.surrounding = surrounding};
  if (!is_replayed() && surrounding != Surrounding::itself) {
    return timed_in_steps(surrounding);
  }
  keep(stage_.two_streams);
  for (const Turn& first : firsts(scheme)) {
    const device::BatchTime time = scheme == Scheme::by_host
                                       ? stage_.device->time(next_launches(surrounding, first))
                                       : timed_graph(surrounding, first);
    timed.time.device_us += time.device_us;
    timed.time.host_us += time.host_us;
  }
  if (surrounding != Surrounding::itself) {
    timed.others_us = stage_.others->us(surrounding, executions_, scheme);
  }
  return timed;
}

Sample BatchTimer::sample(Scheme scheme) {
  Sample sample{.batches = {}, .executions = executions_};
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
