// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/measure/batch_size.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "tuner/verify/places.hpp"

namespace redtune::tuner {
namespace {

/// A batch made by the first execution alone, which took longer than each of many, may be shorter
/// than it was meant to be.
constexpr double long_enough = 0.7;

}  // namespace

std::size_t executions_for(double one_us, double batch_us) {
  const double executions = std::ceil(batch_us / one_us);
  return std::bit_ceil(
      static_cast<std::size_t>(std::clamp(executions, 1.0, static_cast<double>(most_executions))));
}

std::size_t grown(std::size_t executions, double one_us, double batch_us) {
  const bool is_long_enough = executions_for(one_us, long_enough * batch_us) <= executions;
  return is_long_enough ? executions : executions_for(one_us, batch_us);
}

double batch_us_for(double resolution_us) {
  constexpr double least_ticks = 140;  // at each site
  return std::max(700.0, most_sites * least_ticks * resolution_us);
}

}  // namespace redtune::tuner
