// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What the result of a custom operator should be. The host cannot compute it, so the same device
// does, by kernels that fold one element after the other and have nothing else in common with
// those that are tuned. A device or compiler that is wrong in the same way in both is not noticed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tuner/verify/operator_program.hpp"

namespace redtune::tuner {

/// What several orders of folding give for a value of the result. They differ by rounding alone,
/// and so show its size.
struct ValueReference {
  long double low = 0;
  long double high = 0;
  bool is_nan = false;       ///< in every order
  bool is_unclear = false;   ///< NaN or infinite in some orders only: nothing can be said
  bool is_infinite = false;  ///< of no elements: nothing overflowed, so that no number is right
  /// How far it moves by a unit of rounding of all magnitudes together, in the accumulator; of a
  /// struct the sum of what each member does.
  long double per_rounding = 0;
  /// The coarsest unit roundoff of what it depends on; 0: integers alone, so it is exact.
  long double unit_roundoff = 0;
};

struct CustomReference {
  std::vector<ValueReference> values;  ///< of one result
  std::int64_t chain = 1;              ///< operations that an element passed through
};

/// in: count elements of the problem's type on the program's device. Throws UsageError when
/// integers come out differently in different orders: the operator is not associative.
[[nodiscard]] CustomReference custom_reference(const OperatorProgram& program, const void* in,
                                               std::int64_t count);

/// Empty when got, one result, is right; else one line that says what was expected, of several
/// values with the name of the first that is wrong.
/// Integers are compared exactly. Floats may be as far from the reference as the roundings of the
/// candidate's own chain can bring them, and 8 times as far as its orders from each other, and 64
/// units of rounding, since few orders may agree by chance; custom_reference.cpp says why.
[[nodiscard]] std::string why_wrong(const Problem& problem, const CustomReference& reference,
                                    std::int64_t longest_chain, const void* got);

}  // namespace redtune::tuner
