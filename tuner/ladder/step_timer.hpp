// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How long a step of the ladder takes: its kernels alone, and with the copies to and from the
// device. Slow steps get few samples: what they show is large.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "device/device.hpp"
#include "redtune/interval.hpp"
#include "tuner/measure/input_slots.hpp"

namespace redtune::tuner {

/// One sum of the input at an address, as launches in their order.
using Execution = std::function<std::vector<device::Launch>(const void* in)>;

struct StepTimes {
  Interval kernel_us;  ///< by the device's clock; of one sum
  std::size_t samples = 0;
  std::size_t executions = 0;  ///< sums in a sample
  Interval system_us;          ///< by the host's clock: input copied, kernels run, result copied
  std::size_t system_samples = 0;
};

class StepTimer {
 public:
  /// data: what the slots hold copies of. output: where sums go, of so many bytes.
  struct Bench {
    device::Device* device = nullptr;
    InputSlots* slots = nullptr;
    std::span<const std::byte> data;
    void* output = nullptr;
    std::size_t output_bytes = 0;
    double peak_bytes_per_us = 0;  ///< no step reads faster; 0: unknown
  };
  explicit StepTimer(const Bench& bench) : bench_(bench) {}

  /// Throws ImplausibleSample, DeviceError.
  [[nodiscard]] StepTimes time(const Execution& execution);

 private:
  [[nodiscard]] std::size_t most_executions(const Execution& execution) const;
  [[nodiscard]] std::size_t least_executions() const;
  [[nodiscard]] std::vector<device::Launch> batch_of(const Execution& execution,
                                                     std::size_t executions);
  [[nodiscard]] double sample(device::Batch& batch, std::size_t executions) const;
  void time_kernels(const Execution& execution, StepTimes& times);
  void time_system(const Execution& execution, StepTimes& times) const;

  Bench bench_;
};

}  // namespace redtune::tuner
