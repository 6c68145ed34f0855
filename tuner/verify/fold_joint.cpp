// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Operators that find several values: the smallest and the largest, the sum of exponentials, mean
// and variance. The second value of a Reference is theirs.
#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "tuner/verify/fold.hpp"

namespace redtune::tuner {
namespace {

void swap_values(Reference& reference) {
  std::swap(reference.value, reference.second);
  std::swap(reference.bits, reference.second_bits);
  std::swap(reference.index, reference.second_index);
}

/// do_one(problem of min or of max, reference) for both values in turn; other: of a part.
template <class DoOne>
void for_both_extremes(const Problem& problem, Reference& reference, const DoOne& do_one) {
  Problem one = problem;
  one.op = Op::min;
  do_one(one, reference);
  one.op = Op::max;
  swap_values(reference);
  do_one(one, reference);
  swap_values(reference);
}

/// What is computed with beside a type: much better than an accumulator.
template <bool is_wide>
using Precise = std::conditional_t<is_wide, long double, double>;

/// A NaN wins.
template <class T>
T larger_or_nan(T a, T b) {
  return a != a || a > b ? a : b;
}

template <class T>
void fold_exponentials_of(const Elements& elements, Reference& into) {
  using Number = Precise<sizeof(T) == 8>;
  const std::size_t count = elements.count<T>();
  const auto at = [&](std::size_t i) {
    return static_cast<Number>(static_cast<double>(elements.at<T>(i)));
  };
  Reference here;
  start_exponentials(here);
  Number largest = static_cast<Number>(here.value);
  for (std::size_t i = 0; i < count; ++i) largest = larger_or_nan(at(i), largest);
  here.value = largest;
  if (std::isfinite(largest)) {
    Number sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += std::exp(at(i) - largest);
    here.second = sum;
  }
  merge_exponentials(here, into);
}

/// What is merged at a time, so that few roundings add up.
constexpr std::size_t most_moments = 1024;

/// The mean is kept in two numbers, value and lost: those of blocks may differ by less than what
/// the last place of one of them is worth.
void add_to_mean(long double step, Reference& reference) {
  const long double next = reference.value + step;
  if (std::isfinite(next)) reference.lost += (reference.value - next) + step;
  reference.value = next;
}

template <class T, bool is_wide>
void fold_moments_of(const Elements& elements, Reference& into) {
  using Number = Precise<is_wide>;
  const auto at = [&](std::size_t i) {
    if constexpr (is_floating_v<T>) {
      return static_cast<Number>(static_cast<double>(elements.at<T>(i)));
    } else {
      return static_cast<Number>(elements.at<T>(i));
    }
  };
  std::int64_t before = into.count;
  for (std::size_t begin = 0; begin < elements.count<T>(); begin += most_moments) {
    const std::size_t end = std::min(elements.count<T>(), begin + most_moments);
    Reference here;
    here.count = static_cast<std::int64_t>(end - begin);
    Number sum = 0;
    Number positive = 0;
    Number largest = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const Number x = at(i);
      if (!std::isfinite(x)) ++here.nans;
      sum += x;
      positive += std::fabs(x);
      largest = std::max(largest, std::fabs(x));
    }
    const Number mean = sum / static_cast<Number>(here.count);
    Number off = 0;
    Number squares = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const Number distance = at(i) - mean;
      off += distance;
      squares += distance * distance;
    }
    const Number correction = off / static_cast<Number>(here.count);
    here.value = mean;
    add_to_mean(correction, here);
    here.second = std::max<long double>(
        0, static_cast<long double>(squares) - static_cast<long double>(off) * correction);
    here.positive = positive;
    here.largest = largest;
    into.count = before;
    merge_moments(here, into);
    before += here.count;
  }
  into.count = before - static_cast<std::int64_t>(elements.count<T>());  // counted by who calls
}

}  // namespace

void start_min_max(const Problem& problem, Reference& reference) {
  for_both_extremes(problem, reference, start_extremes);
}

void fold_min_max(const Problem& problem, const Elements& elements, Reference& into) {
  for_both_extremes(problem, into, [&](const Problem& one, Reference& reference) {
    fold_extremes(one, elements, reference);
  });
}

void merge_min_max(const Problem& problem, const Reference& part, Reference& into) {
  Reference of_part = part;
  for_both_extremes(problem, into, [&](const Problem& one, Reference& reference) {
    merge_extremes(one, of_part, reference);
    swap_values(of_part);
  });
}

void start_exponentials(Reference& reference) {
  reference.value = -std::numeric_limits<long double>::infinity();
}

void fold_exponentials(const Problem& problem, const Elements& elements, Reference& into) {
  visit_dtype(problem.in, [&]<class T>(std::type_identity<T>) {
    if constexpr (is_floating_v<T>) fold_exponentials_of<T>(elements, into);
  });
}

void merge_exponentials(const Reference& part, Reference& into) {
  const long double largest = larger_or_nan(part.value, into.value);
  long double sum = 0;
  if (std::isfinite(largest)) {
    for (const Reference* const one : {&part, static_cast<const Reference*>(&into)}) {
      if (one->second > 0) sum += one->second * std::exp(one->value - largest);
    }
  }
  into.value = largest;
  into.second = sum;
}

void fold_moments(const Problem& problem, const Elements& elements, Reference& into) {
  visit_dtype(problem.in, [&]<class T>(std::type_identity<T>) {
    if (problem.acc == DType::f64) return fold_moments_of<T, true>(elements, into);
    fold_moments_of<T, false>(elements, into);
  });
}

/// Chan, Golub and LeVeque 1983, 2.1.
void merge_moments(const Reference& part, Reference& into) {
  into.nans += part.nans;
  into.positive += part.positive;
  into.largest = std::max(into.largest, part.largest);
  if (part.count == 0) return;
  const auto count = static_cast<long double>(into.count + part.count);
  const long double share = static_cast<long double>(part.count) / count;
  into.second += part.second;
  if (into.count == 0) {
    into.value = part.value;
    into.lost = part.lost;
    return;
  }
  const long double distance = (part.value - into.value) + (part.lost - into.lost);
  into.second += distance * distance * share * static_cast<long double>(into.count);
  add_to_mean(distance * share, into);
}

}  // namespace redtune::tuner
