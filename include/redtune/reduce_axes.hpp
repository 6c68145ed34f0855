// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// From an array of any rank and the axes that are to be reduced to a Shape, as people write both.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "redtune/export.hpp"
#include "redtune/problem.hpp"

namespace redtune {

/// What remains of an array of which some axes are reduced, once neighbours that are reduced, or
/// kept, have become one axis; all axes reduced are a whole array, and reduced ones before and
/// behind kept ones channels of a batch. extents: of the axes, the last counting fastest. strides:
/// elements from one index of each axis to the next; none: without gaps. axes: from 0, or from -1
/// backwards; none: all. Results lie one behind the other in the order of the kept axes, and
/// elements of a result count in the order of memory. Throws UsageError, one line, for what is no
/// array or no axis, no result at all, and axes that cannot become a Shape: reduced ones in three
/// places of memory, or in two of which one is not the last, and kept ones with gaps or in an order
/// that one axis cannot have.
[[nodiscard]] REDTUNE_API Shape reduce_axes(const std::vector<std::int64_t>& extents,
                                            const std::vector<std::int64_t>& strides,
                                            const std::vector<std::int64_t>& axes);

/// Reads "4096x1024", each extent as a count. Throws UsageError.
[[nodiscard]] REDTUNE_API std::vector<std::int64_t> parse_extents(std::string_view text);

/// Reads "1", "-1", "0,2". Throws UsageError.
[[nodiscard]] REDTUNE_API std::vector<std::int64_t> parse_axes(std::string_view text);

}  // namespace redtune
