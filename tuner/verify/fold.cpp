// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/verify/fold.hpp"

#include "redtune/error.hpp"

namespace redtune::tuner {

Group group_of(Op op) {
  switch (op) {  // an operator that is missing here is a warning of the compiler
    case Op::sum:
    case Op::mean:
    case Op::sum_of_squares:
    case Op::l2_norm:
      return Group::sums;
    case Op::product:
      return Group::products;
    case Op::min:
    case Op::max:
    case Op::min_ignore_nan:
    case Op::max_ignore_nan:
    case Op::argmin:
    case Op::argmax:
    case Op::argmin_ignore_nan:
    case Op::argmax_ignore_nan:
    case Op::abs_max:
      return Group::extremes;
    case Op::bit_and:
    case Op::bit_or:
    case Op::bit_xor:
    case Op::all:
    case Op::any:
    case Op::count_nonzero:
      return Group::bits;
    case Op::min_max:
      return Group::min_max;
    case Op::softmax_stats:
    case Op::logsumexp:
      return Group::exponentials;
    case Op::mean_variance:
    case Op::mean_sample_variance:
      return Group::moments;
    case Op::custom:
    case Op::kernel:
      break;
  }
  throw Error("custom operators have no host reference");
}

Reference nothing_of(const Problem& problem) {
  Reference nothing;
  switch (group_of(problem.op)) {
    case Group::sums:
      break;
    case Group::products:
      nothing.bits = 1;
      break;
    case Group::extremes:
      start_extremes(problem, nothing);
      break;
    case Group::bits:
      start_bits(problem, nothing);
      break;
    case Group::min_max:
      start_min_max(problem, nothing);
      break;
    case Group::exponentials:
      start_exponentials(nothing);
      break;
    case Group::moments:
      break;
  }
  return nothing;
}

void fold(const Problem& problem, const Elements& elements, Reference& into) {
  switch (group_of(problem.op)) {
    case Group::sums:
      fold_sums(problem, elements, into);
      break;
    case Group::products:
      fold_products(problem, elements, into);
      break;
    case Group::extremes:
      fold_extremes(problem, elements, into);
      break;
    case Group::bits:
      fold_bits(problem, elements, into);
      break;
    case Group::min_max:
      fold_min_max(problem, elements, into);
      break;
    case Group::exponentials:
      fold_exponentials(problem, elements, into);
      break;
    case Group::moments:
      fold_moments(problem, elements, into);
      break;
  }
  into.count += static_cast<std::int64_t>(elements.data.size() / size_of(problem.in));
}

void merge(const Problem& problem, const Reference& part, Reference& into) {
  switch (group_of(problem.op)) {
    case Group::sums:
      merge_sums(part, into);
      break;
    case Group::products:
      merge_products(part, into);
      break;
    case Group::extremes:
      merge_extremes(problem, part, into);
      break;
    case Group::bits:
      merge_bits(problem, part, into);
      break;
    case Group::min_max:
      merge_min_max(problem, part, into);
      break;
    case Group::exponentials:
      merge_exponentials(part, into);
      break;
    case Group::moments:
      merge_moments(part, into);
      break;
  }
  into.count += part.count;
}

}  // namespace redtune::tuner
