// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// One choice of every tunable of the family 'reduce'.
#pragma once

#include <compare>
#include <string_view>
#include <tuple>

#include "kernel_templates/family/field.hpp"

namespace redtune::kernels {

/// The way the blocks of a grid become one value.
enum class Finish {
  single_block,
  last_block,
  last_wave,
  second_pass,
  atomic,
  cluster,
  slots,
  counted,
};
/// How tiles are dealt to blocks: round-robin, or one contiguous run each.
enum class TileOrder { strided, chunked };
/// How input is loaded: kept in caches, or passing through.
enum class Load { cached, streaming };
/// Memory order of the hand-over to the block that takes the last ticket.
enum class Fence { full, acq_rel };

/// Who reads the slots of the other blocks: one wave of the last block, or all of it.
enum class SlotReader { wave, block };
/// What a reader does while slots are empty: reads all that it looks at again, or the empty ones.
enum class SlotWait { all, missing };
/// Whether a count of one whole tile for each block has a way of its own.
enum class ExactTiles { off, on };
/// Which launches may start before the work queued ahead of them has ended: none, all, or the
/// second of two alone, which stands behind a kernel that lets it.
enum class Early { off, on, second };

[[nodiscard]] std::string_view to_string(Finish finish);
[[nodiscard]] std::string_view to_string(TileOrder order);
[[nodiscard]] std::string_view to_string(Load load);
[[nodiscard]] std::string_view to_string(Fence fence);
[[nodiscard]] std::string_view to_string(Early early);
[[nodiscard]] std::string_view to_string(SlotReader reader);
[[nodiscard]] std::string_view to_string(SlotWait wait);
[[nodiscard]] std::string_view to_string(ExactTiles tiles);

struct ReduceConfig {
  Finish finish = Finish::last_block;
  int block_size = 256;       ///< threads per block
  int items_per_thread = 16;  ///< elements a thread loads per tile; a multiple of vector_width
  int vector_width = 4;       ///< elements per load instruction
  int blocks_per_unit = 4;    ///< blocks launched per compute unit; 0: one tile per block
  TileOrder tile_order = TileOrder::strided;
  Load load = Load::cached;
  Fence fence = Fence::full;
  int cluster_size = 1;  ///< blocks that fold through each other's shared memory
  Early early_start = Early::off;
  int slot_stride = 8;  ///< bytes from slot to slot, at least
  SlotReader slot_reader = SlotReader::wave;
  SlotWait slot_wait = SlotWait::all;
  ExactTiles exact_tiles = ExactTiles::off;

  auto operator<=>(const ReduceConfig&) const = default;

  static constexpr auto fields() {
    return std::tuple{
        field("finish", &ReduceConfig::finish, Finish::single_block, Finish::last_block,
              Finish::last_wave, Finish::second_pass, Finish::atomic, Finish::cluster,
              Finish::slots, Finish::counted),
        field("block_size", &ReduceConfig::block_size, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024),
        field("items_per_thread", &ReduceConfig::items_per_thread, 1, 2, 4, 8, 16, 32, 64),
        field("vector_width", &ReduceConfig::vector_width, 1, 2, 4, 8, 16),
        field("blocks_per_unit", &ReduceConfig::blocks_per_unit, 0, 1, 2, 4, 8, 16, 32),
        field("tile_order", &ReduceConfig::tile_order, TileOrder::strided, TileOrder::chunked),
        field("load", &ReduceConfig::load, Load::cached, Load::streaming),
        field("fence", &ReduceConfig::fence, Fence::full, Fence::acq_rel),
        field("cluster_size", &ReduceConfig::cluster_size, 1, 2, 4, 8),
        field("early_start", &ReduceConfig::early_start, Early::off, Early::on, Early::second),
        field("slot_stride", &ReduceConfig::slot_stride, 8, 32, 128),
        field("slot_reader", &ReduceConfig::slot_reader, SlotReader::wave, SlotReader::block),
        field("slot_wait", &ReduceConfig::slot_wait, SlotWait::all, SlotWait::missing),
        field("exact_tiles", &ReduceConfig::exact_tiles, ExactTiles::off, ExactTiles::on),
    };
  }
};

}  // namespace redtune::kernels
