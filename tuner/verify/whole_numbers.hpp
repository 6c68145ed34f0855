// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Inputs whose sum is exact in floats.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "redtune/problem.hpp"

namespace redtune::tuner {

/// Floats whose sum is exact in any order, so that a result is right or wrong however long its
/// chains of additions are: small whole numbers whose magnitudes add up to no more than the type
/// counts without gaps, 2^24 for f32. Beyond 2^24 elements that leaves zeros between them.
/// Integers: as make_input.
[[nodiscard]] std::vector<std::byte> make_whole_numbers(const Problem& problem, std::uint64_t seed);

}  // namespace redtune::tuner
