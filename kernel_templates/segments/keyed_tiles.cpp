// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/segments/keyed_tiles.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "kernel_templates/family/config_axes.hpp"
#include "kernel_templates/family/sizes.hpp"
#include "kernel_templates/reduce/custom_operator.hpp"
#include "kernel_templates/text/device_names.hpp"
#include "kernel_templates/text/device_text.hpp"
#include "redtune/error.hpp"

namespace redtune::kernels {
namespace {

constexpr std::string_view tiles_file = "reduce_by_key.hip.h";

// As in tile_states.hip.h.
constexpr std::int64_t words_before_states = 16;
constexpr std::int64_t words_of_states = 4;

/// Elements and accumulators of 4 bytes, for which other settings were faster than for the rest.
bool is_of_words(const Problem& problem) {
  return size_of(problem.in) == 4 && accumulator_bytes(problem) == 4;
}

/// Mean lengths from there on are left to segments, which are tuned: as timed on an H200.
std::int64_t long_for_tiles(const Problem& problem) {
  if (is_of_words(problem)) return 512;
  if (size_of(problem.in) >= 4 || problem.skew != Skew::uniform) return 128;
  return 32;
}

/// Of what a thread folds: an index is that in the tile.
std::int64_t value_bytes(const Problem& problem) {
  if (info(problem.op).shape == ResultShape::indexed) {
    return size_of(problem.acc) == 8 ? 16 : 8;
  }
  return static_cast<std::int64_t>(accumulator_bytes(problem));
}

/// See tile_memory in reduce_by_key.hip.h; what waves have beside it.
std::int64_t shared_bytes(const KeyedTilesConfig& c, int key_bits, const Problem& problem,
                          const Limits& limits) {
  constexpr std::int64_t vector = 16;
  const std::int64_t tile = tile_of_keys(c);
  const std::int64_t waves = c.block_size / std::max(1, limits.wave_size);
  const auto stage = [&](std::int64_t bytes) { return tile * bytes + vector; };
  const std::int64_t value = value_bytes(problem);
  return stage(key_bits / 8) +
         std::max(stage(static_cast<std::int64_t>(size_of(problem.in))), (tile + 1) * value) +
         2 * (tile + 1) + waves * (2 * value + 32) + 256;
}

}  // namespace

std::string_view to_string(Bring bring) {
  return bring == Bring::by_stage ? "by_stage" : "by_thread";
}

std::string_view to_string(AtHeads at_heads) {
  return at_heads == AtHeads::by_stores ? "by_stores" : "by_branches";
}

std::string_view to_string(Registers registers) {
  return registers == Registers::bounded ? "bounded" : "free";
}

std::int64_t tile_of_keys(const KeyedTilesConfig& c) {
  return std::int64_t{c.block_size} * c.items_per_thread;
}

std::string why_not_in_tiles(const KeyedTilesConfig& c, int key_bits, const Problem& problem,
                             const Limits& limits) {
  if (limits.block_order == BlockOrder::any) {
    return "this device starts blocks in any order: the block of a tile must not wait for those "
           "of the tiles before";
  }
  if (c.block_size > limits.max_block_size || c.block_size % limits.wave_size != 0) {
    return fmt::format("a block of {} threads is not one of whole waves of {}, {} at most",
                       c.block_size, limits.wave_size, limits.max_block_size);
  }
  // What a kernel declares itself is no more than this anywhere, whatever may be asked for beside.
  const int most = std::min(limits.max_shared_bytes, Limits{}.max_shared_bytes);
  if (const auto bytes = shared_bytes(c, key_bits, problem, limits); bytes > most) {
    return fmt::format("a tile of {} elements needs {} bytes of shared memory, a block has {}",
                       tile_of_keys(c), bytes, most);
  }
  if (in_pieces_of(problem.count, tile_of_keys(c)) > limits.max_grid) {
    return fmt::format("{} elements are more tiles than a launch has blocks", problem.count);
  }
  return {};
}

KeyedTilesConfig default_keyed_tiles(int key_bits, const Problem& problem, const Limits& limits) {
  // A thread's own loads bring whole sectors of memory, and tiles are as large as shared memory
  // lets them be: what each costs beside its elements is waiting for others.
  constexpr std::array items{16, 12, 8, 4, 2, 1};
  constexpr std::int64_t most_of_any = 44 * 1024;
  constexpr int blocks_of_unit = 3;  // that have room: while one waits others load
  const auto most_bytes =
      std::min<std::int64_t>(most_of_any, limits.max_shared_bytes / blocks_of_unit);
  KeyedTilesConfig config;
  config.block_size = std::min(256, limits.max_block_size);
  for (const int many : items) {
    config.items_per_thread = many;
    if (shared_bytes(config, key_bits, problem, limits) <= most_bytes) break;
  }
  if (is_of_words(problem)) {
    config.at_heads = AtHeads::by_branches;
    config.registers = Registers::free;
  }
  return config;
}

KeyedTilesConfig keyed_tiles_of(const Settings& settings, int key_bits, const Problem& problem,
                                const Limits& limits) {
  KeyedTilesConfig config = default_keyed_tiles(key_bits, problem, limits);
  for (const Setting& setting : settings) apply(config, setting);
  if (const auto why = why_not_in_tiles(config, key_bits, problem, limits); !why.empty()) {
    throw UsageError(fmt::format("groups by key in tiles, {}: {}",
                                 redtune::to_string(settings_of(config)), why));
  }
  return config;
}

bool suits_tiles(int key_bits, const Problem& problem, const Limits& limits) {
  if (limits.wave_size == 1) return false;  // lanes that run one after another gain nothing
  const KeyedTilesConfig config = default_keyed_tiles(key_bits, problem, limits);
  return mean_length(problem) < long_for_tiles(problem) &&
         why_not_in_tiles(config, key_bits, problem, limits).empty();
}

std::string keyed_tiles_text(const Problem& problem) {
  static const std::string text = program_text(tiles_file);
  return problem.op == Op::custom ? custom_program(tiles_file, problem) : text;
}

std::string keyed_tiles_kernel(const KeyedTilesConfig& c, int key_bits, const Problem& problem,
                               int wave_size) {
  const std::string_view key = device_type(key_bits == 64 ? DType::u64 : DType::u32);
  return fmt::format(
      "redtune::reduce_tiles_by_key<{}, {}, redtune::{}, {}, {}, redtune::{}, redtune::{}, {}, "
      "redtune::{}_registers, {}>",
      device_operation(problem), key, to_string(c.bring), c.block_size, c.items_per_thread,
      to_string(c.load), to_string(c.at_heads), c.look_back, to_string(c.registers), wave_size);
}

std::int64_t keyed_tiles_grid(const KeyedTilesConfig& c, std::int64_t elements) {
  return std::max<std::int64_t>(1, in_pieces_of(elements, tile_of_keys(c)));
}

std::int64_t keyed_tiles_bytes(const Problem& problem, std::int64_t tiles) {
  return 8 * (words_before_states + words_of_states * tiles) + slot_bytes(problem) * tiles;
}

/// A thread's elements, waves by doubling, waves one after another; the tiles that a group has by
/// all threads of the block in which it ends.
std::int64_t longest_chain_in_tiles(const KeyedTilesConfig& c, std::int64_t elements,
                                    const Limits& limits) {
  const std::int64_t waves = in_pieces_of(c.block_size, limits.wave_size);
  const std::int64_t tiles = keyed_tiles_grid(c, elements);
  const std::int64_t of_block = 2 * log2_up(limits.wave_size) + waves;
  return c.items_per_thread + of_block + 4 +
         (tiles == 1 ? 0 : in_pieces_of(tiles, c.block_size) + of_block + 4);
}

}  // namespace redtune::kernels
