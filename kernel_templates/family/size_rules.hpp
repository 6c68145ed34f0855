// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How the sizes of a launch follow from the extents of a shape, as text: for whoever launches the
// kernels without this library. docs/reference/code_objects.md says how formulas are read.
#pragma once

#include <cstdint>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <vector>

#include "redtune/limits.hpp"
#include "redtune/problem.hpp"

namespace redtune::kernels {

/// What is told of a shape, in a family's own words.
struct Extent {
  std::string_view name;
  std::string_view meaning;
  std::int64_t (*of)(const Shape& shape) = nullptr;
};

/// A number that has a name from here on.
struct SizeFormula {
  std::string name;
  std::string text;  ///< of extents, "compute_units" and what stands before it
};

/// Tests hold it equal to what the planner says. Sums of 64 bits do, where those of a shape do.
struct SizeRules {
  std::vector<Extent> extents;
  std::string in_elements;  ///< a formula of extents alone: from the first element to the last
  std::string results;      ///< likewise
  /// In order; among them "grid", of kernel 0, every scalar that is no extent, "slots_bytes" and
  /// "partials_bytes".
  std::vector<SizeFormula> sizes;
};

/// Blocks at most where each takes one tile after another.
[[nodiscard]] inline std::string most_blocks_formula(int blocks_per_unit, const Limits& limits) {
  if (blocks_per_unit == 0) return fmt::format("{}", limits.max_grid);
  return fmt::format("min({}, {} * compute_units)", limits.max_grid, blocks_per_unit);
}

/// The workspace of groups of blocks, each of which has the parts of some values; of one part there
/// is none.
[[nodiscard]] inline std::vector<SizeFormula> parted_workspace(bool hands_over_slots,
                                                               std::string_view groups,
                                                               std::string_view values,
                                                               std::int64_t slot_bytes,
                                                               std::size_t accumulator_bytes) {
  const auto unless_alone = [](const std::string& bytes) {
    return fmt::format("0 if parts == 1 else {}", bytes);
  };
  if (hands_over_slots) {
    return {{"slots_bytes", unless_alone(fmt::format("{} * {}", values, slot_bytes))},
            {"partials_bytes", "0"}};
  }
  return {{"slots_bytes", unless_alone(fmt::format("{} * 8", groups))},
          {"partials_bytes", unless_alone(fmt::format("{} * {}", values, accumulator_bytes))}};
}

}  // namespace redtune::kernels
