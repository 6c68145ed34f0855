// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// product: integers wrap; floats are multiplied apart, above 1 and below, as far as each can take a
// partial product.
#include <cmath>
#include <type_traits>

#include "tuner/verify/fold.hpp"

namespace redtune::tuner {
namespace {

void multiply(long double x, Reference& into) {
  if (std::isnan(x)) {
    ++into.nans;
    return;
  }
  if (std::signbit(x)) ++into.negatives;
  const long double magnitude = std::fabs(x);
  if (magnitude == 0) {
    ++into.zeros;
  } else if (std::isinf(magnitude)) {
    ++into.infinities;
  } else if (magnitude != 1) {
    int ignored = 0;
    if (std::frexp(magnitude, &ignored) != 0.5L) ++into.inexact;
    (magnitude > 1 ? into.grown : into.shrunk).multiply(magnitude);
  }
}

template <class T>
void multiply_integers(const Elements& elements, Reference& into) {
  std::uint64_t bits = 1;
  for (std::size_t i = 0; i < elements.count<T>(); ++i) {
    bits *= static_cast<std::uint64_t>(elements.at<T>(i));
  }
  into.bits *= bits;
}

template <class T>
void multiply_numbers(const Elements& elements, Reference& into) {
  std::int64_t minus_ones = 0;
  for (std::size_t i = 0; i < elements.count<T>(); ++i) {
    const T element = elements.at<T>(i);
    const auto x = static_cast<double>(element);
    if (std::fabs(x) == 1) {  // as almost all of a generated input
      minus_ones += x < 0 ? 1 : 0;
    } else {
      multiply(static_cast<long double>(element), into);
    }
  }
  into.negatives += minus_ones;
}

}  // namespace

void fold_products(const Problem& problem, const Elements& elements, Reference& into) {
  visit_dtype(problem.in, [&]<class T>(std::type_identity<T>) {
    if constexpr (!is_floating_v<T>) {
      multiply_integers<T>(elements, into);
      if (!rounds(problem)) return;
    }
    multiply_numbers<T>(elements, into);
  });
}

void merge_products(const Reference& part, Reference& into) {
  into.bits *= part.bits;
  into.grown.multiply(part.grown);
  into.shrunk.multiply(part.shrunk);
  into.inexact += part.inexact;
  into.negatives += part.negatives;
  into.zeros += part.zeros;
  into.infinities += part.infinities;
  into.nans += part.nans;
}

}  // namespace redtune::tuner
