// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Lets pass only samples that can be true and were taken at about the calibrated speed of the
// device; takes slow ones again, and lets the device rest when its clock stays low.
#pragma once

#include "tuner/measure/terms.hpp"

namespace redtune::tuner {

/// One sample, taken up to three times until it can be true. Throws ImplausibleSample.
[[nodiscard]] Sample plausible_sample(Sampler& sampler, const MeasureTask& task,
                                      const BatchOrder& order);

/// Likewise a sample that only tells how long a batch must be: its shares tell nothing.
[[nodiscard]] Sample sizing_sample(Sampler& sampler, const BatchOrder& order);

class ClockGuard {
 public:
  /// Compares with the pace of the calibration, and replaces it once when the device does not get
  /// back to it. All three outlive the guard.
  ClockGuard(Sampler& sampler, const MeasureTask& task, Calibration& calibration);

  /// Throws ImplausibleSample, and UntrustworthySession when the clock stays low a second time.
  [[nodiscard]] Sample sample(const BatchOrder& order, Phase phase);

  /// One execution, whatever the device's speed, to find out how many make a batch.
  [[nodiscard]] Sample sizing_sample(const BatchOrder& order);

  /// How often the calibrated pace was replaced.
  [[nodiscard]] int recalibrations() const { return recalibrations_; }

 private:
  [[nodiscard]] double speed_of(const Sample& sample) const;
  [[nodiscard]] std::optional<Sample> sample_after_work(const BatchOrder& order, Phase phase);
  [[nodiscard]] std::optional<Sample> sample_after_rest(const BatchOrder& order, Phase phase);
  [[nodiscard]] Sample recalibrate(const BatchOrder& order);

  Sampler& sampler_;
  const MeasureTask& task_;
  Calibration& calibration_;
  Seconds rested_{0};
  int recalibrations_ = 0;
};

}  // namespace redtune::tuner
