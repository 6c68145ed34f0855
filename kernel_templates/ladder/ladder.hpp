// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The classic optimisation steps of a sum, from one atomic per element to what is tuned: which
// there are, and how each runs for a count. A new step is one file in ladder/ and one row.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "redtune/limits.hpp"
#include "redtune/problem.hpp"

namespace redtune::kernels {

/// How the sums of blocks become one value.
enum class LadderEnd {
  atomic,      ///< blocks add to the output, which a launch before sets to zero
  relaunched,  ///< the kernel runs again on what it left, until that is one value
  two_pass,    ///< a grid of fixed size, then one block for its sums
  tuned,       ///< as the tuned configuration of the family 'reduce' does
};

/// How a block folds its threads' values; decides how many additions follow one another.
enum class LadderFold { none, serial, tree, waves };

/// A launch shape that a step is tried with.
struct LadderVariant {
  int block_size = 256;  ///< threads
  int blocks = 0;        ///< of two_pass, at most; else of no account
  int number = 0;        ///< what the kernel's last template argument is, where it has its own
  std::string_view label = {};  ///< for people, where a step has several

  auto operator<=>(const LadderVariant&) const = default;
};

struct LadderStep {
  std::string_view name;     ///< of the step, its file and its page
  std::string_view idea;     ///< in one line
  std::string_view sources;  ///< where it is described, by document
  LadderEnd end = LadderEnd::relaunched;
  LadderFold fold = LadderFold::tree;
  int items = 1;               ///< elements a thread takes; 0: the variant's number
  int results_per_block = 1;   ///< 0: one for each thread
  std::string_view arguments;  ///< of the kernel's template, e.g. "{in}, {acc}, {block}"
  std::vector<LadderVariant> variants;
  std::string_view kernel = name;  ///< another step's, where only the launch differs

  /// Relative to kernel_templates/.
  [[nodiscard]] std::string file() const;
  /// Relative to the source folder.
  [[nodiscard]] std::string page() const;
};

/// All steps, in the order of the climb; names are unique.
[[nodiscard]] std::span<const LadderStep> ladder_steps();

/// Throws UsageError that lists the known names.
[[nodiscard]] const LadderStep& find_ladder_step(std::string_view name);

/// One device program with the kernels of all steps.
[[nodiscard]] const std::string& ladder_text();

/// The types that the steps add up: all but floats of 16 bits, which the classic kernels do not
/// know.
[[nodiscard]] std::vector<DType> ladder_types();

/// Sums of integers are added as unsigned 64-bit words, which wrap; floats in their own type.
[[nodiscard]] std::string_view ladder_accumulator(const Problem& problem);

enum class LadderPlace : std::uint8_t { in, front, back, out };

/// count elements behind the first `offset` ones of a place.
struct LadderSource {
  LadderPlace place = LadderPlace::in;
  std::int64_t offset = 0;
  std::int64_t count = 0;
};

/// A launch. Its arguments: where it reads, how many elements, where it writes; or the last alone.
struct LadderCall {
  std::string kernel;     ///< the instantiation, as a name expression
  std::int64_t grid = 1;  ///< blocks
  int block = 1;          ///< threads per block
  std::optional<LadderSource> from;
  LadderPlace to = LadderPlace::out;
  std::int64_t to_offset = 0;  ///< accumulators
};

struct LadderPlan {
  std::vector<LadderCall> calls;  ///< in this order on one stream
  std::int64_t front_count = 0;   ///< accumulators the two halves of the workspace must hold
  std::int64_t back_count = 0;
  /// Additions that any element's value passes through, at most: the k of the error bound.
  std::int64_t longest_chain = 0;
};

/// How a step that has a kernel of its own runs for problem.count elements, 0 or more. More blocks
/// than the device takes become several launches. The input is aligned to 16 bytes.
[[nodiscard]] LadderPlan ladder_plan(const LadderStep& step, const LadderVariant& variant,
                                     const Problem& problem, const Limits& limits);

}  // namespace redtune::kernels
