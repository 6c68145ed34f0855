// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What is to be reduced: operator, types, element count and cache mode.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "redtune/dtype.hpp"
#include "redtune/export.hpp"
#include "redtune/op.hpp"

namespace redtune {

/// Whether the input is expected in the last-level cache (warm) or not (cold) when the reduction
/// starts.
enum class CacheMode { cold, warm };

[[nodiscard]] REDTUNE_API std::string_view to_string(CacheMode mode);
/// Throws UsageError that lists the known names.
[[nodiscard]] REDTUNE_API CacheMode parse_cache_mode(std::string_view name);

struct Problem {
  Op op = Op::sum;
  DType in = DType::f32;
  DType acc = DType::f32;
  DType out = DType::f32;
  std::int64_t count = 0;  ///< elements, >= 0
  CacheMode cache_mode = CacheMode::cold;

  auto operator<=>(const Problem&) const = default;
};

/// The problem with the default accumulator and output of an operator: sums of integers are
/// accumulated and returned in 64 bits, everything else in the type of the input.
/// Throws UsageError for a negative count or more bytes than a 64-bit index reaches.
[[nodiscard]] REDTUNE_API Problem make_problem(Op op, DType in, std::int64_t count,
                                               CacheMode cache_mode = CacheMode::cold);

/// One line for people: "sum f32 2^24 cold".
[[nodiscard]] REDTUNE_API std::string describe(const Problem& problem);

/// "2^24", "3*2^20" or plain digits: counts as people write them.
[[nodiscard]] REDTUNE_API std::string describe_count(std::int64_t count);

/// Reads "16777216", "2^24", "3*2^20", "16M" (powers of 1024: K M G). Throws UsageError.
[[nodiscard]] REDTUNE_API std::int64_t parse_count(std::string_view text);

}  // namespace redtune
