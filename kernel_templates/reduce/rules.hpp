// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Which configs of 'reduce' may run, the default one, and how many blocks and additions a config
// takes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "kernel_templates/family/launch_plan.hpp"
#include "kernel_templates/reduce/config.hpp"
#include "redtune/limits.hpp"
#include "redtune/problem.hpp"

namespace redtune::kernels {

/// Most partials any launch leaves behind: 512 KiB of 8-byte accumulators.
inline constexpr std::int64_t most_blocks = 65536;

/// Most input bytes that one block is let loose on where a device has several compute units;
/// beyond, one block cannot win and only costs tuning time.
inline constexpr std::int64_t most_single_block_bytes = std::int64_t{4} << 20;

/// Loads of fewer bytes are narrow; more of them in a tile than this leave no registers and cannot
/// win where one load brings several elements.
inline constexpr std::int64_t least_load_bytes = 4;
inline constexpr int most_narrow_loads = 8;

/// Partials that one lane of last_wave folds, at most: more are faster folded by a whole block.
inline constexpr std::int64_t most_partials_per_lane = 32;

/// Blocks of a grid whose values are handed over in slots, at most: more are many readings for the
/// one block that waits, and half a MiB that is zero before and after.
inline constexpr std::int64_t most_slots = 4096;

/// Slots that a lane of one wave reads, at most: more are faster read by a whole block.
inline constexpr std::int64_t most_slots_per_lane = 16;

/// Slots that may lie far apart: more cost more lines of memory than they spare waiting. And most
/// input bytes of theirs: beyond, reading takes so long that the place of slots cannot matter.
inline constexpr std::int64_t most_wide_slots = 256;
inline constexpr std::int64_t most_wide_slot_bytes = std::int64_t{64} << 20;

/// Most input bytes that NVIDIA's GPUs read past their caches. Of more, loads that the cache keeps
/// take up to 1 % longer after kernels that wrote little, and some 4 % less behind one that wrote
/// the input (docs/decisions/0100-large-inputs-stay-in-the-cache.md).
inline constexpr std::int64_t most_streamed_bytes = std::int64_t{256} << 20;
[[nodiscard]] bool may_stream(const Problem& problem, const Limits& limits);

/// Whether blocks may take runs of tiles. Above most_streamed_bytes both orders take equally long
/// on NVIDIA's GPUs after kernels that wrote little; behind one that wrote the input, runs do not
/// begin with its end, which is still in the cache
/// (docs/decisions/0117-large-inputs-from-the-end.md).
[[nodiscard]] bool may_take_runs(const Problem& problem, const Limits& limits);

/// Most input bytes that blocks read from the first tile on. Of a larger input, the kernel that has
/// just written it left the end in the cache, not the beginning
/// (docs/decisions/0117-large-inputs-from-the-end.md).
inline constexpr std::int64_t most_forward_bytes = std::int64_t{32} << 20;
[[nodiscard]] bool is_read_backwards(const ReduceConfig& config, const Problem& problem);

/// Whether the words of the workspace that are zero before and after are not partials.
[[nodiscard]] bool hands_over_words(Finish finish);

/// Bits of what an element adds to the sum that `counted` counts beside: less than 2^bits, and no
/// less than -2^bits. Nothing where values cannot be added in any order, or need more than 32 bits.
[[nodiscard]] std::optional<int> counted_bits(const Problem& problem);

/// Bytes from the slot of one block to that of the next, as finish_slots.hip.h lays them out.
[[nodiscard]] std::int64_t slot_bytes_of(const ReduceConfig& config, const Problem& problem);

[[nodiscard]] SlotRule slot_rule_of(const ReduceConfig& config, const Problem& problem);

/// Whether the blocks, or clusters, count themselves, and the last one ends the reduction.
[[nodiscard]] bool takes_tickets(Finish finish);

/// Tiles of a count; the last one may be partial. 0 elements: 0 tiles.
[[nodiscard]] std::int64_t tiles_of(const ReduceConfig& config, std::int64_t count);

[[nodiscard]] GridRule grid_rule_of(const ReduceConfig& config, const Limits& limits);

/// Blocks to launch for problem.count elements; at least 1.
[[nodiscard]] std::int64_t grid_of(const ReduceConfig& config, const Problem& problem,
                                   const Limits& limits);

/// Why a kernel of this config cannot be built or launched on a device at all; empty: it can.
[[nodiscard]] std::string why_unbuildable(const ReduceConfig& config, const Problem& problem,
                                          const Limits& limits);

/// Why this point is no member of the space: unbuildable, hopeless, or the same kernel as another
/// point.
[[nodiscard]] std::string why_outside_space(const ReduceConfig& config, const Problem& problem,
                                            const Limits& limits);

/// Of the axes that shape a kernel and its grid; the others, from early_start on, are of no account
/// here. A config that is outside by this is outside whatever they are.
[[nodiscard]] std::string why_shape_outside_space(const ReduceConfig& config,
                                                  const Problem& problem, const Limits& limits);
/// Of the first axes, up to vector_width, whatever the others are.
[[nodiscard]] std::string why_tile_outside_space(const ReduceConfig& config, const Problem& problem,
                                                 const Limits& limits);
inline constexpr std::size_t tile_axes = 4;

/// Of those others, for a config whose shape is inside.
[[nodiscard]] std::string why_variant_outside_space(const ReduceConfig& config,
                                                    const Problem& problem, const Limits& limits);
/// Axes that why_shape_outside_space() is about: the first of the table.
inline constexpr std::size_t shape_axes = 9;

/// Why early_start is not what it says.
[[nodiscard]] std::string why_not_early(const ReduceConfig& config, const Limits& limits);

/// Launches of one reduction.
[[nodiscard]] int launches_of(Finish finish);

/// The built-in default, changed as little as the limits and the count demand. On a GPU one block
/// that takes all has a tile that fits the count.
[[nodiscard]] ReduceConfig default_config(const Problem& problem, const Limits& limits);

/// Upper bound on the additions that an element's value passes through on its way to the result:
/// the k of the error bound k*u/(1 - k*u) * sum|x| (Higham, Accuracy and Stability of Numerical
/// Algorithms, 4.2).
[[nodiscard]] std::int64_t longest_chain(const ReduceConfig& config, const Problem& problem,
                                         const Limits& limits);

}  // namespace redtune::kernels
