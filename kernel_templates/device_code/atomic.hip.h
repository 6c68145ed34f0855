// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Changing one value from many threads: atomic for the whole device, and relaxed: nothing else
// is ordered by it. For results that a later launch or the host reads.
#pragma once

#include "types.hip.h"

namespace redtune {

/// The types that atomics take: words of 4 and 8 bytes.
template <class T>
struct is_atomic_integer {
  typedef typename wrapping<T>::type W;
  static constexpr bool value = is_same<W, u32>::value || is_same<W, u64>::value;
};
template <class T>
struct is_atomic_number {
  static constexpr bool value =
      is_atomic_integer<T>::value || is_same<T, float>::value || is_same<T, double>::value;
};

/// Integers wrap. Floats: the order of the additions, and so the rounding, depends on timing.
template <class T>
REDTUNE_DEVICE void atomic_add(T* address, T value) {
  static_assert(is_atomic_number<T>::value, "no atomic addition of this type");
  typedef typename wrapping<T>::type W;
  add_to_word(reinterpret_cast<W*>(address), W(value));
}

template <class T>
REDTUNE_DEVICE void atomic_min(T* address, T value) {
  static_assert(is_atomic_integer<T>::value, "no atomic minimum of this type");
  min_to_word(address, value);
}

template <class T>
REDTUNE_DEVICE void atomic_max(T* address, T value) {
  static_assert(is_atomic_integer<T>::value, "no atomic maximum of this type");
  max_to_word(address, value);
}

template <class T>
REDTUNE_DEVICE void atomic_and(T* address, T value) {
  static_assert(is_atomic_integer<T>::value, "no atomic 'and' of this type");
  typedef typename wrapping<T>::type W;
  and_to_word(reinterpret_cast<W*>(address), W(value));
}

template <class T>
REDTUNE_DEVICE void atomic_or(T* address, T value) {
  static_assert(is_atomic_integer<T>::value, "no atomic 'or' of this type");
  typedef typename wrapping<T>::type W;
  or_to_word(reinterpret_cast<W*>(address), W(value));
}

template <class T>
REDTUNE_DEVICE void atomic_xor(T* address, T value) {
  static_assert(is_atomic_integer<T>::value, "no atomic 'exclusive or' of this type");
  typedef typename wrapping<T>::type W;
  xor_to_word(reinterpret_cast<W*>(address), W(value));
}

}  // namespace redtune
