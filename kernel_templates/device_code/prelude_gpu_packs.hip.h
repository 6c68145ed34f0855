// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Elements in registers on GPUs: plain arrays, folded lane by lane, loaded by one instruction.
#pragma once

#include "prelude.hip.h"
#include "value.hip.h"

#if defined(REDTUNE_HIP) || defined(REDTUNE_CUDA)

namespace redtune {

/// Numbers in registers, folded lane by lane.
template <class T, int width>
using pack = vec<T, width>;

/// What a load instruction brought: words, however small the elements are, so that compilers keep
/// it in as few registers.
template <class T, int width>
struct loaded_vector {
  typename word<sizeof(vec<T, width>)>::type words;
};

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
REDTUNE_DEVICE pack<Acc, width> enter_pack(const loaded_vector<In, width>& loaded) {
  const vec<In, width> in = __builtin_bit_cast(vec<In, width>, loaded);
  pack<Acc, width> result;
  REDTUNE_UNROLL
  for (int lane = 0; lane < width; ++lane) {
    result.v[lane] = Op::template enter<Acc>(value_of(in.v[lane]));
  }
  return result;
}

/// The sum of the small integers of some loads, in 32 bits.
template <class Narrow, int loads, class In, int width>
REDTUNE_DEVICE Narrow sum_loads(const loaded_vector<In, width>* loaded) {
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
      const vec<In, width> elements = __builtin_bit_cast(vec<In, width>, loaded[i]);
      REDTUNE_UNROLL
      for (const In element : elements.v) of_load += u32(element);
    }
    total += of_load;
  }
  return Narrow(total);
}

template <class Hint, class T, int width>
REDTUNE_DEVICE loaded_vector<T, width> load_vector(const vec<T, width>* from) {
  typedef typename word<sizeof(vec<T, width>)>::type Word;
  return {load_word<Hint>(reinterpret_cast<const Word*>(from))};
}

/// What is at an address, or zeros and no access.
template <class Hint, class T, int width>
REDTUNE_DEVICE loaded_vector<T, width> load_vector_if(bool is_there, const vec<T, width>* from) {
  typedef typename word<sizeof(vec<T, width>)>::type Word;
  loaded_vector<T, width> loaded{Word()};
  if (is_there) loaded.words = load_word<Hint>(reinterpret_cast<const Word*>(from));
  return loaded;
}

template <class Hint, class T, int width>
REDTUNE_DEVICE void store_vector(vec<T, width>* to, const loaded_vector<T, width>& value) {
  typedef typename word<sizeof(vec<T, width>)>::type Word;
  store_word<Hint>(reinterpret_cast<Word*>(to), value.words);
}

}  // namespace redtune

#endif
