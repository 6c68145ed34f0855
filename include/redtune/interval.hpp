// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A measured value with the range it lies in.
#pragma once

#include <compare>

namespace redtune {

struct Interval {
  double low = 0;
  double median = 0;
  double high = 0;

  auto operator<=>(const Interval&) const = default;
};

}  // namespace redtune
