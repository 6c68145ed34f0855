// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/session/lost_workers.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace redtune::tuner {
namespace {

constexpr std::size_t most_in_a_row = 5;
constexpr std::size_t least_trials = 20;
constexpr double most_share = 0.1;

bool all_have(const std::vector<Settings>& all, const Setting& wanted) {
  return std::ranges::all_of(all, [&](const Settings& settings) {
    return std::ranges::find(settings, wanted) != settings.end();
  });
}

}  // namespace

void LostWorkers::survived(const Settings& settings) {
  alive_.push_back(settings);
  in_a_row_ = 0;
}

void LostWorkers::died(const Settings& settings) {
  dead_.push_back(settings);
  ++in_a_row_;
  check();
}

std::string LostWorkers::in_common() const {
  std::string text;
  if (dead_.empty()) return text;
  for (const Setting& setting : dead_.front()) {
    const bool tells_something = alive_.empty() || !all_have(alive_, setting);
    if (!all_have(dead_, setting) || !tells_something) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", setting.name, setting.value);
  }
  return text;
}

void LostWorkers::check() const {
  const std::size_t trials = dead_.size() + alive_.size();
  const bool is_too_much = trials >= least_trials && static_cast<double>(dead_.size()) >
                                                         most_share * static_cast<double>(trials);
  if (in_a_row_ < most_in_a_row && !is_too_much) return;
  const std::string common = in_common();
  throw DeviceUnhealthy(fmt::format(
      "{} of {} configs ended the process that owns the device{}; stopped. What they have in "
      "common: {}. Look into the driver's log and 'redtune log', then run the same command again: "
      "it goes on from here",
      dead_.size(), trials,
      in_a_row_ >= most_in_a_row ? fmt::format(", the last {}", in_a_row_) : "",
      common.empty() ? "nothing" : common));
}

}  // namespace redtune::tuner
