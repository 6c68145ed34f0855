// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How results are written where there are many.
#pragma once

#include "load.hip.h"
#include "ops.hip.h"

namespace redtune {

/// Whether a value that was found has to be read once more: folding values does not tell -0.0 from
/// 0.0, the element does.
template <class Op, class Acc>
REDTUNE_DEVICE bool hides_its_sign(const Acc& found) {
  typedef typename Acc::value_type T;
  return Op::same(found.value, T(0)) && found.index >= 0;
}
template <class T, class In>
REDTUNE_DEVICE void take_element(indexed_value<T>& found, In element) {
  found.value = T(value_of(element));
}

/// The bits of a value, and zeros above them.
template <class T>
REDTUNE_DEVICE u64 wide_bits(T value) {
  if constexpr (sizeof(T) == 8) return __builtin_bit_cast(u64, value);
  if constexpr (sizeof(T) == 4) return __builtin_bit_cast(u32, value);
  if constexpr (sizeof(T) == 2) return __builtin_bit_cast(u16, value);
  if constexpr (sizeof(T) == 1) return __builtin_bit_cast(u8, value);
}

template <class Out>
REDTUNE_DEVICE void write_one(Out* to, const Out& result) {
  *to = result;
}

/// Its bytes between value and index as well, so that memory need not be read to fill them in, and
/// by one store where the place is aligned to it.
template <class T>
REDTUNE_DEVICE void write_one(indexed_value<T>* to, const indexed_value<T>& result) {
  const struct {
    u64 value;
    u64 index;
  } words{wide_bits(result.value), u64(result.index)};
  if (reinterpret_cast<u64>(to) % sizeof(words) == 0) {
    store_vector<cached>(reinterpret_cast<vec<u64, 2>*>(to),
                         __builtin_bit_cast(loaded_vector<u64, 2>, words));
  } else {
    u64* const both = reinterpret_cast<u64*>(to);
    both[0] = words.value;
    both[1] = words.index;
  }
}

/// What one store writes at most, in bytes.
constexpr int widest_store = 16;

/// Results beside each other, to a place that is aligned to all of them.
template <int many, class Out>
REDTUNE_DEVICE void write_some(Out* to, const Out* results) {
  if constexpr (many <= 1) {
    write_one(to, *results);
  } else {
    vec<Out, many> all;
    REDTUNE_UNROLL
    for (int i = 0; i < many; ++i) all.v[i] = results[i];
    store_vector<cached>(reinterpret_cast<vec<Out, many>*>(to),
                         __builtin_bit_cast(loaded_vector<Out, many>, all));
  }
}

}  // namespace redtune
