// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Elements in registers on GPUs: plain arrays, folded lane by lane, loaded by one instruction.
#pragma once

#include "prelude.hip.h"
#include "prelude_cuda.hip.h"
#include "prelude_hip.hip.h"

#if defined(REDTUNE_HIP) || defined(REDTUNE_CUDA)

namespace redtune {

/// Elements held in registers, folded lane by lane.
template <class T, int width>
using pack = vec<T, width>;

/// Each lane combined with the same lane of the other.
template <class Op, class Acc, int width>
REDTUNE_DEVICE pack<Acc, width> combine_packs(const pack<Acc, width>& a,
                                              const pack<Acc, width>& b) {
  pack<Acc, width> result;
  REDTUNE_UNROLL
  for (int lane = 0; lane < width; ++lane) {
    result.v[lane] = Op::template combine<Acc>(a.v[lane], b.v[lane]);
  }
  return result;
}

/// Each lane converted to the accumulator and transformed as the operator says.
template <class Op, class Acc, class In, int width>
REDTUNE_DEVICE pack<Acc, width> enter_pack(const pack<In, width>& in) {
  pack<Acc, width> result;
  REDTUNE_UNROLL
  for (int lane = 0; lane < width; ++lane) {
    result.v[lane] = Op::template enter<Acc>(Acc(in.v[lane]));
  }
  return result;
}

template <class Hint, class T, int width>
REDTUNE_DEVICE pack<T, width> load_vector(const vec<T, width>* from) {
  typedef typename word<sizeof(vec<T, width>)>::type Word;
  return __builtin_bit_cast(pack<T, width>, load_word<Hint>(reinterpret_cast<const Word*>(from)));
}

template <class Hint, class T, int width>
REDTUNE_DEVICE void store_vector(vec<T, width>* to, const pack<T, width>& value) {
  typedef typename word<sizeof(vec<T, width>)>::type Word;
  store_word<Hint>(reinterpret_cast<Word*>(to), __builtin_bit_cast(Word, value));
}

}  // namespace redtune

#endif
