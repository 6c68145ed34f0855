// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Elements in registers on GPUs: plain arrays, folded lane by lane, loaded by one instruction.
#pragma once

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

/// 32-bit words of a load; 1 for smaller ones.
template <class In, int width>
constexpr int words_of_load = sizeof(vec<In, width>) < 4 ? 1 : int(sizeof(vec<In, width>) / 4);

/// Element `lane` of a load, cut out of its word: a detour by memory, which a cast of the whole
/// load would be, is not always found to be none.
template <class In, int width>
REDTUNE_DEVICE In element_of(const loaded_vector<In, width>& loaded, int lane) {
  if constexpr (sizeof(In) == 8) {
    const u64 low = word_of(loaded.words, 2 * lane);
    return __builtin_bit_cast(In, low | u64(word_of(loaded.words, 2 * lane + 1)) << 32);
  } else if constexpr (sizeof(In) == 4) {
    return __builtin_bit_cast(In, word_of(loaded.words, lane));
  } else {
    constexpr int per_word = 4 / int(sizeof(In));
    const u32 bits = word_of(loaded.words, lane / per_word) >> (lane % per_word * 8 * sizeof(In));
    typedef typename word<sizeof(In)>::type Small;
    return __builtin_bit_cast(In, Small(bits));
  }
}

/// Lanes from `lane` on. By recursion and not in a loop: indices are constants from the beginning.
template <class Op, int lane, class Acc, class In, int width>
REDTUNE_DEVICE void enter_lanes(const loaded_vector<In, width>& in, pack<Acc, width>& result) {
  result.v[lane] = Op::template enter<Acc>(value_of(element_of(in, lane)));
  if constexpr (lane + 1 < width) enter_lanes<Op, lane + 1>(in, result);
}

/// Each lane converted to the accumulator and transformed as the operator says.
template <class Op, class Acc, class In, int width>
REDTUNE_DEVICE pack<Acc, width> enter_pack(const loaded_vector<In, width>& loaded) {
  pack<Acc, width> result;
  enter_lanes<Op, 0>(loaded, result);
  return result;
}

/// The sum of the small integers of some loads, in 32 bits.
template <class Narrow, int loads, class In, int width>
REDTUNE_DEVICE Narrow sum_loads(const loaded_vector<In, width>* loaded) {
  u32 total = 0;
  REDTUNE_UNROLL
  for (int i = 0; i < loads; ++i) {
    u32 of_load = 0;  // of its own: no load waits for the one before
    if constexpr (sizeof(vec<In, width>) % sizeof(u32) == 0) {
      REDTUNE_UNROLL
      for (int k = 0; k < words_of_load<In, width>; ++k) {
        of_load = add_elements<In>(word_of(loaded[i].words, k), of_load);
      }
    } else {
      REDTUNE_UNROLL
      for (int lane = 0; lane < width; ++lane) of_load += u32(element_of(loaded[i], lane));
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

/// An element as many times as a word holds it; its upper half for odd words of wide elements.
template <class T>
REDTUNE_DEVICE u32 filled_word(T element, int k) {
  if constexpr (sizeof(T) == 8) {
    return u32(__builtin_bit_cast(u64, element) >> (k % 2 * 32));
  } else if constexpr (sizeof(T) == 4) {
    return __builtin_bit_cast(u32, element);
  } else {
    typedef typename word<sizeof(T)>::type Small;
    return u32(__builtin_bit_cast(Small, element)) * (sizeof(T) == 2 ? 0x10001u : 0x1010101u);
  }
}

/// What is at an address, or a missing element in all lanes and no access.
template <class Hint, class T, int width>
REDTUNE_DEVICE loaded_vector<T, width> load_vector_or(bool is_there, const vec<T, width>* from,
                                                      T missing) {
  typedef typename word<sizeof(vec<T, width>)>::type Word;
  loaded_vector<T, width> loaded;
  if constexpr (sizeof(Word) < sizeof(u32)) {
    loaded.words = Word(filled_word(missing, 0));
  } else {
    struct filled {
      u32 words[words_of_load<T, width>];
    } all;
    REDTUNE_UNROLL
    for (int k = 0; k < words_of_load<T, width>; ++k) all.words[k] = filled_word(missing, k);
    loaded.words = __builtin_bit_cast(Word, all);
  }
  if (is_there) loaded.words = load_word<Hint>(reinterpret_cast<const Word*>(from));
  return loaded;
}

/// Which lanes of a load are kept: those of [from, to). Of whole words.
template <class T, int width>
struct kept_lanes {
  u32 words[words_of_load<T, width>];

  kept_lanes() = default;
  REDTUNE_DEVICE kept_lanes(i32 from, i32 to) {
    constexpr i32 bits = 8 * sizeof(T);
    REDTUNE_UNROLL
    for (int k = 0; k < words_of_load<T, width>; ++k) {
      words[k] = low_bits(to * bits - 32 * k) & ~low_bits(from * bits - 32 * k);
    }
  }
};

/// Of a word that holds an array's element `begin`, the lanes from it on.
template <class T, int width>
REDTUNE_DEVICE kept_lanes<T, width> kept_from(i32 begin) {
  static_assert(words_of_load<T, width> == 1, "");
  kept_lanes<T, width> kept;
  kept.words[0] = ~0u << (u32(begin) % u32(width) * u32(8 * sizeof(T)));
  return kept;
}

/// Of a word that holds the element before `end`, the lanes up to it.
template <class T, int width>
REDTUNE_DEVICE kept_lanes<T, width> kept_until(i32 end) {
  static_assert(words_of_load<T, width> == 1, "");
  kept_lanes<T, width> kept;
  kept.words[0] = ~0u >> (u32(-end) % u32(width) * u32(8 * sizeof(T)));
  return kept;
}

/// A load with another element in the place of those that are not kept.
template <class T, int width>
REDTUNE_DEVICE loaded_vector<T, width> keep_lanes(const loaded_vector<T, width>& loaded,
                                                  const kept_lanes<T, width>& kept, T missing) {
  struct filled {
    u32 words[words_of_load<T, width>];
  } all;
  REDTUNE_UNROLL
  for (int k = 0; k < words_of_load<T, width>; ++k) {
    const u32 inside = kept.words[k];
    all.words[k] = (word_of(loaded.words, k) & inside) | (filled_word(missing, k) & ~inside);
  }
  typedef typename word<sizeof(vec<T, width>)>::type Word;
  return {__builtin_bit_cast(Word, all)};
}

/// The elements of a load, one to a lane.
template <class T, int width>
REDTUNE_DEVICE pack<T, width> lanes_of(const loaded_vector<T, width>& loaded) {
  return __builtin_bit_cast(pack<T, width>, loaded);
}

template <class Hint, class T, int width>
REDTUNE_DEVICE void store_vector(vec<T, width>* to, const loaded_vector<T, width>& value) {
  typedef typename word<sizeof(vec<T, width>)>::type Word;
  store_word<Hint>(reinterpret_cast<Word*>(to), value.words);
}

}  // namespace redtune

#endif
