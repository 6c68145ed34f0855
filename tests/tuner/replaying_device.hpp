// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A device that replays graphs, and what samples are taken with there.
#pragma once

#include <cstddef>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "tests/tuner/imagined_device.hpp"
#include "tuner/measure/batch_timer.hpp"

namespace redtune::tuner {

inline constexpr double launch_us = 10;

/// Every launch takes the same time, and more in a graph that is new or that many launches of
/// others were replayed since; replays and single launches are counted.
class ReplayingDevice final : public ImaginedDevice {
 public:
  using ImaginedDevice::ImaginedDevice;
  [[nodiscard]] bool two_streams_delay_starts() const override { return delays_starts; }
  void launch(std::span<const device::Launch> launches, device::Stream stream) override {
    queued.insert(queued.end(), launches.begin(), launches.end());
    on_stream[stream.handle] += launches.size();
  }
  [[nodiscard]] device::Stream second_stream() override { return {this}; }
  [[nodiscard]] device::BatchTime time(std::span<const device::Launch> launches) override {
    const double us = launch_us * static_cast<double>(launches.size());
    return {.device_us = us, .host_us = us};
  }
  [[nodiscard]] device::Batching batching() const override { return device::Batching::graph; }
  [[nodiscard]] std::unique_ptr<device::Batch> prepare(
      std::span<const device::Launch> launches) override {
    seen.emplace_back(launches.begin(), launches.end());
    return std::make_unique<Replay>(*this, launches.size());
  }

  bool delays_starts = true;
  double way_back_us = 0;  ///< of each launch
  std::size_t room = 0;    ///< for so many launches of others a graph keeps its place
  std::size_t replays = 0;
  std::vector<device::Launch> queued;
  std::map<void*, std::size_t> on_stream;
  std::vector<std::vector<device::Launch>> seen;  ///< each batch that was prepared

 private:
  class Replay final : public device::Batch {
   public:
    Replay(ReplayingDevice& device, std::size_t launches) : device_(device), launches_(launches) {}
    [[nodiscard]] device::BatchTime time() override {
      ++device_.replays;
      const bool is_there = was_replayed_ && device_.replayed_ - at_last_ <= device_.room;
      was_replayed_ = true;
      at_last_ = device_.replayed_ += launches_;
      const double us =
          (is_there ? launch_us : launch_us + device_.way_back_us) * static_cast<double>(launches_);
      return {.device_us = us, .host_us = us};
    }

   private:
    ReplayingDevice& device_;
    std::size_t launches_;
    bool was_replayed_ = false;
    std::size_t at_last_ = 0;
  };
  std::size_t replayed_ = 0;
};

/// What surroundings are made of where nothing runs.
inline SurroundingKernels no_kernels() {
  SurroundingKernels none;
  for (const auto kernel :
       {kernels::SurroundingKernel::touch, kernels::SurroundingKernel::renew,
        kernels::SurroundingKernel::sweep, kernels::SurroundingKernel::consume}) {
    none.kernels[kernel] = {};
  }
  return none;
}

class OnReplayingDevice : public ::testing::Test {
 protected:
  Runnable runnable(const char* settings, CacheMode mode = CacheMode::warm) {
    const kernels::Family& family = kernels::find_family("reduce");
    Limits limits;
    limits.compute_units = 100;
    runtime::LoadedConfig config({&family, make_problem(Op::sum, DType::f32, 1 << 18, mode),
                                  parse_settings(settings), limits},
                                 nullptr, std::vector<device::Kernel>(2));
    return runnable_of(std::move(config), device_);
  }

  ReplayingDevice device_{{.cache_bytes = 8 << 20, .free_bytes = std::size_t{1} << 30}};
  std::vector<std::byte> input_ = std::vector<std::byte>(1 << 20);
  GuardedOutput output_{device_, 4, most_places};
};

/// Between other kernels, each of which takes as long as one of the candidate.
class Between : public OnReplayingDevice {
 protected:
  Surroundings surroundings_of(CacheMode mode) {
    return {device_,
            no_kernels(),
            {.input_bytes = input_.size(), .cache_mode = mode, .results = {&result_}}};
  }
  /// A sample of five executions, and the launches of each of its batches.
  Sample sample(CacheMode mode, Scheme scheme) {
    InputSlots slots(device_, input_, mode);
    const Surroundings surroundings = surroundings_of(mode);
    OthersAlone others(device_, surroundings, slots);
    const Stage stage{
        .device = &device_, .slots = &slots, .surroundings = &surroundings, .others = &others};
    const Runnable two = runnable("finish=second_pass", mode);
    return BatchTimer(stage, work_of(two, output_), 5).sample(scheme);
  }

  float result_ = 0;
};

}  // namespace redtune::tuner
