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

}  // namespace

void fold_products(const Problem& problem, const Elements& elements, Reference& into) {
  visit_dtype(problem.in, [&]<class T>(std::type_identity<T>) {
    for (std::size_t i = 0; i < elements.count<T>(); ++i) {
      const T x = elements.at<T>(i);
      if constexpr (!is_floating_v<T>) {
        into.bits *= static_cast<std::uint64_t>(x);
        if (!rounds(problem)) continue;
      }
      multiply(static_cast<long double>(x), into);
    }
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
