// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Small inputs made to find mistakes: one element that decides the result, at the head, in the
// middle, at the tail; extremes, NaN, infinities, zeros of both signs, cancelling and huge numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "redtune/problem.hpp"
#include "tuner/verify/input_memory.hpp"

namespace redtune::tuner {

enum class Trick {
  equal,
  ascending,
  descending,
  cancelling,  ///< the signs alternate
  lowest,      ///< all are the type's lowest number
  highest,
  neutral,  ///< all are the operator's identity
  one_zero,
  one_nonzero,
  one_bit_clear,
  one_lowest,
  one_highest,
  // Of floats:
  tiny_and_huge,
  denormal,
  negative_zeros,
  mixed_zeros,
  all_nan,
  both_infinities,
  one_infinity,
  one_nan,
};

/// Where the element stands that is unlike the others.
enum class Place { head, middle, tail };

struct Adversary {
  Trick trick = Trick::equal;
  Place place = Place::head;  ///< of tricks named one_..., and of what is huge

  auto operator<=>(const Adversary&) const = default;
};

/// For people: "one_nan at the tail".
[[nodiscard]] std::string to_string(const Adversary& adversary);

/// Those that an operator and type can be tricked by.
[[nodiscard]] std::vector<Adversary> adversaries_of(const Problem& problem);

/// In gaps between elements, and around inputs, lies what would be seen in a result: neither zeros
/// nor all ones.
inline constexpr std::byte in_gaps{0xb7};

/// Writes all elements of the problem's shape into memory that is full of in_gaps: each result has
/// the same elements, made to find mistakes.
void lay_out(const Problem& problem, const Adversary& adversary, InputMemory& memory);
/// All of it, with its gaps.
[[nodiscard]] std::vector<std::byte> adversarial_input(const Problem& problem,
                                                       const Adversary& adversary);

}  // namespace redtune::tuner
