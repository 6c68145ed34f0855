// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// sum, mean, sum_of_squares, l2_norm: integers wrap, floats are summed with compensation.
#include <cmath>
#include <type_traits>

#include "tuner/verify/fold.hpp"

namespace redtune::tuner {
namespace {

/// One more term by Neumaier's compensation, in long double.
void add(long double x, Reference& into) {
  const long double next = into.value + x;
  if (std::isfinite(next)) {
    into.lost +=
        std::fabs(into.value) >= std::fabs(x) ? (into.value - next) + x : (x - next) + into.value;
  }
  into.value = next;
}

template <class T, bool is_squared>
void add_floats(const Elements& elements, Reference& into) {
  Reference local = into;  // which the compiler keeps in registers
  for (std::size_t i = 0; i < elements.count<T>(); ++i) {
    auto x = static_cast<long double>(elements.at<T>(i));
    if constexpr (is_squared) x *= x;  // of f64 off by 2^-64, far below its u of 2^-53
    add(x, local);
    if (!std::isfinite(x)) continue;
    (x < 0 ? local.negative : local.positive) += std::fabs(x);
  }
  into = local;
}

template <class T>
void add_integers(const Elements& elements, bool is_squared, Reference& into) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < elements.count<T>(); ++i) {
    const auto x = static_cast<std::uint64_t>(elements.at<T>(i));
    bits += is_squared ? x * x : x;
  }
  into.bits += bits;
}

}  // namespace

void fold_sums(const Problem& problem, const Elements& elements, Reference& into) {
  const bool is_squared = squares(problem.op);
  visit_dtype(problem.in, [&]<class T>(std::type_identity<T>) {
    if constexpr (!is_floating_v<T>) {
      if (!rounds(problem)) return add_integers<T>(elements, is_squared, into);
    }
    if (is_squared) return add_floats<T, true>(elements, into);
    add_floats<T, false>(elements, into);
  });
}

void merge_sums(const Reference& part, Reference& into) {
  into.bits += part.bits;
  add(part.value, into);
  into.lost += part.lost;
  into.positive += part.positive;
  into.negative += part.negative;
}

}  // namespace redtune::tuner
