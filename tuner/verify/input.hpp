// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Input data whose right answer the host can compute: what candidates are verified and measured on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "redtune/problem.hpp"

namespace redtune::tuner {

/// count elements of a type, from a seed: numbers of both signs over many magnitudes for floats
/// (never NaN, nothing that overflows when summed), all bits random for integers; of 8 and 16 bits
/// a bell with rare ends.
[[nodiscard]] std::vector<std::byte> make_input(DType dtype, std::int64_t count,
                                                std::uint64_t seed);

/// Floats whose sum is exact in any order, so that a result is right or wrong however long its
/// chains of additions are: small whole numbers whose magnitudes add up to no more than the type
/// counts without gaps, 2^24 for f32. Beyond 2^24 elements that leaves zeros between them.
/// Integers: as make_input.
[[nodiscard]] std::vector<std::byte> make_whole_numbers(DType dtype, std::int64_t count,
                                                        std::uint64_t seed);

}  // namespace redtune::tuner
