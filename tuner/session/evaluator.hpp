// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The only door between thinking and the device: points of a space in, outcomes out.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "search/point.hpp"
#include "tuner/measure/decide.hpp"
#include "tuner/measure/terms.hpp"
#include "tuner/session/outcome.hpp"

namespace redtune::tuner {

/// A trial's outcome and what it cost to get.
struct Evaluation {
  Outcome outcome;
  double compile_ms = 0;  ///< this trial's share of its compile batch; 0 when the binary was there
  double wall_ms = 0;
  int attempts = 1;  ///< more where something failed that may not be the config's fault
  int worker = 0;    ///< the worker that measured it, counted from 1
};

/// What became of a point later: it was timed again, or disqualified.
struct Update {
  search::Point point;
  Outcome outcome;
};

class Evaluator {
 public:
  virtual ~Evaluator() = default;
  /// Makes ready what several evaluations share, e.g. compiles them together; may go on with it
  /// behind other calls.
  virtual void prepare(std::span<const search::Point>) {}
  /// One evaluation for each point, in order; those behind a default that failed are left out, as
  /// there is nothing to compare them with. Throws when the device itself fails.
  [[nodiscard]] virtual std::vector<Evaluation> evaluate(std::span<const search::Point> points) = 0;
  /// What an earlier run found of a point.
  virtual void assume(const search::Point&, const Outcome&) {}
  /// What changed since the last call of points that were measured.
  [[nodiscard]] virtual std::vector<Update> updates() { return {}; }
  /// The search is over, and these are likely to come into the final: starts what that will need.
  virtual void prepare_final(std::span<const search::Point>) {}
  /// Runs a point that was measured on inputs made to find mistakes: nothing when it makes none,
  /// else that was disqualified. That may be the point before, whose fault came to light only now:
  /// then nothing is known of this one. An evaluator that cannot finds none.
  [[nodiscard]] virtual std::optional<Update> challenge(const search::Point&) { return {}; }
  /// Times points that were measured before against each other, the default first; or tells which
  /// of them cannot be timed.
  [[nodiscard]] virtual std::variant<Rounds, Update> confirm(std::span<const search::Point> points,
                                                             const FinalLimits& limits) = 0;
  /// Likewise, a few rounds off the alignment of vectors: see BatchOrder. An evaluator that cannot
  /// has none.
  [[nodiscard]] virtual Rounds displaced(std::span<const search::Point>) { return {}; }
  /// What the time of a point that was measured before is made of, and its times by other schemes.
  [[nodiscard]] virtual Figures figures(const search::Point& point) = 0;
  /// What a config uses of the device.
  [[nodiscard]] virtual FinalistTraits traits(const search::Point&) const { return {}; }
  /// Nothing before the first evaluation.
  [[nodiscard]] virtual const Calibration* calibration() const { return nullptr; }
  /// Who else has used the device since it was opened; empty: nobody, as far as the driver tells.
  [[nodiscard]] virtual std::string disturbance() { return {}; }
  /// What the device's sensors tell now, as a JSON object; empty: nothing.
  [[nodiscard]] virtual std::string readings() { return {}; }
};

}  // namespace redtune::tuner
