// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The measurement protocol, from warming up to the rounds of the final. It knows candidates by
// number and time by what its sampler says; docs/explanation/measurement.md gives the reasons.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "redtune/interval.hpp"
#include "tuner/measure/decide.hpp"
#include "tuner/measure/sampler.hpp"

namespace redtune::tuner {

/// Raised by one whenever results of different rules cannot be compared; stored with each result.
inline constexpr int protocol_version = 1;

/// What is measured, as far as it tells what times can be true.
struct MeasureTask {
  double bytes = 0;              ///< that one execution reads
  double peak_bytes_per_us = 0;  ///< no device of this kind reads faster; 0: nobody knows
  std::uint64_t seed = 0;        ///< of the order within the rounds
  bool accept_noise = false;     ///< go on above the noise at which measuring makes no sense
};

/// What a session found out before it began.
struct Calibration {
  double default_us = 0;     ///< of one execution of the default, warm
  double resolution_us = 0;  ///< of the device's clock
  double empty_us = 0;       ///< of a batch of nothing
  /// Half the width of the 95 % interval of the default against itself, as a share (0.01: 1 %).
  double noise_floor = 0;
  std::optional<double> pace_us = {};  ///< see Sample; at the speed that later samples must reach
  double seconds = 0;                  ///< that calibrating took
  std::vector<std::string> warnings = {};
};

/// What a candidate's race came to.
struct Raced {
  Interval time_us;  ///< of one execution, at the speed the device had when it was calibrated
  int samples = 0;
  std::size_t executions = 1;  ///< of a batch
  bool is_hopeless = false;    ///< given up before all samples were taken
};

struct Retimed {
  CandidateId candidate{};
  Interval time_us;
};

struct FinalLimits {
  std::size_t least_rounds = 30;
  std::size_t most_rounds = 200;
  Seconds most_time{20};
  const std::atomic<bool>* stop = nullptr;  ///< ends the rounds early, with what there is
};

class Protocol {
 public:
  Protocol(Sampler& sampler, const MeasureTask& task);
  ~Protocol();
  Protocol(const Protocol&) = delete;
  Protocol& operator=(const Protocol&) = delete;

  /// First. Warms up, and times the default against itself. Throws Untrustworthy.
  const Calibration& calibrate(CandidateId default_candidate);

  /// Times a candidate against the fastest so far. Throws ImplausibleTime.
  [[nodiscard]] Raced race(CandidateId candidate);
  /// A time that is known already, e.g. from the run that this one continues.
  void assume(CandidateId candidate, const Interval& time_us);
  /// A candidate is out, e.g. because it turned out to be wrong: nothing is compared with it.
  void forget(CandidateId candidate);

  /// To be called between races: times the fastest again when that is due, and when it moved, its
  /// near competitors too. The new times of those that were measured again.
  [[nodiscard]] std::vector<Retimed> refresh();

  /// Rounds of one sample of each finalist, in random order, until the answer is clear. Finalist 0
  /// is the default. Those that are clearly slower drop out on the way. Throws ImplausibleTime.
  [[nodiscard]] Rounds confirm(std::span<const CandidateId> finalists, const FinalLimits& limits);

  /// Microseconds of one execution when each launch is queued by the host.
  [[nodiscard]] double stream_us(CandidateId candidate);

  [[nodiscard]] const Calibration& calibration() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace redtune::tuner
