// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// One choice of every tunable of the family 'reduce_segments'.
#pragma once

#include <compare>
#include <string_view>
#include <tuple>

#include "kernel_templates/family/field.hpp"
#include "kernel_templates/reduce/config.hpp"

namespace redtune::kernels {

/// What a block has: tiles of neighbouring segments; or an equal share of all elements and
/// segments, where segments that are cut are put together by tickets or by slots; or what is its
/// turn of bins of segments by their lengths, of which only a plan has the lists.
enum class SegmentWay { tiles, tickets, slots, bins };

[[nodiscard]] std::string_view to_string(SegmentWay way);

/// Whether a tile of segments comes to shared memory as one stream where there is room for it, and
/// is folded there; or all elements of a share do, tile by tile of each wave, whatever segments
/// they are of.
enum class Staging { off, on, stream };

[[nodiscard]] std::string_view to_string(Staging staging);

struct SegmentsConfig {
  SegmentWay way = SegmentWay::tiles;
  Staging staging = Staging::off;
  int block_size = 256;          ///< threads per block
  int threads_per_segment = 32;  ///< that fold a segment, unless it is long for them
  int segments_per_thread = 1;   ///< on their way of a group of threads; of a stream, their ends
  int loads_per_thread = 2;  ///< loads on their way for each segment; staged, for a tile of them
  int vector_width = 4;      ///< elements per load instruction
  int blocks_per_unit = 0;   ///< blocks for each compute unit; 0: one for each tile
  Load load = Load::cached;
  Early early_start = Early::off;

  auto operator<=>(const SegmentsConfig&) const = default;

  static constexpr auto fields() {
    return std::tuple{
        field("way", &SegmentsConfig::way, SegmentWay::tiles, SegmentWay::tickets,
              SegmentWay::slots, SegmentWay::bins),
        field("staging", &SegmentsConfig::staging, Staging::off, Staging::on, Staging::stream),
        field("block_size", &SegmentsConfig::block_size, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512,
              1024),
        field("threads_per_segment", &SegmentsConfig::threads_per_segment, 1, 2, 4, 8, 16, 32, 64,
              128, 256, 512, 1024),
        field("segments_per_thread", &SegmentsConfig::segments_per_thread, 1, 2, 4, 8),
        field("loads_per_thread", &SegmentsConfig::loads_per_thread, 1, 2, 4, 8),
        field("vector_width", &SegmentsConfig::vector_width, 1, 2, 4, 8, 16),
        field("blocks_per_unit", &SegmentsConfig::blocks_per_unit, 0, 1, 2, 4, 8, 16, 32),
        field("load", &SegmentsConfig::load, Load::cached, Load::streaming),
        field("early_start", &SegmentsConfig::early_start, Early::off, Early::on),
    };
  }
};

}  // namespace redtune::kernels
