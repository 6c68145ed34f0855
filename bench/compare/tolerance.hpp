// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How far two results may be apart: one rule for the host and the device.
#pragma once

#include <cmath>

#if defined(__CUDACC__) || defined(__HIP__)
#define REDTUNE_HOST_AND_DEVICE __host__ __device__
#else
#define REDTUNE_HOST_AND_DEVICE
#endif

namespace redtune::compare {

/// Units in the last place of so many binary digits.
struct Tolerance {
  double units = 0;
  int digits = 0;
};

/// Whether both are finite and within the tolerance of each other, or equal.
REDTUNE_HOST_AND_DEVICE inline bool are_within(const Tolerance& tolerance, double x, double y) {
  if (x == y) return true;
  if (!std::isfinite(x) || !std::isfinite(y)) return false;
  const double larger = std::fmax(std::fabs(x), std::fabs(y));
  const double unit = std::ldexp(1.0, std::ilogb(larger) + 1 - tolerance.digits);
  return std::fabs(x - y) <= tolerance.units * unit;
}

}  // namespace redtune::compare
