// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The kernels of plan_segments.hip.h, which make plans: which there are, and what they are given.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "kernel_templates/segments/planned.hpp"
#include "redtune/limits.hpp"
#include "redtune/problem.hpp"

namespace redtune::kernels {

[[nodiscard]] const std::string& plan_text();
/// Name expressions: of clear_words, of find_share_starts, or of count_bins and place_bins.
[[nodiscard]] std::vector<std::string> plan_kernels(PlanContent content, std::int64_t offset_bits,
                                                    const Limits& limits);
/// Of clear_words and measure_segments.
[[nodiscard]] std::vector<std::string> measure_kernels(std::int64_t offset_bits,
                                                       const Limits& limits);

/// Threads of each block of these kernels, and blocks where each has a run of segments.
[[nodiscard]] int plan_block(const Limits& limits);
[[nodiscard]] std::int64_t plan_grid(std::int64_t segments, const Limits& limits);

/// Where a plan lies and what is made beside it, in bytes; see binned_segments.hip.h.
struct PlanLayout {
  std::int64_t list = 0;          ///< of segments in bins, from the plan's beginning
  std::int64_t first_pieces = 0;  ///< likewise, of those of several blocks
  std::int64_t bytes = 0;         ///< of all of the plan
  std::int64_t counts = 0;        ///< of the counts that it is made by
};
/// Bins number segments by 32 bits.
inline constexpr std::int64_t most_binned_segments = (std::int64_t{1} << 32) - 2;
[[nodiscard]] PlanLayout plan_layout(const Settings& settings, const Shape& shape,
                                     const Limits& limits);

/// What find_share_starts is given.
struct PlannedShares {
  std::int64_t length = 0;
  std::int64_t many = 0;
};
[[nodiscard]] PlannedShares planned_shares(const Settings& settings, const Shape& shape,
                                           const Limits& limits);
/// Elements of a segment up to which it is one of each bin but the last.
[[nodiscard]] std::array<std::int64_t, 4> bin_limits(const Settings& settings,
                                                     const Limits& limits);

}  // namespace redtune::kernels
