// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Where samples come from: a device behind a worker process, or a formula in a test. The protocol
// (protocol.hpp) knows nothing else of what it measures.
#pragma once

#include <chrono>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "device/device.hpp"

namespace redtune::tuner {

using Seconds = std::chrono::duration<double>;

/// A config under measurement, by the number its sampler knows it by.
enum class CandidateId : std::size_t {};

/// What a batch consists of.
enum class Scheme {
  between,  ///< each execution between other kernels, as in a program; their time is taken off
  by_host,  ///< the same, every launch queued by the host
  row,      ///< executions alone, each behind the one before
};

/// What stands before an execution.
enum class Surrounding {
  small_kernel,  ///< with memory of its own
  producer,      ///< it has just written the input
  itself,        ///< the execution before
};

[[nodiscard]] constexpr std::string_view to_string(Surrounding surrounding) {
  switch (surrounding) {
    case Surrounding::small_kernel:
      return "small_kernel";
    case Surrounding::producer:
      return "producer";
    case Surrounding::itself:
      return "itself";
  }
  return "";
}

struct BatchOrder {
  CandidateId candidate{};
  std::size_t executions = 1;
  Scheme scheme = Scheme::between;
  /// A part of the input that begins off the alignment of vectors, instead of all of it.
  bool is_displaced = false;
};

/// One timed batch: so many executions in one surrounding.
struct TimedBatch {
  Surrounding surrounding = Surrounding::itself;
  device::BatchTime time;  ///< of all of it
  double others_us = 0;    ///< what the other kernels take in it, without the executions
};

/// One batch in each surrounding.
struct Sample {
  std::vector<TimedBatch> batches;
  std::size_t executions = 1;  ///< of each batch
  /// Microseconds of one execution that a replay hides and an application pays: the host's for
  /// every launch but the first.
  double charge_us = 0;
  /// Whether each execution was timed by itself, so that how many there are changes nothing.
  bool is_one_by_one = false;
  /// How long a fixed piece of arithmetic took right after the batches: the device's clock, turned
  /// over. Nothing where the device is timed by the host's clock.
  std::optional<double> pace_us = {};

  /// One execution's own share of a batch.
  [[nodiscard]] double share_us(const TimedBatch& batch) const {
    return (batch.time.device_us - batch.others_us) / static_cast<double>(executions) + charge_us;
  }
  /// The score: the geometric mean of the shares. Not a number when one is not positive.
  [[nodiscard]] double us() const {
    double logarithms = 0;
    for (const TimedBatch& batch : batches) {
      const double share = share_us(batch);
      if (!(share > 0)) return std::numeric_limits<double>::quiet_NaN();
      logarithms += std::log(share);
    }
    return std::exp(logarithms / static_cast<double>(batches.size()));
  }
  /// Of the shortest batch, each execution with what stands around it.
  [[nodiscard]] double step_us() const {
    double least = std::numeric_limits<double>::infinity();
    for (const TimedBatch& batch : batches) least = std::min(least, batch.time.device_us);
    return least / static_cast<double>(executions);
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
