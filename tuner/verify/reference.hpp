// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The exact answer of a reduction, computed on the host, and whether a result is near enough to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "redtune/problem.hpp"
#include "tuner/verify/input.hpp"
#include "tuner/verify/scaled_product.hpp"

namespace redtune::tuner {

/// What is known of an input, enough to say what a right result looks like. Of parts of an input
/// it is known apart, and merged.
struct Reference {
  std::int64_t count = 0;   ///< elements
  std::uint64_t bits = 0;   ///< integers: the value's two's complement, wrapped to 64 bits
  long double value = 0;    ///< floats: compensated; may be NaN or infinite
  std::int64_t index = -1;  ///< extremes: of the element that was taken; -1: of none

  // The second of two values: the largest beside the smallest, the sum of exponentials beside the
  // largest, what squares of distances come to beside the mean.
  std::uint64_t second_bits = 0;
  long double second = 0;
  std::int64_t second_index = -1;
  long double largest = 0;  ///< magnitude, beside the mean

  // Sums: what their rounding errors are scaled by.
  long double lost = 0;      ///< what value lost to rounding so far
  long double positive = 0;  ///< sum of the finite elements above 0; of squares: of all
  long double negative = 0;  ///< and of the magnitudes of those below

  // Products: zeros, infinities and NaN are counted, the rest is multiplied.
  ScaledProduct grown;         ///< of the magnitudes above 1
  ScaledProduct shrunk;        ///< and of those below
  std::int64_t inexact = 0;    ///< magnitudes that are no power of two: their products round
  std::int64_t negatives = 0;  ///< elements with a sign, zeros included
  std::int64_t zeros = 0;
  std::int64_t infinities = 0;
  std::int64_t nans = 0;
};

/// data holds problem.count elements of problem.in, at any alignment. Throws Error for
/// Op::custom, which only a device can evaluate.
[[nodiscard]] Reference reference_of(const Problem& problem, std::span<const std::byte> data);

/// Of problem.count elements of a generated input from element first on; the input is never in
/// memory as a whole.
[[nodiscard]] Reference reference_of(const Problem& problem, const Recipe& recipe,
                                     std::int64_t first = 0);

/// What is known of count elements of a generated input, from its element first on.
struct KnownPart {
  std::int64_t first = 0;
  std::int64_t count = 0;
  Reference reference;
};

/// As reference_of(problem, recipe, first), where a part of these elements is known: the others
/// alone are folded. All of them where the part is not among them.
[[nodiscard]] Reference reference_around(const Problem& problem, const Recipe& recipe,
                                         std::int64_t first, const KnownPart& part);

/// Empty when got, a result of the problem, is right; else one line that says what was expected.
/// longest_chain: additions that any element's value passes through, at most. acceptable.hpp says
/// how far floats may be off.
[[nodiscard]] std::string why_wrong(const Problem& problem, const Reference& reference,
                                    std::int64_t longest_chain, const void* got);

/// A result for people: "7", "1.5 at 3", "mean 1.5 variance 0.25".
/// value_text: of one of several values.
[[nodiscard]] std::string result_text(const Problem& problem, const void* result);
[[nodiscard]] std::string value_text(const ResultValue& value, const void* result);

}  // namespace redtune::tuner
