// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What is known of an operator by applying it: whether it keeps its promises on samples, and what
// an input comes to when it is folded as plainly as can be. No block of the other kernels is used.
#pragma once

#include "device_code/custom_members.hip.h"
#include "device_code/types.hip.h"
#include "device_code/value.hip.h"

namespace redtune {

/// Eleven values for each triple of elements: a, b and c as they enter, then what must be equal.
template <class Op, class In, class Acc>
REDTUNE_KERNEL(64)
check_triples(const In* elements, i32 triples, typename shaped<Op, Acc>::type* values) {
  typedef typename shaped<Op, Acc>::type Kept;
  wait_for_previous();
  const Kept nothing = Op::template identity<Kept>();
  for (i32 t = block_index() * 64 + thread_index(); t < triples; t += grid_size() * 64) {
    const Kept a = Op::template enter<Kept>(value_of(elements[3 * t]));
    const Kept b = Op::template enter<Kept>(value_of(elements[3 * t + 1]));
    const Kept c = Op::template enter<Kept>(value_of(elements[3 * t + 2]));
    const Kept ab = Op::template combine<Kept>(a, b);
    const Kept bc = Op::template combine<Kept>(b, c);
    Kept* const v = values + 11 * t;
    v[0] = a;
    v[1] = b;
    v[2] = c;
    v[3] = nothing;
    v[4] = Op::template combine<Kept>(nothing, a);
    v[5] = Op::template combine<Kept>(a, nothing);
    v[6] = ab;
    v[7] = Op::template combine<Kept>(b, a);
    v[8] = Op::template combine<Kept>(ab, c);
    v[9] = Op::template combine<Kept>(a, bc);
    v[10] = Op::template combine<Kept>(nothing, nothing);
  }
}

/// Of triples of accumulators, which they hold one after the other: combine(combine(a, b), c).
template <class Op, class Acc>
REDTUNE_KERNEL(64)
combine_triples(const typename shaped<Op, Acc>::type* of, i32 triples,
                typename shaped<Op, Acc>::type* values) {
  typedef typename shaped<Op, Acc>::type Kept;
  wait_for_previous();
  for (i32 t = block_index() * 64 + thread_index(); t < triples; t += grid_size() * 64) {
    values[t] = Op::template combine<Kept>(Op::template combine<Kept>(of[3 * t], of[3 * t + 1]),
                                           of[3 * t + 2]);
  }
}

/// An element as it enters, or its magnitude.
template <class Op, class Acc, class Value>
REDTUNE_DEVICE Acc entered(Value element, i32 magnitudes) {
  const Acc value = Op::template enter<Acc>(element);
  if constexpr (Op::joint) {
    return magnitudes ? Op::magnitudes(value) : value;
  } else {
    return magnitudes && value < Acc(0) ? Acc(-value) : value;
  }
}

/// One value for each run of elements, folded one after the other, the first of them first or last.
/// A run is `length` neighbours, or every so manieth element where `interleaved`.
template <class Op, class In, class Acc>
REDTUNE_KERNEL(64)
fold_runs(const In* in, i64 count, typename shaped<Op, Acc>::type* values, i64 length,
          i32 interleaved, i32 backward, i32 magnitudes) {
  typedef typename shaped<Op, Acc>::type Kept;
  wait_for_previous();
  const i64 runs = (count + length - 1) / length;
  const i64 run = i64(block_index()) * 64 + thread_index();
  if (run >= runs) return;
  const i64 step = interleaved ? runs : 1;
  const i64 first = interleaved ? run : run * length;
  const i64 end = interleaved || first + length > count ? count : first + length;
  const i64 elements = (end - first + step - 1) / step;
  const i64 from = backward ? first + (elements - 1) * step : first;
  Kept value = entered<Op, Kept>(value_of(in[from]), magnitudes);
  for (i64 i = 1; i < elements; ++i) {
    const Kept next =
        entered<Op, Kept>(value_of(in[from + (backward ? -i : i) * step]), magnitudes);
    value = Op::template combine<Kept>(value, next);
  }
  values[run] = value;
}

/// The runs, folded likewise, by one thread of one block.
template <class Op, class Acc>
REDTUNE_KERNEL(64)
join_runs(const typename shaped<Op, Acc>::type* values, i64 runs, i32 backward,
          typename shaped<Op, Acc>::type* joined) {
  typedef typename shaped<Op, Acc>::type Kept;
  wait_for_previous();
  if (thread_index() != 0) return;
  Kept value = Op::template identity<Kept>();
  for (i64 i = 0; i < runs; ++i) {
    const Kept next = values[backward ? runs - 1 - i : i];
    value = i == 0 ? next : Op::template combine<Kept>(value, next);
  }
  *joined = value;
}

/// What comes out of each of so many accumulators, of `count` elements.
template <class Op, class Acc, class Out>
REDTUNE_KERNEL(64)
leave_all(const typename shaped<Op, Acc>::type* values, i32 number, i64 count,
          typename shaped<Op, Out>::result* out) {
  typedef typename shaped<Op, Out>::result Result;
  wait_for_previous();
  for (i32 i = block_index() * 64 + thread_index(); i < number; i += grid_size() * 64) {
    out[i] = Op::template leave<Result>(values[i], count);
  }
}

}  // namespace redtune
