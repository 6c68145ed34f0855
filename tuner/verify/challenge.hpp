// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Finalists on inputs made to find mistakes, at every shape where a config changes its ways, from
// aligned addresses and others. A few milliseconds each: too much for every trial.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "device/device.hpp"
#include "tuner/verify/guarded_output.hpp"
#include "tuner/verify/job.hpp"
#include "tuner/verify/runnable.hpp"

namespace redtune::tuner {

class Challenge {
 public:
  /// The job must outlive it.
  Challenge(device::Device& device, const Job& job) : device_(device), job_(job) {}

  /// What is wrong with the first output that is; empty for a config that is always right. Throws
  /// DeviceError, and UsageError where a custom operator is at fault.
  [[nodiscard]] std::string why_wrong(const Runnable& candidate);

 private:
  [[nodiscard]] std::string why_wrong_on(const Runnable& candidate, const Shape& shape,
                                         const Adversary& adversary);
  /// Of the elements that lie in memory.
  [[nodiscard]] const Expected& expected(const Adversary& adversary, const PlacedInput& input,
                                         std::span<const std::byte> elements);
  [[nodiscard]] const void* place(std::span<const std::byte> input, std::size_t offset);
  [[nodiscard]] GuardedOutput& output_for(std::size_t bytes);

  device::Device& device_;
  const Job& job_;
  std::optional<GuardedOutput> output_;  // as large as the largest so far
  device::Buffer memory_;                // likewise, for an input and its surroundings
  std::map<std::pair<Adversary, Shape>, std::unique_ptr<const Expected>> expected_;
};

}  // namespace redtune::tuner
