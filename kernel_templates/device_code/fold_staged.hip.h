// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a group of threads makes of a row that a block has brought to shared memory.
#pragma once

#include "fold_spans.hip.h"
#include "stage.hip.h"

namespace redtune {

/// What a thread makes of every lanes-th element of a row that is staged, or of a part of it that
/// begins with its element `first`. Less than 2^16 elements.
template <class Op, class T, int lanes, class In>
REDTUNE_DEVICE auto fold_staged(const In* elements, i32 count, i32 lane, i64 first = 0) {
  if constexpr (Op::indexed) {
    typedef typename span_fold<Op, T>::value Value;
    Value found = Op::template identity<Value>();
    REDTUNE_ROLLED
    for (i32 i = lane; i < count; i += lanes) {
      found = Op::template combine<Value>(found, span_fold<Op, T>::enter(elements[i], i));
    }
    return in_row(found, first);
  } else if constexpr (Op::joint) {
    typedef typename span_fold<Op, T>::value Value;
    return Op::template fold_elements<Value>(elements_in_steps<lanes, In>{elements, lane, count});
  } else {
    typedef typename tile_accumulator<Op, In, T>::type Narrow;
    Narrow value = Op::template identity<Narrow>();
    for (i32 i = lane; i < count; i += lanes) {
      value =
          Op::template combine<Narrow>(value, Op::template enter<Narrow>(value_of(elements[i])));
    }
    return T(value);
  }
}

/// Likewise, but of every lanes-th vector: elements of several rows lie in the same banks, and
/// would wait for each other.
template <class Op, class T, int lanes, class In, int width>
REDTUNE_DEVICE auto fold_staged_vectors(const vec<In, width>* stage, i32 begin, i32 count,
                                        i32 lane) {
  vector_span<In, width> span;
  span.vectors = stage + begin / width;
  span.begin = begin % width;
  span.end = span.begin + count;
  typename span_fold<Op, T>::value value;
  fold_spans<Op, T, span_shape<lanes, 1, 1, width, cached>>(&span, lane, stage_bounds{}, &value);
  return in_row(value, 0);
}

}  // namespace redtune
