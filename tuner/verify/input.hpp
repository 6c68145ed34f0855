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

}  // namespace redtune::tuner
