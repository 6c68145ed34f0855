// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The kernel of reduce_by_key.hip.h, which finds and reduces groups of equal neighbouring keys in
// one launch: its tunables, and what it needs. No tune looks for them; the default was chosen by
// measurements.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

#include "kernel_templates/family/field.hpp"
#include "kernel_templates/reduce/config.hpp"
#include "redtune/limits.hpp"
#include "redtune/problem.hpp"
#include "redtune/settings.hpp"

namespace redtune::kernels {

/// How elements come to their threads: all of a tile by way of shared memory, or by each thread's
/// own loads.
enum class Bring { by_stage, by_thread };

[[nodiscard]] std::string_view to_string(Bring bring);

/// What a thread does where a group begins among its elements.
enum class AtHeads { by_branches, by_stores };

[[nodiscard]] std::string_view to_string(AtHeads at_heads);

/// Registers of a thread on NVIDIA GPUs: as the compiler likes, or as many as leave room for
/// several blocks on a multiprocessor.
enum class Registers { free, bounded };

[[nodiscard]] std::string_view to_string(Registers registers);

struct KeyedTilesConfig {
  Bring bring = Bring::by_thread;
  int block_size = 256;       ///< threads per block
  int items_per_thread = 16;  ///< neighbouring elements
  Load load = Load::cached;
  AtHeads at_heads = AtHeads::by_stores;
  int look_back = 1;  ///< tiles before whose states a lane looks at at a time
  Registers registers = Registers::bounded;

  auto operator<=>(const KeyedTilesConfig&) const = default;

  static constexpr auto fields() {
    return std::tuple{
        field("bring", &KeyedTilesConfig::bring, Bring::by_stage, Bring::by_thread),
        field("block_size", &KeyedTilesConfig::block_size, 64, 128, 256, 384, 512, 1024),
        field("items_per_thread", &KeyedTilesConfig::items_per_thread, 1, 2, 3, 4, 5, 6, 7, 8, 10,
              12, 14, 16, 20, 24, 28, 32),
        field("load", &KeyedTilesConfig::load, Load::cached, Load::streaming),
        field("at_heads", &KeyedTilesConfig::at_heads, AtHeads::by_branches, AtHeads::by_stores),
        field("look_back", &KeyedTilesConfig::look_back, 1, 2, 4),
        field("registers", &KeyedTilesConfig::registers, Registers::free, Registers::bounded),
    };
  }
};

/// Elements of a tile.
[[nodiscard]] std::int64_t tile_of_keys(const KeyedTilesConfig& config);
/// Why such tiles cannot be launched here; empty where they can be.
[[nodiscard]] std::string why_not_in_tiles(const KeyedTilesConfig& config, int key_bits,
                                           const Problem& problem, const Limits& limits);
[[nodiscard]] KeyedTilesConfig default_keyed_tiles(int key_bits, const Problem& problem,
                                                   const Limits& limits);
/// The default but for these settings. Throws UsageError for unknown ones and where they cannot be
/// launched.
[[nodiscard]] KeyedTilesConfig keyed_tiles_of(const Settings& settings, int key_bits,
                                              const Problem& problem, const Limits& limits);
/// Whether tiles are expected to be faster than segments: from the mean length of groups that the
/// shape tells.
[[nodiscard]] bool suits_tiles(int key_bits, const Problem& problem, const Limits& limits);

[[nodiscard]] std::string keyed_tiles_text(const Problem& problem);
[[nodiscard]] std::string keyed_tiles_kernel(const KeyedTilesConfig& config, int key_bits,
                                             const Problem& problem, int wave_size);
/// Blocks for so many elements.
[[nodiscard]] std::int64_t keyed_tiles_grid(const KeyedTilesConfig& config, std::int64_t elements);
/// Words between blocks, which are zero before the first launch, for so many tiles at most.
[[nodiscard]] std::int64_t keyed_tiles_bytes(const Problem& problem, std::int64_t tiles);
/// Additions that any element's value passes through, at most.
[[nodiscard]] std::int64_t longest_chain_in_tiles(const KeyedTilesConfig& config,
                                                  std::int64_t elements, const Limits& limits);

}  // namespace redtune::kernels
