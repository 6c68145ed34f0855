// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Input data whose right answer the host can compute: what candidates are verified and measured on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "redtune/problem.hpp"

namespace redtune::tuner {

/// How an input's elements come to be: each is a function of this and its index alone, the same on
/// the host and in the kernel of kernel_templates/fill.hip.h, down to the bit.
struct Recipe {
  DType type = DType::f32;
  std::string_view pattern;   ///< a struct in kernel_templates/generate.hip.h
  std::uint64_t seed = 0;     ///< hashed
  std::int64_t decisive = 0;  ///< index of the one element that is unlike the others
  // Where there are several results, each has an input of its own and one such element: so many
  // elements, so far from one to the next, and so far from one outer index to the next. Of a batch
  // also so many in each array, and so far from one array to the next. Of segments each run of as
  // many elements as they have on average is an input of its own.
  std::int64_t count = 0;
  std::int64_t step = 1;
  std::int64_t slice = 0;  ///< 0: all elements are one result's
  std::int64_t in_array = 0;
  std::int64_t batch_step = 0;  ///< 0: no batch
};

/// The input an operator is verified on, such that a kernel which leaves elements out is wrong:
/// numbers of both signs over many magnitudes for floats, all bits random for integers, a bell with
/// rare ends for small types. Products: factors of which no order of multiplications overflows, or
/// odd integers. all, any: one decisive element among problem.count. bit_and, bit_or: every other
/// bit is decided by single elements. argmin, argmax: few values, so that looking for indices takes
/// as long as it may, and one decisive element with later equals; softmax_stats and logsumexp the
/// same, near to each other, so that no exponential vanishes. The ..._ignore_nan: a sixteenth
/// is NaN.
[[nodiscard]] Recipe recipe_of(const Problem& problem, std::uint64_t seed);

/// Writes the elements from index first on, and what lies in gaps between them: data.size() /
/// size_of(recipe.type) of them.
void generate(const Recipe& recipe, std::int64_t first, std::span<std::byte> data);

/// All elements of recipe_of(problem, seed), and what lies in gaps between them.
[[nodiscard]] std::vector<std::byte> make_input(const Problem& problem, std::uint64_t seed);

}  // namespace redtune::tuner
