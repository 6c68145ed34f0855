// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Results of reductions as bytes of a type known at run time: as text, and whether two agree.
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "bench/compare/tolerance.hpp"
#include "redtune/problem.hpp"

namespace redtune::compare {

/// Room for a result of any type: an element, or an IndexedValue with its index in the second half.
using Bytes = std::array<std::byte, 16>;
static_assert(sizeof(IndexedValue<double>) == sizeof(Bytes));

[[nodiscard]] std::string text_of(const DTypeInfo& type, const Bytes& value);
/// Of a result of the problem; with an index "-7.875 at 12".
[[nodiscard]] std::string text_of(const Problem& problem, const Bytes& result);

/// Of results of the problem; means nothing for integers.
[[nodiscard]] Tolerance tolerance_of(const Problem& problem);

/// Integers: the same bits. Floating: at most two units in the last place apart. The inputs are
/// small multiples of 1/8, so that single precision adds them without rounding in any order; what
/// may differ is the rounding of the result itself.
[[nodiscard]] bool agree(const DTypeInfo& type, const Bytes& a, const Bytes& b);
/// Of results of the problem. An index must be the same. Squares add up to more than single
/// precision holds: their sums depend on the order and may be 1024 units apart.
[[nodiscard]] bool agree(const Problem& problem, const Bytes& a, const Bytes& b);

}  // namespace redtune::compare
