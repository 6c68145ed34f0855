// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What the measurement protocol is asked, and what its parts tell each other.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "redtune/interval.hpp"
#include "tuner/measure/sampler.hpp"

namespace redtune::tuner {

/// What is measured, as far as it tells what times can be true.
struct MeasureTask {
  double bytes = 0;              ///< that one execution reads
  double peak_bytes_per_us = 0;  ///< no device of this kind reads faster; 0: nobody knows
  std::uint64_t seed = 0;        ///< of the order within the rounds
  bool in_full = false;          ///< time what is slow to the end as well
  bool is_cold = false;          ///< copies of the input take turns; caches may keep some of them
  bool accept_noise = false;     ///< go on above the noise at which measuring makes no sense
  bool is_brief = false;         ///< one of many: calibrated by half as many samples
  /// What is of the device, and was found before: that its clock agrees with the host's, and that
  /// the length of a batch does not matter.
  bool knows_clock = false;
  bool knows_lengths = false;
};

/// The search wants to know what is worth a second look, the final which is faster by half a
/// percent.
enum class Phase { search, final };

/// What a session found out before it began.
struct Calibration {
  double default_us = 0;     ///< of one execution of the default, warm
  double resolution_us = 0;  ///< of the device's clock
  double empty_us = 0;       ///< of a batch of nothing
  /// Half the width of the 95 % interval of the default against itself, as a share (0.01: 1 %).
  double noise_floor = 0;
  std::optional<double> pace_us = {};  ///< see Sample; at the speed that later samples must reach
  /// The default's time in batches of four times as many executions over that in usual ones.
  /// Nothing where a batch holds a single one, and where it was known not to matter.
  std::optional<double> length_ratio = {};
  bool clock_agrees = false;   ///< with the host's: that was looked at, and is so
  bool lengths_agree = false;  ///< likewise, of batches
  double seconds = 0;          ///< that calibrating took
  std::vector<std::string> warnings = {};
};

/// What a candidate's race came to.
struct Raced {
  Interval time_us;  ///< of one execution, at the speed the device had when it was calibrated
  int samples = 0;
  std::size_t executions = 1;  ///< of a batch
  bool is_hopeless = false;    ///< given up before all samples were taken
};

struct TimedCandidate {
  CandidateId candidate{};
  Interval time_us;
};
using Retimed = TimedCandidate;

using Shares = std::vector<std::pair<Surrounding, double>>;

/// What no config can be faster than, see floor.hpp. us: by the score; 0: not known.
struct Floor {
  double us = 0;
  std::string shape;  ///< of the kernel, for people
  Shares shares_us;
};

/// Microseconds of one execution, medians of a few samples.
struct Figures {
  Shares shares_us;      ///< of the score
  double stream_us = 0;  ///< as the score, queued by the host
  double row_us = 0;     ///< in a row of itself
  double usual_us = 0;   ///< the score in batches as the search and the final have them
  double longer_us = 0;  ///< and in batches of four times as many executions
  Floor floor;
  std::string unknown;  ///< why none of them is known; empty: they are
};

struct FinalLimits {
  std::size_t least_rounds = 30;
  std::size_t most_rounds = 200;
  Seconds most_time{20};
  /// After it an answer that is clear within twice what is usual is clear enough.
  Seconds time_for_narrow{1};
  /// And after this one within four times.
  Seconds time_for_wide{1000};
  const std::atomic<bool>* stop = nullptr;  ///< ends the rounds early, with what there is
  Seconds most_time_once_stopped{10};       ///< for those that a gain needs
};

}  // namespace redtune::tuner
