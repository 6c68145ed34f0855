// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/measure/batch_size.hpp"

#include <algorithm>
#include <cmath>

namespace redtune::tuner {

std::size_t executions_for(double one_us, double batch_us) {
  const double executions = std::ceil(batch_us / one_us);
  return static_cast<std::size_t>(
      std::clamp(executions, 1.0, static_cast<double>(most_executions)));
}

double batch_us_for(Phase phase, double resolution_us) {
  return std::max(phase == Phase::search ? 1000.0 : 10000.0, 200 * resolution_us);
}

}  // namespace redtune::tuner
