// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/measure/clock_guard.hpp"

#include <fmt/format.h>
#include <vector>

#include "tuner/measure/plausible.hpp"
#include "tuner/measure/statistics.hpp"
#include "tuner/measure/untrustworthy.hpp"

namespace redtune::tuner {
namespace {

/// How often an implausible sample is taken again before the device is not believed.
constexpr int most_attempts = 3;

/// A clock that fell for a moment is back after a few samples; one that stays low needs a rest.
constexpr Seconds most_work{0.3};
/// Rests double from the first to the last, 12.7 s together; those of a session end with the third
/// sum.
constexpr Seconds first_rest{0.1};
constexpr Seconds last_rest{6.4};
constexpr Seconds most_rest{60};
/// Samples after a rest, in which the clock may have fallen for want of work.
constexpr int wake_ups = 8;
/// Samples whose pace becomes the new one.
constexpr int pace_samples = 5;

/// Share of the calibrated speed below which a sample is dropped.
constexpr double least_speed(Phase phase) {
  return phase == Phase::search ? 0.90 : 0.95;
}

template <class WhyNot>
Sample sample_that_can_be_true(Sampler& sampler, const BatchOrder& order, const WhyNot& why_not) {
  std::string why;
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    const Sample sample = sampler.sample(order);
    why = why_not(sample);
    if (why.empty()) return sample;
  }
  throw ImplausibleSample(why);
}

}  // namespace

Sample plausible_sample(Sampler& sampler, const MeasureTask& task, const BatchOrder& order) {
  return sample_that_can_be_true(sampler, order, [&](const Sample& sample) {
    return why_implausible(sample, task.bytes, task.peak_bytes_per_us);
  });
}

Sample sizing_sample(Sampler& sampler, const BatchOrder& order) {
  return sample_that_can_be_true(sampler, order, why_clocks_disagree);
}

ClockGuard::ClockGuard(Sampler& sampler, const MeasureTask& task, Calibration& calibration)
    : sampler_(sampler), task_(task), calibration_(calibration) {}

/// As a share of the calibrated one; 1 where nobody knows.
double ClockGuard::speed_of(const Sample& sample) const {
  if (!calibration_.pace_us || !sample.pace_us) return 1;
  return *calibration_.pace_us / *sample.pace_us;
}

Sample ClockGuard::sample(const BatchOrder& order, Phase phase) {
  const Sample sample = plausible_sample(sampler_, task_, order);
  if (!(speed_of(sample) < least_speed(phase))) return sample;
  if (const auto later = sample_after_work(order, phase)) return *later;
  if (const auto later = sample_after_rest(order, phase)) return *later;
  if (recalibrations_ > 0 && !task_.accept_noise) {
    throw UntrustworthySession(fmt::format(
        "the device's clock stays at {:.0f} % of what it was, after {:.0f} s of rest and a new "
        "calibration: let the device cool down, end what else runs on it, or pass --force-noisy",
        100 * speed_of(sample), rested_.count()));
  }
  return recalibrate(order);
}

Sample ClockGuard::sizing_sample(const BatchOrder& order) {
  return tuner::sizing_sample(sampler_, order);
}

std::optional<Sample> ClockGuard::sample_after_work(const BatchOrder& order, Phase phase) {
  const Seconds begin = sampler_.now();
  do {
    const Sample sample = plausible_sample(sampler_, task_, order);
    if (!(speed_of(sample) < least_speed(phase))) return sample;
  } while (sampler_.now() - begin < most_work);
  return std::nullopt;
}

std::optional<Sample> ClockGuard::sample_after_rest(const BatchOrder& order, Phase phase) {
  for (Seconds rest = first_rest; rest <= last_rest && rested_ < most_rest; rest *= 2) {
    sampler_.wait(rest);
    rested_ += rest;
    for (int i = 0; i < wake_ups; ++i) {
      const Sample sample = plausible_sample(sampler_, task_, order);
      if (!(speed_of(sample) < least_speed(phase))) return sample;
    }
  }
  return std::nullopt;
}

Sample ClockGuard::recalibrate(const BatchOrder& order) {
  Sample sample;
  std::vector<double> paces;
  double speed = 1;
  for (int i = 0; i < pace_samples; ++i) {
    sample = plausible_sample(sampler_, task_, order);
    if (sample.pace_us) paces.push_back(*sample.pace_us);
    speed = speed_of(sample);
  }
  if (!paces.empty()) calibration_.pace_us = median(paces);
  ++recalibrations_;
  calibration_.warnings.push_back(
      fmt::format("the device's clock fell to {:.0f} % of what it was and stayed there; "
                  "later times are those of the slower clock",
                  100 * speed));
  return sample;
}

}  // namespace redtune::tuner
