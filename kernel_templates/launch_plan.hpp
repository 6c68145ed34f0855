// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How a configuration runs for a count: which instantiations, with which grids and arguments. Plain
// data: whoever holds the loaded kernels binds the arguments and launches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "kernel_templates/fixed_list.hpp"

namespace redtune::kernels {

/// The meaning of a kernel argument.
enum class Argument : std::uint8_t {
  in,             ///< const In*, element-aligned
  count,          ///< i64, elements
  out,            ///< Out*
  partials,       ///< Acc*, one for each block of the launch that writes them
  counter,        ///< u32*, zero before the first launch, zero again after each
  run,            ///< i64, tiles each block takes in a row; 0: dealt round-robin
  partial_count,  ///< i32, blocks of the launch before
};

[[nodiscard]] std::string_view to_string(Argument argument);

/// What a plan holds at most; no family needs more.
inline constexpr std::size_t most_arguments = 8;
inline constexpr std::size_t most_calls = 2;

struct KernelCall {
  std::size_t kernel = 0;  ///< index into the name expressions
  std::int64_t grid = 1;   ///< blocks
  int block = 1;           ///< threads per block
  FixedList<Argument, most_arguments> arguments;
};

struct LaunchPlan {
  FixedList<KernelCall, most_calls> calls;  ///< in this order on one stream
  std::int64_t partial_count = 0;           ///< accumulators the workspace must hold
  std::int64_t run = 0;  ///< tiles each block takes in a row; 0: dealt round-robin
};

/// Whether blocks take runs of tiles.
enum class Runs { none, of_tiles };

/// How plan() finds the grid of the launch that reads the input, as data: for whoever launches the
/// kernels without this library. With whole divisions,
///   tiles   = ceil(count / tile)
///   largest = blocks_per_unit == 0 ? most_blocks
///                                  : clamp(blocks_per_unit * compute units, 1, most_blocks)
///   grid    = tiles <= largest ? max(1, tiles) : ceil(tiles / ceil(tiles / largest)),
///             rounded up to a multiple of multiple_of
///   run     = runs == of_tiles ? ceil(tiles / grid) : 0
struct GridRule {
  std::int64_t tile = 1;         ///< elements
  int blocks_per_unit = 0;       ///< 0: a block for each tile
  std::int64_t most_blocks = 1;  ///< of any grid
  int multiple_of = 1;           ///< blocks of a cluster
  Runs runs = Runs::none;
};

/// A config bound to a device: all that is left to know is the count.
class Planner {
 public:
  virtual ~Planner() = default;
  /// How the config runs for count elements, 0 or more; any count is fine, also those far from the
  /// one that was tuned. Part of every launch, so a few nanoseconds: no heap, no text.
  [[nodiscard]] virtual LaunchPlan plan(std::int64_t count) const noexcept = 0;
  [[nodiscard]] virtual GridRule grid_rule() const = 0;
  /// Additions that any element's value passes through, at most.
  [[nodiscard]] virtual std::int64_t longest_chain(std::int64_t count) const = 0;
};

}  // namespace redtune::kernels
