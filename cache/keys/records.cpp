// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cache/keys/records.hpp"

#include <cmath>
#include <type_traits>

#include "cache/keys/described_best.hpp"

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
  bool is_good = best.default_us > 0;
  for_each_member(best, [&]<class Value>(const auto&, const Value& value) {
    if constexpr (std::is_same_v<Value, Interval>)
      is_good = is_good && is_positive(value);
    else if constexpr (std::is_arithmetic_v<Value>)
      is_good = is_good && std::isfinite(static_cast<double>(value)) && value >= 0;
  });
  return is_good;
}

}  // namespace redtune::cache
