// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Which configs of 'reduce_segments' can run on a device, which are worth trying for a problem, and
// what follows from a config alone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernel_templates/segments/config.hpp"
#include "redtune/limits.hpp"
#include "redtune/problem.hpp"

namespace redtune::kernels {

/// Shares of a launch at most: what the workspace has room for, and cuts_by_tickets in
/// reduce_segments.hip.h.
inline constexpr std::int64_t most_segment_shares = 8192;

[[nodiscard]] constexpr bool is_shared(SegmentWay way) {
  return way == SegmentWay::tickets || way == SegmentWay::slots;
}

/// Whether a plan holds something for a config: where shares begin, or bins. Waves that stream have
/// shares of their own, and look for them.
[[nodiscard]] constexpr bool is_planned(const SegmentsConfig& config) {
  return config.way == SegmentWay::bins ||
         (is_shared(config.way) && config.staging != Staging::stream);
}

/// Why a launch without a plan cannot have a config; empty: it can.
[[nodiscard]] std::string why_not_without_plan(const SegmentsConfig& config);

/// Elements that a block has room for in shared memory; 0 where it stages none.
[[nodiscard]] std::int64_t stage_of_segments(const SegmentsConfig& config);
/// Elements of a tile of a wave where all are streamed.
[[nodiscard]] std::int64_t stream_tile(const SegmentsConfig& config, const Limits& limits);
/// Segments that a block folds at a time.
[[nodiscard]] std::int64_t tile_of_segments(const SegmentsConfig& config);
/// Elements of a segment up to which its group of threads folds it alone, and a wave.
[[nodiscard]] std::int64_t most_of_group(const SegmentsConfig& config);
[[nodiscard]] std::int64_t most_of_wave(const SegmentsConfig& config, const Limits& limits);
/// Where segments are in bins, also those up to which a thread alone folds one.
[[nodiscard]] std::int64_t most_of_thread(const SegmentsConfig& config);
/// And those that a block folds alone where segments are in bins: longer ones are cut to pieces of
/// so many.
[[nodiscard]] std::int64_t most_of_block(const SegmentsConfig& config);
/// Elements and ends of segments together.
[[nodiscard]] std::int64_t steps_of(const Shape& shape);
/// Shares are equal in elements and ends, each of which counts as so many elements: of a stream as
/// several.
[[nodiscard]] std::int64_t steps_of_end(const SegmentsConfig& config);
/// Blocks of the launch, and steps of each of them; of tiles there are none.
[[nodiscard]] std::int64_t segment_blocks(const SegmentsConfig& config, const Shape& shape,
                                          const Limits& limits);
[[nodiscard]] std::int64_t share_length(const SegmentsConfig& config, const Shape& shape,
                                        const Limits& limits);

/// Of an array's segments in bins, at most: how many are cut to pieces, and pieces of all of them.
struct BinPieces {
  std::int64_t segments = 0;
  std::int64_t all = 0;
};
[[nodiscard]] BinPieces most_bin_pieces(const SegmentsConfig& config, const Shape& shape);

/// Elements of the widest load.
[[nodiscard]] std::int64_t widest_segment_vector(const Problem& problem, const Limits& limits);

/// Empty when a config can run on a device, whatever the shape; else why it cannot.
[[nodiscard]] std::string why_unbuildable(const SegmentsConfig& config, const Problem& problem,
                                          const Limits& limits);
/// Empty when it is worth trying, too, for the problem's shape. Of the first axes alone, and of
/// all.
[[nodiscard]] std::string why_threads_outside_space(const SegmentsConfig& config,
                                                    const Problem& problem, const Limits& limits);
[[nodiscard]] std::string why_loads_outside_space(const SegmentsConfig& config,
                                                  const Problem& problem, const Limits& limits);
[[nodiscard]] std::string why_outside_space(const SegmentsConfig& config, const Problem& problem,
                                            const Limits& limits);
inline constexpr std::size_t segment_thread_axes = 4;  ///< up to threads_per_segment
inline constexpr std::size_t segment_load_axes = 7;    ///< up to vector_width

/// Upper bound on the additions that an element's value passes through, for lengths that are spread
/// as the shape says.
[[nodiscard]] std::int64_t longest_chain(const SegmentsConfig& config, const Problem& problem,
                                         const Limits& limits);

}  // namespace redtune::kernels
