// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Where the segments of inputs begin and end that candidates are tried on. Offsets of a whole input
// lie behind its elements, in the same memory: a cold input has cold offsets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "redtune/problem.hpp"
#include "runtime/bound_plan.hpp"

namespace redtune::tuner {

/// Of segments one behind the other, which together are all elements: where each begins, and where
/// the last ends. A function of the shape alone. Lengths are between half and one and a half times
/// their mean; zipf: the r-th longest is 1/r of the longest, in random order; giant: that in the
/// middle has half of all elements, the others share the rest as uniform ones do. Nothing of a
/// shape without segments.
[[nodiscard]] std::vector<std::int64_t> segment_offsets(const Shape& shape);
/// As they lie in memory: of shape.offset_bits.
[[nodiscard]] std::vector<std::byte> packed_offsets(std::span<const std::int64_t> offsets,
                                                    const Shape& shape);

/// Bytes from the beginning of an input to its offsets, and of all of it.
[[nodiscard]] std::size_t offsets_at(const Problem& problem);
[[nodiscard]] std::size_t bytes_with_offsets(const Problem& problem);

/// What a launch is given whose segments lie one behind the other.
[[nodiscard]] runtime::Operands operands_of(const Shape& shape, const void* in, const void* offsets,
                                            void* out);
/// Of an input of the problem that has its offsets behind it; the shape may have fewer segments.
[[nodiscard]] runtime::Operands operands_in(const Problem& problem, const Shape& shape,
                                            const void* in, void* out);

}  // namespace redtune::tuner
