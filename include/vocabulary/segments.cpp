// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "redtune/segments.hpp"

#include <fmt/format.h>

namespace redtune {
namespace {

template <class Offset>
std::string why_none(const SegmentOffsets& offsets, std::int64_t elements) {
  const auto* const begins = static_cast<const Offset*>(offsets.begins);
  const auto* const ends = static_cast<const Offset*>(offsets.ends);
  std::int64_t before = 0;
  for (std::int64_t i = 0; i < offsets.count; ++i) {
    const std::int64_t begin = begins[i];
    const std::int64_t end = ends[i];
    if (begin < before) {
      return i == 0 ? fmt::format("segment 0 begins at {}", begin)
                    : fmt::format("segment {} begins at {}, before segment {} ends at {}", i, begin,
                                  i - 1, before);
    }
    if (end < begin) {
      return fmt::format("segment {} ends at {}, before it begins at {}", i, end, begin);
    }
    if (end > elements) {
      return fmt::format("segment {} ends at {}, beyond the {} elements of the array", i, end,
                         elements);
    }
    before = end;
  }
  return {};
}

}  // namespace

std::string why_no_segments(const SegmentOffsets& offsets, std::int64_t elements) {
  return offsets.bits == 64 ? why_none<std::int64_t>(offsets, elements)
                            : why_none<std::int32_t>(offsets, elements);
}

}  // namespace redtune
