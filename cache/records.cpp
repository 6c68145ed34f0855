// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cache/records.hpp"

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

bool is_plausible(const Best& best) {
  return is_positive(best.time_us) && is_positive(best.gain) && std::isfinite(best.default_us) &&
         best.default_us > 0 && std::isfinite(best.gigabytes_per_second) &&
         best.gigabytes_per_second >= 0;
}

}  // namespace redtune::cache
