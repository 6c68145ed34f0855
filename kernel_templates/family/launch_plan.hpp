// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How a configuration runs for a count: which instantiations, with which grids and arguments. Plain
// data: whoever holds the loaded kernels binds the arguments and launches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "kernel_templates/family/fixed_list.hpp"
#include "kernel_templates/family/grid_rule.hpp"

namespace redtune::kernels {

/// The meaning of a kernel argument.
enum class Argument : std::uint8_t {
  in,             ///< const In*, element-aligned
  count,          ///< i64, elements
  out,            ///< Out*
  partials,       ///< Acc*, one for each block of the launch that writes them
  slots,          ///< u64*, words by which blocks hand over; zero as the counter is
  counter,        ///< u32*, zero before the first launch, zero again after each
  run,            ///< i64, tiles each block takes in a row; 0: dealt round-robin
  partial_count,  ///< i32, blocks of the launch before
};
/// partial_count is the last of them.
inline constexpr std::size_t argument_meanings =
    static_cast<std::size_t>(Argument::partial_count) + 1;

[[nodiscard]] std::string_view to_string(Argument argument);

/// What a plan holds at most; no family needs more.
inline constexpr std::size_t most_arguments = 8;
inline constexpr std::size_t most_calls = 2;

/// When a call may start. early: where the device can, before the work queued ahead of it has
/// ended; its text waits for that itself before it touches memory.
enum class CallStart : std::uint8_t { after_previous, early };

struct KernelCall {
  std::size_t kernel = 0;  ///< index into the name expressions; 0 reads the input
  std::int64_t grid = 1;   ///< blocks
  int block = 1;           ///< threads per block
  CallStart start = CallStart::after_previous;
  FixedList<Argument, most_arguments> arguments;
};

using KernelCalls = FixedList<KernelCall, most_calls>;  ///< in this order on one stream

/// The bytes of slots: some for each block of the grid, and some more.
struct SlotRule {
  std::int64_t bytes_per_block = 0;
  std::int64_t bytes = 0;

  [[nodiscard]] std::int64_t of(std::int64_t blocks) const {
    return bytes + bytes_per_block * blocks;
  }
};

struct LaunchPlan {
  KernelCalls calls;
  std::int64_t partial_count = 0;  ///< accumulators the workspace must hold
  std::int64_t slot_bytes = 0;     ///< and bytes that are zero before and after
  std::int64_t run = 0;            ///< tiles each block takes in a row; 0: dealt round-robin
};

/// A config bound to a device: all that is left to know is the count.
class Planner {
 public:
  virtual ~Planner() = default;
  /// The same for every count; that of kernel 0 reads the input and has the grid of its count, the
  /// others have a grid of their own.
  [[nodiscard]] const KernelCalls& calls() const { return calls_; }
  [[nodiscard]] const GridRule& grid_rule() const { return rule_; }
  [[nodiscard]] const Grids& grids() const { return grids_; }
  [[nodiscard]] const SlotRule& slot_rule() const { return slots_; }
  /// How the config runs for count elements, 0 or more; any count is fine, also those far from the
  /// one that was tuned.
  [[nodiscard]] LaunchPlan plan(std::int64_t count) const;
  /// Additions that any element's value passes through, at most.
  [[nodiscard]] virtual std::int64_t longest_chain(std::int64_t count) const = 0;

 protected:
  Planner(const KernelCalls& calls, const GridRule& rule, const SlotRule& slots, int compute_units)
      : calls_(calls), rule_(rule), slots_(slots), grids_(rule, compute_units) {}

 private:
  KernelCalls calls_;
  GridRule rule_;
  SlotRule slots_;
  Grids grids_;
};

}  // namespace redtune::kernels
