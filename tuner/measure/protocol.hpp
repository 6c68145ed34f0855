// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The measurement protocol, from warming up to the rounds of the final. It knows candidates by
// number and time by what its sampler says; docs/explanation/measurement.md gives the reasons.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "redtune/interval.hpp"
#include "runtime/protocol_version.hpp"
#include "tuner/measure/rounds.hpp"
#include "tuner/measure/terms.hpp"

namespace redtune::tuner {

class Protocol {
 public:
  Protocol(Sampler& sampler, const MeasureTask& task);
  ~Protocol();
  Protocol(const Protocol&) = delete;
  Protocol& operator=(const Protocol&) = delete;

  /// First. Warms up, and times the default against itself. Throws UntrustworthySession,
  /// ImplausibleSample.
  const Calibration& calibrate(CandidateId default_candidate);

  /// Times a candidate against the fastest so far. Throws ImplausibleSample, and
  /// UntrustworthySession when the device's clock stays low; so do all that follow.
  [[nodiscard]] Raced race(CandidateId candidate);
  /// A time that is known already, e.g. from the run that this one continues.
  void assume(CandidateId candidate, const Interval& time_us);
  /// A candidate is out, e.g. because it turned out to be wrong: nothing is compared with it.
  void forget(CandidateId candidate);

  /// To be called between races: when that is due, finds out by a reference how fast the device is
  /// now, and times the fastest again; when the speed jumped, its near competitors too. The new
  /// times of those that were measured again.
  [[nodiscard]] std::vector<Retimed> refresh();

  /// Rounds of one sample of each finalist, in random order, until the answer is clear. Finalist 0
  /// is the default. Those that are clearly slower drop out on the way. At least two rounds.
  [[nodiscard]] Rounds confirm(std::span<const CandidateId> finalists, const FinalLimits& limits);

  /// Likewise, a few rounds off the alignment of vectors: see BatchOrder.
  [[nodiscard]] Rounds displaced(std::span<const CandidateId> finalists);

  /// What the score is made of, and what it is not.
  [[nodiscard]] Figures figures(CandidateId candidate);

  [[nodiscard]] const Calibration& calibration() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace redtune::tuner
