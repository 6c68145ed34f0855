// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Finalists on inputs made to find mistakes, at every shape where a config changes its ways, from
// aligned addresses and others. Some milliseconds each: too much for every trial.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "device/device.hpp"
#include "tuner/verify/guarded_output.hpp"
#include "tuner/verify/input_memory.hpp"
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

  /// What is expected of an input, and the results last found right: the same again, of a config
  /// that adds as many or more one after the other, need no other look.
  struct Known {
    std::unique_ptr<const Expected> expected;
    std::vector<std::byte> right;
    std::int64_t longest_chain = 0;

    [[nodiscard]] std::string why_wrong(std::span<const std::byte> results, std::int64_t chain);
  };

 private:
  /// One launch: of an adversary, from the alignment or one element off it.
  struct Attempt {
    Adversary adversary;
    bool is_aligned = true;
    std::size_t begin = 0;  ///< in memory_
    Known* known = nullptr;
  };
  /// On inputs that go together into memory at once, since waiting takes longer than running.
  [[nodiscard]] std::string why_wrong_on(const Runnable& candidate, const Shape& shape,
                                         std::span<const Adversary> adversaries);
  /// What is expected of all inputs that are not known yet.
  void work_out(std::span<const Shape> shapes, std::span<const Adversary> adversaries);
  /// Brings the inputs to the device.
  [[nodiscard]] std::vector<Attempt> place(const Shape& shape,
                                           std::span<const Adversary> adversaries);
  /// Fills so many bytes of memory_ with the inputs of attempts.
  void place_small(const Shape& shape, std::span<const Attempt> attempts, std::size_t bytes);
  void place_large(const Shape& shape, std::span<const Attempt> attempts, std::size_t bytes);
  void lay_out(const Shape& shape, std::span<const Attempt> attempts, InputMemory& memory) const;
  [[nodiscard]] GuardedOutput& output_for(std::size_t bytes, std::size_t places);

  device::Device& device_;
  const Job& job_;
  std::optional<GuardedOutput> output_;  // as large, and in as many places, as the most so far
  device::Buffer memory_;                // inputs and their surroundings
  device::Buffer offsets_;               // of segments, the same for all of them
  std::vector<std::byte> staged_;        // likewise, before they are brought there
  std::map<std::pair<Adversary, Shape>, Known> known_;
};

}  // namespace redtune::tuner
