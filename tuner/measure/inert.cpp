// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/measure/inert.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace redtune::tuner {
namespace {

constexpr std::size_t least_configs = 10;
constexpr double spread = 1.001;

}  // namespace

std::string why_inert(std::span<const double> times_us) {
  if (times_us.size() < least_configs) return {};
  const auto [least, most] = std::ranges::minmax(times_us);
  if (most > spread * least) return {};
  return fmt::format(
      "the measurement is inert: all of {} different configurations took {:.2f} us, to 0.1 %",
      times_us.size(), least);
}

}  // namespace redtune::tuner
