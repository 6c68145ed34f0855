// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Elements in registers on GPUs: plain arrays, folded lane by lane, loaded by one instruction.
#pragma once

#include "prelude.hip.h"
#include "value.hip.h"

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
    result.v[lane] = Op::template enter<Acc>(value_of(in.v[lane]));
  }
  return result;
}

/// The sum of the small integers of some loads, in 32 bits.
template <class Narrow, int loads, class In, int width>
REDTUNE_DEVICE Narrow sum_loads(const pack<In, width>* loaded) {
  u32 total = 0;
  REDTUNE_UNROLL
  for (int i = 0; i < loads; ++i) {
    u32 of_load = 0;  // of its own: no load waits for the one before
    if constexpr (sizeof(loaded[i]) % sizeof(u32) == 0) {
      typedef vec<u32, int(sizeof(loaded[i]) / sizeof(u32))> words;
      const words parts = __builtin_bit_cast(words, loaded[i]);
      REDTUNE_UNROLL
      for (const u32 word : parts.v) of_load = add_elements<In>(word, of_load);
    } else {
      REDTUNE_UNROLL
      for (const In element : loaded[i].v) of_load += u32(element);
    }
    total += of_load;
  }
  return Narrow(total);
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
