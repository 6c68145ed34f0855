// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The only door between thinking and the device: points of a space in, outcomes out.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "search/point.hpp"
#include "tuner/measure/decide.hpp"
#include "tuner/session/outcome.hpp"

namespace redtune::tuner {

/// A trial's outcome and what it cost to get.
struct Evaluation {
  Outcome outcome;
  double compile_ms = 0;  ///< this trial's share of its compile batch; 0 when the binary was there
  double wall_ms = 0;
};

class Evaluator {
 public:
  virtual ~Evaluator() = default;
  /// One evaluation for each point, in order. Throws DeviceError only when the device itself fails.
  [[nodiscard]] virtual std::vector<Evaluation> evaluate(std::span<const search::Point> points) = 0;
  /// Runs points that were measured on inputs made to find mistakes: what became of each that made
  /// one. An evaluator that cannot finds none.
  [[nodiscard]] virtual std::vector<std::optional<Outcome>> challenge(
      std::span<const search::Point> points) {
    return std::vector<std::optional<Outcome>>(points.size());
  }
  /// Times points that were measured before against each other: rounds in random order, one sample
  /// of each point a round.
  [[nodiscard]] virtual Rounds time_rounds(std::span<const search::Point> points,
                                           std::size_t rounds) = 0;
  /// Microseconds of one execution when each is queued by the host, as an application does it.
  [[nodiscard]] virtual std::vector<double> stream_times(std::span<const search::Point> points) = 0;
};

}  // namespace redtune::tuner
