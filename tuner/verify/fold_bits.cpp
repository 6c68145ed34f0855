// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// bit_and, bit_or, bit_xor of integers; all, any and count_nonzero of everything.
#include <type_traits>

#include "tuner/verify/fold.hpp"

namespace redtune::tuner {
namespace {

std::uint64_t combined(Op op, std::uint64_t a, std::uint64_t b) {
  switch (op) {
    case Op::bit_and:
    case Op::all:
      return a & b;
    case Op::bit_xor:
      return a ^ b;
    case Op::count_nonzero:
      return a + b;
    default:
      return a | b;
  }
}

bool is_on_bits(Op op) {
  return op == Op::bit_and || op == Op::bit_or || op == Op::bit_xor;
}

}  // namespace

void start_bits(const Problem& problem, Reference& reference) {
  if (problem.op == Op::bit_and) reference.bits = ~std::uint64_t{0};
  if (problem.op == Op::all) reference.bits = 1;
}

void fold_bits(const Problem& problem, const Elements& elements, Reference& into) {
  visit_dtype(problem.in, [&]<class T>(std::type_identity<T>) {
    for (std::size_t i = 0; i < elements.count<T>(); ++i) {
      const T x = elements.at<T>(i);
      // -0.0 is zero, NaN is not.
      std::uint64_t bits = x != T{} ? 1 : 0;
      if constexpr (!is_floating_v<T>) {
        if (is_on_bits(problem.op)) bits = static_cast<std::uint64_t>(x);
      }
      into.bits = combined(problem.op, into.bits, bits);
    }
  });
}

void merge_bits(const Problem& problem, const Reference& part, Reference& into) {
  into.bits = combined(problem.op, into.bits, part.bits);
}

}  // namespace redtune::tuner
