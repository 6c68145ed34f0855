// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a kernel configuration must respect on a device; the axes of a search space are cut to fit.
#pragma once

#include <compare>
#include <cstdint>

namespace redtune {

/// Whether a device has loads that do not displace what its caches hold.
enum class StreamingLoads { absent, present };

/// Whether a kernel can start before the one queued ahead of it has ended, and wait by itself.
enum class EarlyStart { absent, present };

/// Whether blocks that add floats atomically do so without getting into each other's way: by one
/// instruction of the memory, and not by comparing and swapping in a loop.
enum class FloatAtomics { absent, f32_only, present };

/// Whether no block of a launch starts before one of a lower index, so that it may wait for those.
enum class BlockOrder { by_index, any };

struct Limits {
  int min_block_size = 64;  ///< smallest sensible block in threads
  int max_block_size = 1024;
  int max_vector_bytes = 16;  ///< bytes one load instruction can bring
  int wave_size = 64;         ///< lanes; blocks are whole waves
  int compute_units = 1;
  int registers_per_unit = 65536;  ///< 32-bit registers that all threads of a compute unit share
  int max_registers_per_thread = 255;
  std::int64_t max_grid = 0x7fffffff;  ///< blocks of a launch
  StreamingLoads streaming_loads = StreamingLoads::present;
  EarlyStart early_start = EarlyStart::absent;
  FloatAtomics float_atomics = FloatAtomics::absent;
  int max_cluster_size = 1;  ///< blocks that can reach each other's shared memory; 1: none
  BlockOrder block_order = BlockOrder::by_index;
  int max_shared_bytes = 48 * 1024;  ///< that a block can have; so much on every device

  auto operator<=>(const Limits&) const = default;
};

}  // namespace redtune
