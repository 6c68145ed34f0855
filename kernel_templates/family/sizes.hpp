// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Arithmetic that the rules of several families share: pieces, powers of two, words and slots.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "redtune/problem.hpp"

namespace redtune::kernels {

/// Loads of fewer bytes need many more instructions than memory is fast for.
inline constexpr std::int64_t fewest_load_bytes = 4;

/// a / b, rounded up.
[[nodiscard]] constexpr std::int64_t in_pieces_of(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}
[[nodiscard]] constexpr std::int64_t log2_up(std::int64_t number) {
  return std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(number, 1) - 1));
}
[[nodiscard]] constexpr std::int64_t power_up(std::int64_t number) {
  return std::int64_t{1} << log2_up(number);
}
/// The largest power of two that is not more than a positive number.
[[nodiscard]] constexpr std::int64_t power_down(std::int64_t number) {
  return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(number)));
}

/// 32-bit words of so many bytes.
[[nodiscard]] constexpr std::int64_t words_in(std::int64_t bytes) {
  return in_pieces_of(bytes, 4);
}

/// 32-bit words of an accumulator, as slots and registers hold it: an index takes one.
[[nodiscard]] inline std::int64_t accumulator_words(const Problem& problem) {
  if (info(problem.op).shape == ResultShape::indexed) {
    return words_in(static_cast<std::int64_t>(size_of(problem.acc))) + 1;
  }
  return words_in(static_cast<std::int64_t>(accumulator_bytes(problem)));
}

/// Bytes of a slot, in which a block hands over a value: see slot_layout in finish_slots.hip.h.
[[nodiscard]] inline std::int64_t slot_bytes(const Problem& problem) {
  const std::int64_t words = accumulator_words(problem);
  return 8 * (words > 2 ? 2 * in_pieces_of(words, 2) : words);
}

/// Registers of a thread for what an accumulator of several members needs beside elements: it and
/// what enters it, and a sum for each lane of a load; in f64 a division, or an exponential. Fitted
/// to what NVRTC 13 and hipRTC 5.2 spill and do not spill on sm_90, gfx906, gfx90a, gfx1010 and
/// gfx1030. What an operator of a user's needs beside is not known: lanes are folded as a tree, of
/// which a few accumulators stand at a time.
[[nodiscard]] inline std::int64_t joint_registers(const Problem& problem, std::int64_t lanes) {
  if (problem.op == Op::custom) return 6 * accumulator_words(problem) + lanes + 12;
  const std::int64_t of_value = words_in(static_cast<std::int64_t>(size_of(problem.acc)));
  const bool divides = problem.op == Op::mean_variance || problem.op == Op::mean_sample_variance;
  const bool has_exponentials = problem.op == Op::softmax_stats || problem.op == Op::logsumexp;
  const std::int64_t in_f64 = divides ? 32 : has_exponentials ? 40 : 0;
  return 2 * accumulator_words(problem) + lanes * of_value + 12 +
         (problem.acc == DType::f64 ? in_f64 : 0);
}

}  // namespace redtune::kernels
