// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/reduce/rules.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <string_view>
#include <tuple>

#include "kernel_templates/family/device_rules.hpp"
#include "kernel_templates/family/sizes.hpp"
#include "kernel_templates/reduce/registers.hpp"

namespace redtune::kernels {
namespace {

/// Whether an axis has powers of two only.
constexpr bool are_powers_of_two(std::string_view name) {
  const auto is_fine = [name](const auto& row) {
    return row.name != name || std::ranges::all_of(row.values, [](auto value) {
             return std::has_single_bit(static_cast<unsigned>(value));
           });
  };
  return std::apply([&](const auto&... axes) { return (is_fine(axes) && ...); },
                    ReduceConfig::fields());
}
static_assert(are_powers_of_two("block_size") && are_powers_of_two("items_per_thread") &&
                  are_powers_of_two("cluster_size"),
              "Grids shifts by the size of a tile and masks by that of a cluster; other sizes need "
              "a division there");

static_assert(std::get<shape_axes>(ReduceConfig::fields()).name == "early_start",
              "axes that shape a kernel and its grid come first");

static_assert(std::get<tile_axes - 1>(ReduceConfig::fields()).name == "vector_width",
              "axes that shape a tile come first of all");

std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

std::int64_t log2_of(std::int64_t power_of_two) {
  return std::countr_zero(static_cast<std::uint64_t>(power_of_two));
}

std::int64_t tile_elements(const ReduceConfig& config) {
  return std::int64_t{config.block_size} * config.items_per_thread;
}

/// Why no atomic of this device folds the values of blocks; empty: one does.
std::string why_no_atomic(const Problem& problem, const Limits& limits) {
  constexpr Op with_atomics[] = {
      Op::sum,     Op::sum_of_squares, Op::count_nonzero, Op::min,     Op::max,
      Op::abs_max, Op::bit_and,        Op::bit_or,        Op::bit_xor, Op::any};
  if (std::ranges::find(with_atomics, problem.op) == std::end(with_atomics)) {
    return fmt::format("there is no atomic {}", to_string(problem.op));
  }
  if (problem.acc != problem.out || size_of(problem.acc) < 4) {
    return fmt::format("there is no atomic that turns {} into {}", to_string(problem.acc),
                       to_string(problem.out));
  }
  if (info(problem.acc).kind != DTypeKind::floating) return {};
  if (!rounds(problem))
    return fmt::format("there is no atomic {} of floats", to_string(problem.op));
  if (problem.order != Order::any) {
    return "atomics add floats in any order; the problem asks for a fixed one";
  }
  if (limits.float_atomics == FloatAtomics::present) return {};
  if (limits.float_atomics == FloatAtomics::f32_only && problem.acc == DType::f32) return {};
  return fmt::format("this device has no atomic sum of {}", to_string(problem.acc));
}

std::string why_no_cluster(const ReduceConfig& c, const Limits& limits) {
  if (limits.max_cluster_size < 2) return "this device has no clusters of blocks";
  if (c.cluster_size < 2) return "a cluster has 2 blocks or more";
  if (c.cluster_size <= limits.max_cluster_size) return {};
  return fmt::format("{} blocks are more than the {} of a cluster", c.cluster_size,
                     limits.max_cluster_size);
}

/// Whether the sum of all elements has its place beside the count of all blocks but one, as
/// finish_counted.hip.h reckons.
std::string why_not_counted(const ReduceConfig& c, const Problem& problem, const Limits& limits) {
  const std::int64_t blocks = grid_of(c, problem, limits);
  const bool is_signed = info(problem.acc).kind == DTypeKind::signed_int;
  const auto bits_of_count =
      static_cast<int>(std::bit_width(static_cast<std::uint64_t>(blocks - 1)));
  const int left = (is_signed ? 63 : 64) - counted_bits(problem).value() - bits_of_count;
  if (problem.count <= (left < 63 ? std::int64_t{1} << left : problem.count)) return {};
  return fmt::format("the sum of {} elements may not fit beside the count of {} blocks",
                     problem.count, blocks);
}

std::string why_not_exact(const ReduceConfig& c, const Problem& problem, const Limits& limits) {
  if (c.exact_tiles == ExactTiles::off) return {};
  if (c.finish == Finish::cluster) return "clusters have no kernel for exact tiles";
  if (is_read_backwards(c, problem)) {
    return "inputs this large are read backwards; the kernel for exact tiles reads forwards";
  }
  if (problem.count == grid_of(c, problem, limits) * tile_elements(c)) return {};
  return "the count is not one whole tile for each block: exact_tiles is 'off'";
}

/// Why slots are not read, or laid out, in this way.
std::string why_no_such_slots(const ReduceConfig& c, const Problem& problem, const Limits& limits) {
  if (c.finish != Finish::slots) {
    constexpr ReduceConfig pinned;
    const bool is_pinned = c.slot_stride == pinned.slot_stride &&
                           c.slot_reader == pinned.slot_reader && c.slot_wait == pinned.slot_wait;
    return is_pinned ? "" : "slot_stride, slot_reader and slot_wait are for slots";
  }
  const std::int64_t slots = grid_of(c, problem, limits) - 1;  // the last block's own is not read
  if (c.slot_stride > 8) {
    ReduceConfig packed = c;
    packed.slot_stride = 8;
    if (slot_bytes_of(packed, problem) >= c.slot_stride)
      return "slots of 8 bytes apart are the same";
    const auto bytes = static_cast<std::int64_t>(input_bytes(problem));
    if (slots > most_wide_slots || bytes > most_wide_slot_bytes) {
      return fmt::format("{} slots so far apart cannot win", slots);
    }
  }
  if (c.slot_reader == SlotReader::wave && slots > most_slots_per_lane * limits.wave_size) {
    return fmt::format("one wave for {} slots cannot win", slots);
  }
  const bool one_wave_is_enough = c.block_size <= limits.wave_size || slots <= limits.wave_size;
  if (c.slot_reader == SlotReader::block && one_wave_is_enough) {
    return "one wave reads as much: slot_reader is 'wave'";
  }
  const std::int64_t readers = c.slot_reader == SlotReader::wave ? limits.wave_size : c.block_size;
  if (c.slot_wait == SlotWait::missing && slots <= readers) {
    return "a slot for each reader: slot_wait 'all' is the same";
  }
  return {};
}

/// Axes that mean nothing for the rest of the config are pinned to one value, so that no two points
/// of a space are the same kernel.
std::string why_pinned(const ReduceConfig& c, const Limits& limits) {
  if (!takes_tickets(c.finish) && c.fence != Fence::full) {
    return "fence is for finishes that take tickets; it is 'full' elsewhere";
  }
  if (c.finish != Finish::cluster && c.cluster_size != 1) {
    return "cluster_size is for cluster; it is 1 elsewhere";
  }
  if (c.finish == Finish::last_wave && c.block_size <= limits.wave_size) {
    return "a block of one wave: last_block is the same";
  }
  if (c.finish == Finish::single_block) {
    if (c.blocks_per_unit != 0) return "single_block launches one block; blocks_per_unit is 0";
    if (c.tile_order != TileOrder::strided) return "one block: tile_order is 'strided'";
  }
  if (c.blocks_per_unit == 0 && c.tile_order != TileOrder::strided) {
    return "one tile per block: tile_order is 'strided'";
  }
  return {};
}

/// Likewise, for the count of the problem.
std::string why_redundant(const ReduceConfig& c, const Problem& problem, const Limits& limits) {
  if (c.finish == Finish::single_block) return {};
  const std::int64_t tiles = tiles_of(c, problem.count);
  const std::int64_t asked = std::int64_t{c.blocks_per_unit} * limits.compute_units;
  if (asked >= tiles) return "as many blocks as tiles: blocks_per_unit 0 says the same";
  if (c.blocks_per_unit != 0 && asked < 2) return "one block: single_block is the same";
  if (c.finish == Finish::slots && asked / 2 >= most_slots) {
    return fmt::format("there are {} slots at most: half as many blocks_per_unit say the same",
                       most_slots);
  }
  return {};
}

/// One block of a GPU whose tile is the count, or the next power of two, in four loads a thread
/// where they are wide enough: what wins on an H200 nearly wherever one block takes all. A thousand
/// elements are loaded one by one, for then none is left over; those of two bytes by fewer threads.
void fit_tile(ReduceConfig& c, const Problem& problem, const Limits& limits) {
  constexpr int loads = 4;
  const auto in_bytes = static_cast<int>(size_of(problem.in));
  const auto tile = static_cast<int>(std::bit_ceil(static_cast<std::uint64_t>(problem.count)));
  const int most_of_128 = in_bytes == 2 ? 8192 : 4096;
  const int block_size = tile <= 512 ? 64 : tile <= most_of_128 ? 128 : 256;
  c.block_size = std::clamp(block_size, limits.min_block_size, limits.max_block_size);
  c.items_per_thread = std::max(tile / c.block_size, 1);
  const bool one_by_one = in_bytes >= 4 && 512 < tile && tile <= 1024;
  c.vector_width = one_by_one ? 1 : std::clamp(c.items_per_thread / loads, 1, c.vector_width);
}

}  // namespace

bool takes_tickets(Finish finish) {
  return finish == Finish::last_block || finish == Finish::last_wave || finish == Finish::cluster;
}

int launches_of(Finish finish) {
  return finish == Finish::second_pass || finish == Finish::atomic ? 2 : 1;
}

std::string why_not_early(const ReduceConfig& c, const Limits& limits) {
  if (c.early_start == Early::off) return {};
  if (auto why = why_no_early_start(limits); !why.empty()) return why;
  if (c.early_start == Early::second && launches_of(c.finish) == 1) {
    return "there is no second launch: early_start is 'on' or 'off'";
  }
  return {};
}

bool hands_over_words(Finish finish) {
  return finish == Finish::slots || finish == Finish::counted;
}

std::optional<int> counted_bits(const Problem& problem) {
  if (info(problem.acc).kind == DTypeKind::floating) return std::nullopt;
  const int bits = 8 * static_cast<int>(size_of(problem.in));
  const bool is_signed = info(problem.in).kind == DTypeKind::signed_int;
  switch (problem.op) {
    case Op::any:
    case Op::all:
    case Op::count_nonzero:
      return 1;
    case Op::sum:
    case Op::mean:
      if (bits <= 32) return is_signed ? bits - 1 : bits;
      return std::nullopt;
    case Op::sum_of_squares:
      if (bits <= 16) return is_signed ? 2 * bits - 1 : 2 * bits;
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

std::int64_t slot_bytes_of(const ReduceConfig& config, const Problem& problem) {
  return std::max<std::int64_t>(config.slot_stride, slot_bytes(problem));
}

SlotRule slot_rule_of(const ReduceConfig& config, const Problem& problem) {
  if (config.finish == Finish::slots) return {.bytes_per_block = slot_bytes_of(config, problem)};
  if (config.finish == Finish::counted) return {.bytes = 32};
  return {};
}

std::int64_t tiles_of(const ReduceConfig& config, std::int64_t count) {
  return count == 0 ? 0 : (count - 1) / tile_elements(config) + 1;
}

GridRule grid_rule_of(const ReduceConfig& config, const Limits& limits) {
  const std::int64_t most =
      std::min(config.finish == Finish::slots ? most_slots : most_blocks, limits.max_grid);
  return {.tile = tile_elements(config),
          .blocks_per_unit = config.blocks_per_unit,
          .most_blocks = config.finish == Finish::single_block ? 1 : most,
          .multiple_of = config.finish == Finish::cluster ? config.cluster_size : 1,
          .runs = config.tile_order == TileOrder::chunked ? Runs::of_tiles : Runs::none};
}

std::int64_t grid_of(const ReduceConfig& config, const Problem& problem, const Limits& limits) {
  return Grids(grid_rule_of(config, limits), limits.compute_units).of(problem.count).blocks;
}

bool may_stream(const Problem& problem, const Limits& limits) {
  return is_amd(limits) || static_cast<std::int64_t>(input_bytes(problem)) <= most_streamed_bytes;
}

bool may_take_runs(const Problem& problem, const Limits& limits) {
  return limits.wave_size == 1 || may_stream(problem, limits);
}

bool is_read_backwards(const ReduceConfig& config, const Problem& problem) {
  return config.finish != Finish::single_block && config.finish != Finish::cluster &&
         static_cast<std::int64_t>(input_bytes(problem)) > most_forward_bytes;
}

std::string why_unbuildable(const ReduceConfig& c, const Problem& problem, const Limits& limits) {
  if (auto why = why_no_block(c.block_size, limits); !why.empty()) return why;
  if (c.items_per_thread % c.vector_width != 0) {
    return "items_per_thread is not a multiple of vector_width";
  }
  const std::int64_t bytes = load_bytes_of(c, problem);
  if (auto why = why_no_load(bytes, c.load == Load::streaming, limits); !why.empty()) return why;
  if (c.finish == Finish::atomic) {
    if (auto why = why_no_atomic(problem, limits); !why.empty()) return why;
  }
  if (c.finish == Finish::counted && !counted_bits(problem)) {
    return fmt::format("values of {} of {} cannot be counted in one word with their sum",
                       to_string(problem.op), to_string(problem.in));
  }
  if (c.finish == Finish::cluster) {
    if (auto why = why_no_cluster(c, limits); !why.empty()) return why;
  }
  const std::int64_t needed = registers_needed(c, problem, limits);
  return why_no_registers(needed, c.block_size, limits);
}

std::string why_outside_space(const ReduceConfig& c, const Problem& problem, const Limits& limits) {
  if (auto why = why_shape_outside_space(c, problem, limits); !why.empty()) return why;
  return why_variant_outside_space(c, problem, limits);
}

std::string why_variant_outside_space(const ReduceConfig& c, const Problem& problem,
                                      const Limits& limits) {
  if (auto why = why_not_early(c, limits); !why.empty()) return why;
  if (auto why = why_no_such_slots(c, problem, limits); !why.empty()) return why;
  return why_not_exact(c, problem, limits);
}

std::string why_tile_outside_space(const ReduceConfig& c, const Problem& problem,
                                   const Limits& limits) {
  ReduceConfig likeliest{.finish = c.finish,
                         .block_size = c.block_size,
                         .items_per_thread = c.items_per_thread,
                         .vector_width = c.vector_width};
  if (c.finish == Finish::cluster) likeliest.cluster_size = 2;
  if (auto why = why_unbuildable(likeliest, problem, limits); !why.empty()) return why;
  if (c.finish != Finish::single_block && tiles_of(c, problem.count) < 2) {
    return "the count fits one tile: single_block is the same with less work";
  }
  const std::int64_t load_bytes = load_bytes_of(c, problem);
  if (load_bytes < least_load_bytes && c.items_per_thread / c.vector_width > most_narrow_loads) {
    return fmt::format("so many loads of {} bytes cannot win", load_bytes);
  }
  return {};
}

std::string why_shape_outside_space(const ReduceConfig& c, const Problem& problem,
                                    const Limits& limits) {
  if (auto why = why_pinned(c, limits); !why.empty()) return why;  // first, for they rule out most
  if (auto why = why_tile_outside_space(c, problem, limits); !why.empty()) return why;
  if (auto why = why_unbuildable(c, problem, limits); !why.empty()) return why;
  if (auto why = why_redundant(c, problem, limits); !why.empty()) return why;
  const auto bytes = static_cast<std::int64_t>(input_bytes(problem));
  if (c.finish == Finish::single_block && limits.compute_units > 1 &&
      bytes > most_single_block_bytes) {
    return fmt::format("one block for {} bytes cannot win", bytes);
  }
  if (c.load == Load::streaming && !may_stream(problem, limits)) {
    return fmt::format("loads past the caches cannot win for {} bytes that were just written",
                       bytes);
  }
  if (c.tile_order == TileOrder::chunked && !may_take_runs(problem, limits)) {
    return fmt::format("runs of tiles cannot win for {} bytes that were just written", bytes);
  }
  if (c.finish == Finish::counted) {
    if (auto why = why_not_counted(c, problem, limits); !why.empty()) return why;
  }
  const bool ends_by_wave = c.finish == Finish::last_wave || c.finish == Finish::cluster;
  const std::int64_t blocks_of_partial = c.finish == Finish::cluster ? c.cluster_size : 1;
  const std::int64_t partials = grid_of(c, problem, limits) / blocks_of_partial;
  if (ends_by_wave && partials > most_partials_per_lane * limits.wave_size) {
    return fmt::format("one wave for {} partials cannot win", partials);
  }
  if (c.finish == Finish::cluster && tiles_of(c, problem.count) < c.cluster_size) {
    return "fewer tiles than blocks of a cluster";
  }
  const std::int64_t most = c.finish == Finish::slots ? most_slots : most_blocks;
  if (c.blocks_per_unit == 0 && tiles_of(c, problem.count) > most) {
    return fmt::format("one tile per block would be more than {} blocks", most);
  }
  return {};
}

ReduceConfig default_config(const Problem& problem, const Limits& limits) {
  ReduceConfig c;
  c.block_size = std::clamp(c.block_size, limits.min_block_size, limits.max_block_size);
  // Elements of fewer than 4 bytes: as many bytes to a load and a thread as of 4-byte ones.
  const auto in_bytes = static_cast<int>(size_of(problem.in));
  const int per_word = std::max(1, 4 / in_bytes);
  c.items_per_thread *= per_word;
  c.vector_width =
      std::min(c.vector_width * per_word, std::max(1, limits.max_vector_bytes / in_bytes));
  const std::int64_t tiles = tiles_of(c, problem.count);
  if (tiles < 2) {
    c.finish = Finish::single_block;
    if (limits.wave_size > 1) fit_tile(c, problem, limits);
  }
  const bool every_tile_a_block = std::int64_t{c.blocks_per_unit} * limits.compute_units >= tiles;
  if (c.finish == Finish::single_block || every_tile_a_block) c.blocks_per_unit = 0;
  return c;
}

std::int64_t longest_chain(const ReduceConfig& c, const Problem& problem, const Limits& limits) {
  const std::int64_t grid = grid_of(c, problem, limits);
  const std::int64_t loads = c.items_per_thread / c.vector_width;
  const std::int64_t waves = std::max(1, c.block_size / limits.wave_size);
  // Elements before the first line of memory and after the last vector (device_code/load.hip.h).
  constexpr std::int64_t line_bytes = 128;
  const std::int64_t odd =
      line_bytes / static_cast<std::int64_t>(size_of(problem.in)) + c.vector_width;
  // The tiles of a block one after another, a tile's loads as a tree, or one by one in the last
  // tile; one more tile for inputs with an unaligned head.
  const std::int64_t tiles = ceil_div(tiles_of(c, problem.count) + 1, grid);
  const auto tree = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(loads)));
  const std::int64_t thread =
      tiles + log2_of(tree) + loads + log2_of(c.vector_width) + ceil_div(odd, c.block_size);
  const std::int64_t block = 2 * log2_of(limits.wave_size) + ceil_div(waves, limits.wave_size) + 1;
  if (grid == 1) return thread + block;
  switch (c.finish) {
    case Finish::atomic:
      return thread + block + grid;
    case Finish::last_wave:
      return thread + block + ceil_div(grid, limits.wave_size) + block;
    case Finish::slots: {
      const std::int64_t readers =
          c.slot_reader == SlotReader::wave ? limits.wave_size : c.block_size;
      return thread + block + ceil_div(grid, readers) + 1 + block;
    }
    case Finish::cluster:
      return thread + block + log2_of(c.cluster_size) +
             ceil_div(grid / c.cluster_size, limits.wave_size) + block;
    default:
      return thread + block + ceil_div(grid, c.block_size) + block;
  }
}

}  // namespace redtune::kernels
