// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What the result of a custom operator should be. The host cannot compute it, so the same device
// does, by kernels that fold one element after the other and have nothing else in common with
// those that are tuned. A device or compiler that is wrong in the same way in both is not noticed.
#pragma once

#include <cstdint>
#include <string>

#include "tuner/verify/operator_program.hpp"

namespace redtune::tuner {

/// The results of several orders of folding. They differ by rounding alone, and so show its size.
struct CustomReference {
  long double low = 0;
  long double high = 0;
  bool is_nan = false;      ///< in every order
  bool is_unclear = false;  ///< NaN or infinite in some orders only: nothing can be said
  std::int64_t chain = 1;   ///< operations that a value passed through
  /// How far the result moves by a unit of rounding of all magnitudes together, in the accumulator.
  long double per_rounding = 0;
};

/// in: count elements of the problem's type on the program's device. Throws UsageError when
/// integers come out differently in different orders: the operator is not associative.
[[nodiscard]] CustomReference custom_reference(const OperatorProgram& program, const void* in,
                                               std::int64_t count);

/// Empty when got, one value of problem.out, is right; else one line that says what was expected.
/// Integers are compared exactly. Floats may be as far from the reference as the roundings of the
/// candidate's own chain can bring them, and 8 times as far as its orders from each other, and 64
/// units of rounding, since few orders may agree by chance; custom_reference.cpp says why.
[[nodiscard]] std::string why_wrong(const Problem& problem, const CustomReference& reference,
                                    std::int64_t longest_chain, const void* got);

}  // namespace redtune::tuner
