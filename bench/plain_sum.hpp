// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a reduction is measured against: a sum as plain C++ does it, as fast as it gets.
#pragma once

#include <cstddef>

namespace redtune::bench {

/// One thread's part: 8 independent vector accumulators over two contiguous halves.
[[nodiscard]] float plain_sum(const float* values, std::size_t count);

}  // namespace redtune::bench
