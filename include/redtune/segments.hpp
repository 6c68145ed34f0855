// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Where the segments of an array begin and end.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include "redtune/export.hpp"
#include "redtune/problem.hpp"

namespace redtune {

/// Addresses of the offsets of so many segments, in elements of their array. They are in order:
/// none begins before the one ahead has ended; between them there may be elements that are in none.
struct SegmentOffsets {
  const void* begins = nullptr;  ///< an offset for each segment
  const void* ends = nullptr;    ///< likewise, that of the first element behind it
  std::int64_t count = 0;        ///< segments
  int bits = 32;                 ///< of an offset, a signed integer of 32 or 64 bits
};

/// Of segments that lie one behind the other, as the rows of a sparse matrix do: count + 1 offsets,
/// of which the last is where the last segment ends.
template <class Offset>
[[nodiscard]] constexpr SegmentOffsets segments_at(const Offset* offsets, std::int64_t count) {
  static_assert(std::is_integral_v<Offset> && std::is_signed_v<Offset> &&
                    (sizeof(Offset) == 4 || sizeof(Offset) == 8),
                "offsets are std::int32_t or std::int64_t");
  return {offsets, offsets == nullptr ? nullptr : offsets + 1, count, 8 * int{sizeof(Offset)}};
}
/// Of segments with elements between them.
template <class Offset>
[[nodiscard]] constexpr SegmentOffsets segments_between(const Offset* begins, const Offset* ends,
                                                        std::int64_t count) {
  return {begins, ends, count, segments_at(begins, count).bits};
}

/// Why these are no segments of an array of so many elements: out of order, or beyond it; empty
/// where they are. Offsets lie in memory of the host.
[[nodiscard]] REDTUNE_API std::string why_no_segments(const SegmentOffsets& offsets,
                                                      std::int64_t elements);

}  // namespace redtune
