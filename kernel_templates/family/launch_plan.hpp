// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How a configuration runs for a shape: which instantiations, with which grids and arguments. Plain
// data: whoever holds the loaded kernels binds the arguments and launches.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "kernel_templates/family/fixed_list.hpp"
#include "kernel_templates/family/grid_rule.hpp"
#include "kernel_templates/family/size_rules.hpp"
#include "redtune/problem.hpp"

namespace redtune::kernels {

/// What a kernel is handed: the address of a buffer, or from `scalar` on a scalar of the plan.
enum class Argument : std::uint8_t {
  in,        ///< const In*, element-aligned
  begins,    ///< const Offset*, where each segment begins
  ends,      ///< likewise, where it ends
  out,       ///< Out*
  partials,  ///< Acc*, one for each block of the launch that writes them
  slots,     ///< u64*, words by which blocks hand over; zero as the counter is
  counter,   ///< u32*, zero before the first launch, zero again after each
  plan,      ///< of segments: what was found out before the launch
  scalar,    ///< the first one; see scalar_argument()
};

/// What a plan holds at most; no family needs more.
inline constexpr std::size_t most_scalars = 10;
inline constexpr std::size_t most_arguments = 14;
inline constexpr std::size_t most_calls = 2;

inline constexpr std::size_t argument_meanings =
    static_cast<std::size_t>(Argument::scalar) + most_scalars;

/// The argument that is the scalar at this index.
[[nodiscard]] constexpr Argument scalar_argument(std::size_t index) {
  return static_cast<Argument>(static_cast<std::size_t>(Argument::scalar) + index);
}
/// Backwards; nothing of an address.
[[nodiscard]] constexpr std::optional<std::size_t> scalar_index(Argument argument) {
  if (argument < Argument::scalar) return std::nullopt;
  return static_cast<std::size_t>(argument) - static_cast<std::size_t>(Argument::scalar);
}

/// A number that a family's kernels are handed.
struct Scalar {
  std::string_view name;
  int bytes = 8;  ///< of a signed integer
  /// What to hand over, for people who write a launcher of their own.
  std::string_view meaning;
};
using Scalars = FixedList<Scalar, most_scalars>;

/// When a call may start. early: where the device can, before the work queued ahead of it has
/// ended; its text waits for that itself before it touches memory.
enum class CallStart : std::uint8_t { after_previous, early };

struct KernelCall {
  std::size_t kernel = 0;  ///< index into the name expressions
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

/// What launches need of a workspace.
struct WorkspaceBytes {
  std::int64_t slots = 0;     ///< zero before the first launch and after every one
  std::int64_t partials = 0;  ///< anything
};

/// Where a planner writes what of a plan follows from the shape: what is read there next, so that
/// nothing is copied.
struct LaunchSizes {
  std::int64_t* grids;    ///< most_calls of them: blocks, of the calls in their order
  std::int64_t* scalars;  ///< most_scalars: of the planner's scalars in their order
};

struct LaunchPlan {
  KernelCalls calls;
  Scalars scalars;
  std::array<std::int64_t, most_scalars> values{};  ///< of the scalars
  WorkspaceBytes workspace;

  /// The value of a scalar that there is.
  [[nodiscard]] std::int64_t value_of(std::string_view scalar) const;
};

/// How sizes follow from a count, as data: for whoever launches without this library.
struct PlanRules {
  GridRule grid;  ///< of kernel 0; the other calls have the grids that they are told with
  SlotRule slots;
};

/// A config bound to a device: all that is left to know is the shape.
class Planner {
 public:
  virtual ~Planner() = default;
  /// The same for every shape, but for grids that set_sizes() tells.
  [[nodiscard]] const KernelCalls& calls() const { return calls_; }
  [[nodiscard]] const Scalars& scalars() const { return scalars_; }
  /// For a shape of any extents, 0 or more, also those far from the ones that were tuned. A part of
  /// every launch: no heap, no lock.
  virtual void set_sizes(const Shape& shape, const LaunchSizes& sizes) const noexcept = 0;
  [[nodiscard]] virtual WorkspaceBytes workspace(const Shape& shape) const = 0;
  /// Enough for every shape.
  [[nodiscard]] virtual WorkspaceBytes largest_workspace() const = 0;
  /// Additions that any element's value passes through, at most.
  [[nodiscard]] virtual std::int64_t longest_chain(const Shape& shape) const = 0;
  /// Nothing where sizes follow from more than a count.
  [[nodiscard]] virtual std::optional<PlanRules> rules() const { return std::nullopt; }
  /// What set_sizes() and workspace() say, for whoever launches without this library.
  [[nodiscard]] virtual SizeRules size_rules() const = 0;

  /// How the config runs for a shape.
  [[nodiscard]] LaunchPlan plan(const Shape& shape) const;

 protected:
  Planner(const KernelCalls& calls, const Scalars& scalars) : calls_(calls), scalars_(scalars) {}

 private:
  KernelCalls calls_;
  Scalars scalars_;
};

/// "in", or the name of a scalar.
[[nodiscard]] std::string_view name_of(Argument argument, const Scalars& scalars);

}  // namespace redtune::kernels
