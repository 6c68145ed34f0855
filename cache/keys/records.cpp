// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cache/keys/records.hpp"

#include <cmath>

namespace redtune::cache {

bool is_positive(const Interval& interval) {
  return 0 < interval.low && interval.low <= interval.median && interval.median <= interval.high &&
         std::isfinite(interval.high);
}

Question question_of(const RunStart& start) {
  return {.family = start.family,
          .space_key = start.space_key,
          .problem = start.problem,
          .device_class = start.device.device_class,
          .toolchain = start.device.toolchain};
}

std::string_view to_string(RunState state) {
  switch (state) {
    case RunState::running:
      return "running";
    case RunState::done:
      return "done";
    case RunState::interrupted:
      return "interrupted";
    case RunState::failed:
      return "failed";
  }
  return "?";
}

std::string_view to_string(ExclusionScope scope) {
  switch (scope) {
    case ExclusionScope::toolchain:
      return "toolchain";
    case ExclusionScope::device:
      return "device";
    case ExclusionScope::problem:
      return "problem";
  }
  return "?";
}

std::string_view to_string(IntentStage stage) {
  return stage == IntentStage::compile ? "compile" : "launch";
}

bool is_plausible(const Best& best) {
  const auto is_amount = [](double value) { return std::isfinite(value) && value >= 0; };
  return is_positive(best.time_us) && is_positive(best.gain) && std::isfinite(best.default_us) &&
         best.default_us > 0 && is_amount(best.gigabytes_per_second) && best.samples >= 0 &&
         is_amount(best.batch_us) && is_amount(best.noise_floor) && best.protocol >= 0 &&
         is_amount(best.stream_us);
}

}  // namespace redtune::cache
