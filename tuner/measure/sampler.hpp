// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Where samples come from: a device behind a worker process, or a formula in a test. The protocol
// (protocol.hpp) knows nothing else of what it measures.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>

#include "device/device.hpp"

namespace redtune::tuner {

using Seconds = std::chrono::duration<double>;

/// A config under measurement, by the number its sampler knows it by.
enum class CandidateId : std::size_t {};

/// replayed: the device alone is timed, where it can replay a batch; by_host: every launch is
/// queued by the host, as an application does it.
enum class Queueing { replayed, by_host };

struct BatchOrder {
  CandidateId candidate{};
  std::size_t executions = 1;
  Queueing queueing = Queueing::replayed;
};

/// One timed batch of back-to-back executions.
struct Sample {
  device::BatchTime time;  ///< of the whole batch
  std::size_t executions = 1;
  /// Microseconds of one execution that a replay hides and an application pays: the host's for
  /// every launch but the first.
  double charge_us = 0;
  /// How long a fixed piece of arithmetic took right after the batch: the device's clock, turned
  /// over. Nothing where the device is timed by the host's clock.
  std::optional<double> pace_us = {};

  /// Of one execution.
  [[nodiscard]] double us() const {
    return time.device_us / static_cast<double>(executions) + charge_us;
  }
};

class Sampler {
 public:
  virtual ~Sampler() = default;
  /// Takes one sample. Whatever a candidate does to the device is an exception of the sampler's.
  [[nodiscard]] virtual Sample sample(const BatchOrder& order) = 0;
  /// A batch of nothing: what beginning and ending one costs.
  [[nodiscard]] virtual device::BatchTime empty_batch() = 0;
  /// Time that passes, from any beginning; virtual in tests.
  [[nodiscard]] virtual Seconds now() const = 0;
  /// Lets the device rest.
  virtual void wait(Seconds seconds) = 0;
};

}  // namespace redtune::tuner
