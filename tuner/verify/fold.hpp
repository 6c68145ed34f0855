// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How each group of operators takes elements into a Reference, and two References into one.
#pragma once

#include <cstring>
#include <span>

#include "tuner/verify/reference.hpp"

namespace redtune::tuner {

/// Neighbouring elements of an input.
struct Elements {
  std::span<const std::byte> data;
  std::int64_t first = 0;  ///< index of the first

  template <class T>
  [[nodiscard]] std::size_t count() const {
    return data.size() / sizeof(T);
  }
  template <class T>
  [[nodiscard]] T at(std::size_t i) const {
    T value;
    std::memcpy(&value, &data[i * sizeof(T)], sizeof(T));
    return value;
  }
};

/// The operators that are computed alike. A group's files are fold_<group>.cpp, or fold_joint.cpp
/// where they find two values.
enum class Group { sums, products, extremes, bits, min_max, exponentials, moments };

/// Throws Error for Op::custom.
[[nodiscard]] Group group_of(Op op);

/// Whether it takes the squares of elements.
[[nodiscard]] constexpr bool squares(Op op) {
  return op == Op::sum_of_squares || op == Op::l2_norm;
}

/// The Reference of no elements.
[[nodiscard]] Reference nothing_of(const Problem& problem);
/// Takes elements that follow those that were taken before.
void fold(const Problem& problem, const Elements& elements, Reference& into);
/// Takes a part of the input that lies behind.
void merge(const Problem& problem, const Reference& part, Reference& into);

/// Sums of floats, or those that are accumulated in floats.
void fold_sums(const Problem& problem, const Elements& elements, Reference& into);
void merge_sums(const Reference& part, Reference& into);

void fold_products(const Problem& problem, const Elements& elements, Reference& into);
void merge_products(const Reference& part, Reference& into);

/// The identity: infinite for floats, an end of the type for integers.
void start_extremes(const Problem& problem, Reference& reference);
void fold_extremes(const Problem& problem, const Elements& elements, Reference& into);
void merge_extremes(const Problem& problem, const Reference& part, Reference& into);

/// Whether the smallest is wanted.
[[nodiscard]] bool wants_least(Op op);
[[nodiscard]] bool ignores_nan(Op op);

/// Two values: fold_joint.cpp.
void start_min_max(const Problem& problem, Reference& reference);
void fold_min_max(const Problem& problem, const Elements& elements, Reference& into);
void merge_min_max(const Problem& problem, const Reference& part, Reference& into);

void start_exponentials(Reference& reference);
void fold_exponentials(const Problem& problem, const Elements& elements, Reference& into);
void merge_exponentials(const Reference& part, Reference& into);

void fold_moments(const Problem& problem, const Elements& elements, Reference& into);
void merge_moments(const Reference& part, Reference& into);

void start_bits(const Problem& problem, Reference& reference);
void fold_bits(const Problem& problem, const Elements& elements, Reference& into);
void merge_bits(const Problem& problem, const Reference& part, Reference& into);

}  // namespace redtune::tuner
