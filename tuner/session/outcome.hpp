// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What became of a trial. What tuning expects to happen is a value; what it does not is an
// exception.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "redtune/interval.hpp"

namespace redtune::tuner {

/// Right, and timed.
struct Measured {
  Interval time_us;  ///< of one execution
  int samples = 0;
};
/// Right, but so slow that timing it further would be wasted.
struct Slow {
  double time_us = 0;  ///< of one execution, from few samples
};
struct CompileFailed {
  std::string why;
};
struct LaunchFailed {
  std::string why;
};
struct WrongResult {
  std::string why;
};
/// Wrong once and right once: never to be trusted.
struct Flaky {
  std::string why;
};
struct Crashed {
  std::string why;
};
struct TimedOut {
  std::string why;
};
/// The measurement cannot be true; not the config's fault.
struct Implausible {
  std::string why;
};

using Outcome = std::variant<Measured, Slow, CompileFailed, LaunchFailed, WrongResult, Flaky,
                             Crashed, TimedOut, Implausible>;

/// "ok", "slow", "compile_failed", ...: as stored and logged.
[[nodiscard]] std::string_view status_of(const Outcome& outcome);

/// Why the trial failed; empty for those that did not.
[[nodiscard]] std::string detail_of(const Outcome& outcome);

/// Backwards; nothing for a status that is none, or a time that is missing.
[[nodiscard]] std::optional<Outcome> outcome_of(std::string_view status,
                                                const std::optional<Interval>& time_us, int samples,
                                                const std::string& detail);

/// What a strategy is told: microseconds, or nothing when the config cannot win.
[[nodiscard]] std::optional<double> cost_of(const Outcome& outcome);

}  // namespace redtune::tuner
