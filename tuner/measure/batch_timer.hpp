// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// One sample: timed batches of a loaded config between other kernels, or in a row of itself
// (docs/explanation/measurement.md).
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "device/device.hpp"
#include "tuner/measure/input_slots.hpp"
#include "tuner/measure/others_alone.hpp"
#include "tuner/measure/sampler.hpp"
#include "tuner/measure/two_streams.hpp"
#include "tuner/verify/guarded_output.hpp"
#include "tuner/verify/job.hpp"
#include "tuner/verify/runnable.hpp"

namespace redtune::tuner {

/// What all samples of a problem share.
struct Stage {
  device::Device* device = nullptr;
  InputSlots* slots = nullptr;
  const Surroundings* surroundings = nullptr;  ///< null: for rows that nothing stands around
  OthersAlone* others = nullptr;
  TwoStreams* two_streams = nullptr;
  /// What queueing one more launch costs the host. A replayed graph hides it, an application that
  /// queues launches pays it: charged for every launch of an execution but the first.
  double further_launch_us = 0;
};

/// Microseconds the host needs to queue a launch, the device's own time aside; 0 where the times of
/// batches hold it already. Throws DeviceError.
[[nodiscard]] double queueing_us(device::Device& device, const device::Launch& launch);

/// What is timed: its launches for an input, which it appends.
struct Work {
  std::function<void(std::vector<device::Launch>&, const void* in, const Turn& turn)> append;
  std::size_t launches = 1;
  CacheMode cache_mode = CacheMode::cold;
};

/// Of a part of the input. Goes through the places of workspaces and outputs. Both must outlive it.
[[nodiscard]] Work work_of(const Runnable& runnable, const GuardedOutput& output,
                           const InputPart& part);
/// Of all of it.
[[nodiscard]] Work work_of(const Runnable& runnable, const GuardedOutput& output);

/// Batches of one execution, all of one size. Where they are graphs there is one at each site.
class BatchTimer {
 public:
  BatchTimer(const Stage& stage, Work work, std::size_t executions);

  [[nodiscard]] std::size_t executions() const { return executions_; }
  /// One batch in each surrounding of the scheme. Throws DeviceError.
  [[nodiscard]] Sample sample(Scheme scheme);
  /// The first turns of its batches.
  [[nodiscard]] std::vector<Turn> firsts(Scheme scheme) const;

 private:
  [[nodiscard]] TimedBatch timed(Surrounding surrounding, Scheme scheme);
  [[nodiscard]] const void* input_of(const Turn& turn);
  [[nodiscard]] std::vector<device::Launch> next_launches(Surrounding surrounding,
                                                          const Turn& first);
  /// Whether nothing stands around its executions.
  [[nodiscard]] bool is_alone(Surrounding surrounding) const {
    return stage_.surroundings == nullptr || stage_.surroundings->are_empty(surrounding);
  }
  [[nodiscard]] TimedBatch timed_in_steps(Surrounding surrounding);
  /// A sample's batches in a surrounding, one for each site.
  [[nodiscard]] std::vector<device::Batch*> prepared(Surrounding surrounding, Scheme scheme);
  [[nodiscard]] device::BatchTime timed_graphs(Surrounding surrounding, Scheme scheme);
  [[nodiscard]] bool is_replayed() const;

  Stage stage_;
  Work work_;
  std::size_t executions_;
  std::map<std::pair<Surrounding, std::size_t>, std::unique_ptr<device::Batch>>
      prepared_;  // at a site
};

}  // namespace redtune::tuner
