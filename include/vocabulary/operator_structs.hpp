// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What the text of a user's operator says of its accumulator and its result, where these are
// structs: read without a compiler, since memory is needed before anything is compiled.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "redtune/problem.hpp"

namespace redtune {

/// Kernels hand over so many words at most; each member of an accumulator takes whole ones.
inline constexpr std::size_t most_accumulator_words = 8;
inline constexpr std::size_t most_result_values = 8;

/// Members as they are written one after the other: "low", "sums[0]", "sums[1]".
struct OperatorStructs {
  /// Empty: an accumulator is one value, of the problem's type. Else with their places in the words
  /// that kernels pass on, where there is nothing between them.
  std::vector<ResultValue> accumulator;
  std::size_t accumulator_bytes = 0;  ///< of these words
  /// Empty: a result is one value, of the problem's type. Else with their places in the struct.
  std::vector<ResultValue> result;
  std::size_t result_bytes = 0;
  bool gives_accumulator = false;  ///< there is no finish(): the result is the accumulator
  std::size_t struct_bytes = 0;    ///< of the accumulator as the text has it

  [[nodiscard]] bool has_members() const { return !accumulator.empty() || !result.empty(); }
};

/// For elements of a type. A text without such structs has neither; nor has one that is malformed.
[[nodiscard]] std::shared_ptr<const OperatorStructs> structs_of(const CustomOp& op, DType in);

/// Throws UsageError, one line with its place, for a struct that cannot be an accumulator or a
/// result.
void require_structs(const CustomOp& op, DType in);

/// What an accumulator is made of, one member where it is a single value; of a custom operator.
[[nodiscard]] std::vector<ResultValue> accumulator_members(const Operation& operation);

}  // namespace redtune
