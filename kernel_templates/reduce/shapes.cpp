// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/reduce/shapes.hpp"

#include <algorithm>

#include "kernel_templates/reduce/library_shapes.hpp"
#include "kernel_templates/reduce/rules.hpp"

namespace redtune::kernels {
namespace {

/// A shape without its vector width: that is the widest load of the device.
struct KnownShape {
  Finish finish;
  int block_size;
  int items_per_thread;  ///< of 4 bytes or more; of smaller ones as many as have these bytes
  int blocks_per_unit;
  TileOrder tile_order = TileOrder::strided;
  Load load = Load::cached;
  Fence fence = Fence::full;
  int cluster_size = 1;
};

constexpr KnownShape shapes[] = {
    // Processors: one lane per block, one contiguous run per core, many loads in flight.
    {Finish::single_block, 1, 64, 0},
    {Finish::last_block, 1, 64, 1, TileOrder::chunked},
    {Finish::last_block, 1, 16, 1, TileOrder::chunked},
    // GPUs, by growing count: what has won on an H200. One block; few blocks, ended by one wave;
    // one tile for each block; a few large blocks for each unit, streaming.
    {Finish::single_block, 64, 8, 0},
    {Finish::single_block, 256, 16, 0},
    {Finish::single_block, 512, 8, 0},
    {Finish::single_block, 256, 64, 0},
    {Finish::last_wave, 256, 16, 0, TileOrder::strided, Load::cached, Fence::acq_rel},
    {Finish::last_wave, 64, 32, 0, TileOrder::strided, Load::cached, Fence::acq_rel},
    {Finish::last_wave, 128, 64, 0, TileOrder::strided, Load::cached, Fence::acq_rel},
    {Finish::last_wave, 512, 32, 0, TileOrder::strided, Load::cached, Fence::acq_rel},
    {Finish::last_wave, 512, 16, 1, TileOrder::strided, Load::cached, Fence::acq_rel},
    {Finish::last_wave, 1024, 16, 1, TileOrder::strided, Load::cached, Fence::acq_rel},
    {Finish::cluster, 256, 16, 0, TileOrder::strided, Load::cached, Fence::acq_rel, 4},
    {Finish::cluster, 256, 16, 0, TileOrder::strided, Load::cached, Fence::acq_rel, 8},
    {Finish::cluster, 512, 16, 0, TileOrder::strided, Load::cached, Fence::acq_rel, 8},
    {Finish::cluster, 1024, 16, 0, TileOrder::strided, Load::cached, Fence::acq_rel, 8},
    // Blocks that hand over by words: one tile for each, or a few blocks for each unit.
    {Finish::slots, 64, 16, 0},
    {Finish::slots, 256, 16, 0},
    {Finish::slots, 512, 16, 1},
    {Finish::slots, 512, 32, 2},
    {Finish::slots, 512, 64, 16},
    {Finish::counted, 64, 16, 0},
    {Finish::counted, 256, 16, 0},
    {Finish::counted, 512, 32, 1},
    {Finish::atomic, 512, 32, 0},
    {Finish::atomic, 512, 32, 2},
    {Finish::last_block, 512, 32, 2, TileOrder::strided, Load::cached, Fence::acq_rel},
    {Finish::last_block, 512, 16, 4, TileOrder::strided, Load::streaming, Fence::acq_rel},
    {Finish::last_block, 1024, 32, 32, TileOrder::chunked, Load::streaming, Fence::acq_rel},
};

constexpr int most_items = 64;
constexpr int most_blocks_per_unit = 32;

ReduceConfig config_of(const KnownShape& shape, int in_bytes, int widest) {
  const int items = std::min(shape.items_per_thread * std::max(1, 4 / in_bytes), most_items);
  return {.finish = shape.finish,
          .block_size = shape.block_size,
          .items_per_thread = std::max(items, widest),
          .vector_width = widest,
          .blocks_per_unit = shape.blocks_per_unit,
          .tile_order = shape.tile_order,
          .load = shape.load,
          .fence = shape.fence,
          .cluster_size = shape.cluster_size};
}

/// A shape of the vendor's library, as it is launched there: a block for each tile, or as many as
/// there may be, and a second launch for their values.
ReduceConfig config_of(const LibraryShape& shape, const Problem& problem, const Limits& limits,
                       int widest) {
  ReduceConfig config{.finish = Finish::second_pass,
                      .block_size = shape.block_size,
                      .items_per_thread = shape.items_per_thread,
                      .vector_width = std::min(widest, shape.items_per_thread),
                      .blocks_per_unit = 0};
  if (tiles_of(config, problem.count) < 2) config.finish = Finish::single_block;
  if (tiles_of(config, problem.count) > std::min(most_blocks, limits.max_grid)) {
    config.blocks_per_unit = most_blocks_per_unit;
  }
  return config;
}

}  // namespace

std::vector<ReduceConfig> known_shapes(const Problem& problem, const Limits& limits,
                                       std::string_view isa) {
  const auto in_bytes = static_cast<int>(size_of(problem.in));
  const int widest = std::clamp(limits.max_vector_bytes / in_bytes, 1, 16);
  std::vector<ReduceConfig> known;
  const auto add = [&](const ReduceConfig& config) {
    if (why_outside_space(config, problem, limits).empty()) known.push_back(config);
  };
  // First: so few trials that it leaves out the vendor's own choice no search has.
  for (const LibraryShape& shape : library_shapes(isa, problem.acc)) {
    add(config_of(shape, problem, limits, widest));
  }
  for (const KnownShape& shape : shapes) {
    ReduceConfig config = config_of(shape, in_bytes, widest);
    if (!may_stream(problem, limits)) config.load = Load::cached;
    if (!may_take_runs(problem, limits)) config.tile_order = TileOrder::strided;
    add(config);
  }
  return known;
}

std::vector<ReduceConfig> floor_shapes(const ReduceConfig& like, const Problem& problem,
                                       const Limits& limits) {
  const auto in_bytes = static_cast<int>(size_of(problem.in));
  const int widest = std::clamp(limits.max_vector_bytes / in_bytes, 1, 16);
  std::vector<ReduceConfig> configs{like};
  for (const KnownShape& shape : shapes) configs.push_back(config_of(shape, in_bytes, widest));
  std::vector<ReduceConfig> found;
  for (ReduceConfig config : configs) {
    // What ends it does not matter: one block, or so many.
    const bool is_one = config.finish == Finish::single_block;
    config = {.finish = is_one ? Finish::single_block : Finish::last_block,
              .block_size = config.block_size,
              .items_per_thread = config.items_per_thread,
              .vector_width = config.vector_width,
              .blocks_per_unit = config.blocks_per_unit,
              .load = config.load};
    const bool is_known = std::ranges::find(found, config) != found.end();
    if (is_known || !why_outside_space(config, problem, limits).empty()) continue;
    found.push_back(config);
  }
  return found;
}

}  // namespace redtune::kernels
