// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What lanes of a wave give each other, and folding them: by one instruction where the GPU has it,
// else through shuffles. Lane 0 holds the result.
#pragma once

#include "joint_ops.hip.h"

namespace redtune {

/// A value of which each word is exchanged for that of another lane.
template <class T, class Exchange>
REDTUNE_DEVICE T exchanged_by_words(T value, const Exchange& exchange) {
  if constexpr (sizeof(T) < sizeof(u32)) {  // an integer: what it is widened by is cut off again
    return T(exchange(u32(value)));
  } else {
    struct words {
      u32 w[(sizeof(T) + 3) / 4];
    };
    static_assert(sizeof(words) == sizeof(T), "shuffled types are whole 32-bit words, or integers");
    words parts = __builtin_bit_cast(words, value);
    REDTUNE_UNROLL
    for (u32& word : parts.w) word = exchange(word);
    return __builtin_bit_cast(T, parts);
  }
}

template <int wave_size, class T>
REDTUNE_DEVICE T shuffle_down(T value, i32 distance) {
  return exchanged_by_words(value,
                            [=](u32 word) { return shuffle_down_word<wave_size>(word, distance); });
}

/// What a fold of extremes takes first.
template <class Fold>
struct extreme_order {
  static constexpr bool nan_wins =
      is_same<Fold, taking_least>::value || is_same<Fold, taking_greatest>::value;
  static constexpr bool takes_least =
      is_same<Fold, taking_least>::value || is_same<Fold, taking_least_number>::value;
  static constexpr bool exists = takes_least || is_same<Fold, taking_greatest>::value ||
                                 is_same<Fold, taking_greatest_number>::value;
  static constexpr bool nan_is_lowest = nan_wins == takes_least;
};

/// Values as integers that have the same order: integers are their own, and the bits of floats have
/// it once those below the sign of what is negative are inverted. NaN stands outside of all
/// numbers.
template <class Order, class T>
struct ordered_key {
  static constexpr bool exists = is_integer<T>::value;
  static REDTUNE_DEVICE T of(T value) { return value; }
  static REDTUNE_DEVICE T back(T key) { return key; }
};
template <class Order, class T, class Key>
struct ordered_key_of_float {
  static constexpr bool exists = true;
  static constexpr Key below_sign = Key(~typename wrapping<Key>::type(0) >> 1);
  static REDTUNE_DEVICE Key turned(Key bits) {
    return bits ^ ((bits >> (8 * sizeof(Key) - 1)) & below_sign);
  }
  static REDTUNE_DEVICE Key of(T value) {
    constexpr Key of_nan = Order::nan_is_lowest ? ~below_sign : below_sign;
    return value != value ? of_nan : turned(__builtin_bit_cast(Key, value));
  }
  static REDTUNE_DEVICE T back(Key key) { return __builtin_bit_cast(T, turned(key)); }
};
template <class Order>
struct ordered_key<Order, float> : ordered_key_of_float<Order, float, i32> {};
template <class Order>
struct ordered_key<Order, double> : ordered_key_of_float<Order, double, i64> {};

/// The least or greatest of the integers of all lanes: of 64 bits the upper halves first, then the
/// lower ones of those that have it.
template <bool takes_least, class Key>
REDTUNE_DEVICE Key extreme_of_wave(Key key) {
  constexpr wave_fold unsigned_fold = takes_least ? wave_fold::least : wave_fold::greatest;
  constexpr wave_fold signed_fold =
      takes_least ? wave_fold::least_signed : wave_fold::greatest_signed;
  constexpr wave_fold how = is_signed_integer<Key>::value ? signed_fold : unsigned_fold;
  if constexpr (sizeof(Key) <= sizeof(u32)) {
    return Key(fold_of_wave<how>(u32(key)));
  } else {
    const u32 upper = u32(u64(key) >> 32);
    const u32 best = fold_of_wave<how>(upper);
    const u32 lower = upper == best ? u32(key) : takes_least ? ~0u : 0u;
    return Key(u64(best) << 32 | fold_of_wave<unsigned_fold>(lower));
  }
}

/// Sums of 64 bits in pieces of 27, 32 of which do not overflow a word.
template <class Acc>
REDTUNE_DEVICE Acc sum_of_wave(Acc value) {
  if constexpr (sizeof(Acc) <= sizeof(u32)) {
    return Acc(fold_of_wave<wave_fold::sum>(u32(value)));
  } else {
    const u64 bits = u64(value);
    const u64 low = fold_of_wave<wave_fold::sum>(u32(bits) & 0x7ffffffu);
    const u64 middle = fold_of_wave<wave_fold::sum>(u32(bits >> 27) & 0x7ffffffu);
    const u64 high = fold_of_wave<wave_fold::sum>(u32(bits >> 54));
    return Acc(low + (middle << 27) + (high << 54));
  }
}

template <wave_fold how, class Acc>
REDTUNE_DEVICE Acc bits_of_wave(Acc value) {
  if constexpr (sizeof(Acc) <= sizeof(u32)) {
    return Acc(fold_of_wave<how>(u32(value)));
  } else {
    const u64 low = fold_of_wave<how>(u32(u64(value)));
    return Acc(low | u64(fold_of_wave<how>(u32(u64(value) >> 32))) << 32);
  }
}

/// Whether a wave folds accumulators of a type word by word instead of lane by lane, and how.
template <class Fold, class Acc>
struct fold_at_once {
  typedef extreme_order<Fold> order;
  typedef ordered_key<order, Acc> key;
  static constexpr bool is_sum = is_same<Fold, adding>::value;
  static constexpr bool is_of_bits = is_same<Fold, common_bits>::value ||
                                     is_same<Fold, united_bits>::value ||
                                     is_same<Fold, differing_bits>::value;
  static constexpr wave_fold how =  // of bits
      is_same<Fold, common_bits>::value   ? wave_fold::common_bits
      : is_same<Fold, united_bits>::value ? wave_fold::united_bits
                                          : wave_fold::differing_bits;
  static constexpr bool exists =
      has_wave_folds &&
      (order::exists ? key::exists : (is_sum || is_of_bits) && is_integer<Acc>::value);
  static REDTUNE_DEVICE Acc apply(Acc value) {
    if constexpr (order::exists) {
      return key::back(extreme_of_wave<order::takes_least>(key::of(value)));
    } else if constexpr (is_sum) {
      return sum_of_wave(value);
    } else {
      return bits_of_wave<how>(value);
    }
  }
};

/// The value first, then the lowest index of those that have it; no index is above all.
template <class ValueOp, class Found>
struct find_at_once {
  typedef extreme_order<typename ValueOp::fold> order;
  typedef typename Found::value_type T;
  typedef ordered_key<order, T> key;
  typedef typename either<sizeof(Found::index) == 8, u64, u32>::type Index;
  static constexpr bool exists = has_wave_folds && order::exists && key::exists;
  static REDTUNE_DEVICE Found apply(Found found) {
    const auto mine = key::of(T(found.value + T(0)));  // zeros of both signs are equal
    const auto best = extreme_of_wave<order::takes_least>(mine);
    const Index index = mine == best ? Index(found.index) : ~Index(0);
    return {key::back(best), decltype(Found::index)(extreme_of_wave<true>(index))};
  }
};
template <class ValueOp, class T>
struct fold_at_once<arg_extreme<ValueOp>, indexed_value<T>>
    : find_at_once<ValueOp, indexed_value<T>> {};
template <class ValueOp, class T>
struct fold_at_once<arg_extreme<ValueOp>, placed_value<T>>
    : find_at_once<ValueOp, placed_value<T>> {};

/// Each by itself.
template <class T>
struct fold_at_once<min_max, least_and_greatest<T>> {
  typedef typename least_and_greatest<T>::word word;
  typedef fold_at_once<min::fold, word> least;
  typedef fold_at_once<max::fold, word> greatest;
  static constexpr bool exists = least::exists;
  static REDTUNE_DEVICE least_and_greatest<T> apply(least_and_greatest<T> both) {
    return {least::apply(both.least), greatest::apply(both.greatest)};
  }
};

/// Folds the first lanes of a wave; a power of two of them, the others are of no account.
template <class Op, int wave_size, int lanes = wave_size, class Acc>
REDTUNE_DEVICE Acc wave_reduce(Acc value) {
  typedef fold_at_once<typename Op::fold, Acc> at_once;
  if constexpr (at_once::exists && lanes > 2) {  // of two lanes a shuffle does it
    if constexpr (lanes < wave_size) {
      if (thread_index() % wave_size >= lanes) value = Op::template identity<Acc>();
    }
    return at_once::apply(value);
  }
  REDTUNE_UNROLL
  for (i32 distance = lanes / 2; distance > 0; distance /= 2) {
    value = Op::template combine<Acc>(value, shuffle_down<wave_size>(value, distance));
  }
  return value;
}

}  // namespace redtune
