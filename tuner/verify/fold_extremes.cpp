// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// min, max and their relatives: the value and where it stands, the first of equals, NaN before all.
#include <cmath>
#include <limits>
#include <type_traits>

#include "tuner/verify/fold.hpp"

namespace redtune::tuner {
namespace {

/// Whether x comes before the best that stands at a lower index. Zeros of both signs are equal.
template <class T>
bool is_better(bool least, T x, T best) {
  if (best != best) return false;
  return x != x || (least ? x < best : best < x);
}

/// What an element is compared as, exactly.
template <class T, bool is_abs>
auto key_of(T x) {
  if constexpr (is_floating_v<T>) {
    const std::conditional_t<sizeof(T) == 8, double, float> number = x;
    return is_abs ? std::fabs(number) : number;
  } else if constexpr (is_abs) {
    const auto whole = static_cast<std::uint64_t>(x);
    return x < 0 ? std::uint64_t{0} - whole : whole;
  } else {
    return x;
  }
}

template <class T, bool is_abs>
void fold_keys(const Problem& problem, const Elements& elements, Reference& into) {
  using Key = decltype(key_of<T, is_abs>(T{}));
  const bool least = wants_least(problem.op);
  const bool skips = ignores_nan(problem.op);
  auto best = is_floating_v<T> ? static_cast<Key>(into.value) : static_cast<Key>(into.bits);
  std::int64_t index = into.index;
  for (std::size_t i = 0; i < elements.count<T>(); ++i) {
    const Key x = key_of<T, is_abs>(elements.at<T>(i));
    if (skips && x != x) continue;
    if (index >= 0 && !is_better(least, x, best)) continue;
    best = x;
    index = elements.first + static_cast<std::int64_t>(i);
  }
  into.index = index;
  if constexpr (is_floating_v<T>) {
    into.value = best;
  } else {
    into.bits = static_cast<std::uint64_t>(best);
  }
}

}  // namespace

bool wants_least(Op op) {
  return op == Op::min || op == Op::min_ignore_nan || op == Op::argmin ||
         op == Op::argmin_ignore_nan;
}

bool ignores_nan(Op op) {
  return op == Op::min_ignore_nan || op == Op::max_ignore_nan || op == Op::argmin_ignore_nan ||
         op == Op::argmax_ignore_nan;
}

void start_extremes(const Problem& problem, Reference& reference) {
  if (problem.op == Op::abs_max) return;  // 0
  const bool least = wants_least(problem.op);
  constexpr long double inf = std::numeric_limits<long double>::infinity();
  reference.value = least ? inf : -inf;
  visit_dtype(problem.in, [&]<class T>(std::type_identity<T>) {
    if constexpr (!is_floating_v<T>) {
      using Limits = std::numeric_limits<T>;
      reference.bits = static_cast<std::uint64_t>(least ? Limits::max() : Limits::lowest());
    }
  });
}

void fold_extremes(const Problem& problem, const Elements& elements, Reference& into) {
  visit_dtype(problem.in, [&]<class T>(std::type_identity<T>) {
    if (problem.op == Op::abs_max) return fold_keys<T, true>(problem, elements, into);
    fold_keys<T, false>(problem, elements, into);
  });
}

void merge_extremes(const Problem& problem, const Reference& part, Reference& into) {
  if (part.index < 0) return;
  const bool least = wants_least(problem.op);
  const bool is_taken =
      into.index < 0 || visit_dtype(problem.in, [&]<class T>(std::type_identity<T>) {
        if constexpr (is_floating_v<T>) {
          return is_better(least, part.value, into.value);
        } else if (problem.op == Op::abs_max) {
          return part.bits > into.bits;
        } else {
          return is_better(least, static_cast<T>(part.bits), static_cast<T>(into.bits));
        }
      });
  if (!is_taken) return;
  into.bits = part.bits;
  into.value = part.value;
  into.index = part.index;
}

}  // namespace redtune::tuner
