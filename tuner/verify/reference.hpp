// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The exact answer of a reduction, computed on the host, and whether a result is near enough to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "redtune/problem.hpp"

namespace redtune::tuner {

/// What a right result looks like. Integers: exact. Floats: value and the sum of magnitudes that
/// scales the rounding error.
struct Reference {
  std::uint64_t bits = 0;     ///< integers: the value's two's complement, wrapped to 64 bits
  long double value = 0;      ///< floats: compensated; may be NaN or infinite
  long double magnitude = 0;  ///< floats: sum of |x|; 0 for operators that do not round
};

/// data holds problem.count elements of problem.in, at any alignment.
[[nodiscard]] Reference reference_of(const Problem& problem, std::span<const std::byte> data);

/// Empty when got, one value of problem.out, is right; else one line that says what was expected.
/// longest_chain is the k of the error bound gamma_k * sum|x| with gamma_k = k*u / (1 - k*u), u the
/// unit roundoff of the accumulator, plus half an ulp of the output type (Higham 2002,
/// section 4.2).
[[nodiscard]] std::string why_wrong(const Problem& problem, const Reference& reference,
                                    std::int64_t longest_chain, const void* got);

}  // namespace redtune::tuner
