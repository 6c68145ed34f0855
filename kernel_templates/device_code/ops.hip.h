// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The operators: how an element enters, how two accumulators become one, what comes out. Every
// combine is associative and commutative (floating sums: up to rounding).
#pragma once

#include "folds.hip.h"

namespace redtune {

/// Elements enter by a conversion alone. padded: so does the identity, so that tiles which are not
/// full can be padded with it (padding() in fold_tile.hip.h).
struct enters_plain {
  static constexpr bool padded = true;
  static constexpr bool plain = true;
  static constexpr bool indexed = false;
  static constexpr bool joint = false;  ///< an accumulator of several members: joint_ops.hip.h
  template <class Acc, class E>
  static REDTUNE_DEVICE Acc enter(E x) {
    return Acc(x);
  }
};

/// Elements are transformed before they are folded. Whether the identity stays what it is, an
/// operator says itself.
struct enters_changed {
  static constexpr bool padded = false;
  static constexpr bool plain = false;
  static constexpr bool indexed = false;
  static constexpr bool joint = false;
};

/// The result is the accumulator.
struct leaves_plain {
  template <class Out, class Acc>
  static REDTUNE_DEVICE Out leave(Acc a, i64) {
    return convert<Out>(a);
  }
};

struct sum : adding, enters_plain, leaves_plain {};
struct product : multiplying, enters_plain, leaves_plain {};
struct min : taking_least, enters_plain, leaves_plain {};
struct max : taking_greatest, enters_plain, leaves_plain {};
struct min_ignore_nan : taking_least_number, enters_plain, leaves_plain {};
struct max_ignore_nan : taking_greatest_number, enters_plain, leaves_plain {};

/// Whether NaN does not count.
template <class Op>
struct leaves_out_nan {
  static constexpr bool value = is_same<typename Op::fold, taking_least_number>::value ||
                                is_same<typename Op::fold, taking_greatest_number>::value;
};

struct bit_and : common_bits, enters_plain, leaves_plain {};
struct bit_or : united_bits, enters_plain, leaves_plain {};
struct bit_xor : differing_bits, enters_plain, leaves_plain {};

/// 1 for what is not zero; a NaN is not.
struct enters_nonzero : enters_changed {
  static constexpr bool padded = true;
  template <class Acc, class E>
  static REDTUNE_DEVICE Acc enter(E x) {
    return x != E(0) ? Acc(1) : Acc(0);
  }
};
struct all : common_bits, enters_nonzero {
  template <class Out, class Acc>
  static REDTUNE_DEVICE Out leave(Acc a, i64) {
    return Out(a & Acc(1));
  }
};
struct any : united_bits, enters_nonzero, leaves_plain {};
struct count_nonzero : adding, enters_nonzero, leaves_plain {};
template <>
constexpr bool enters_as_flag<all> = true;
template <>
constexpr bool enters_as_flag<any> = true;
template <>
constexpr bool enters_as_flag<count_nonzero> = true;

struct enters_squared : enters_changed {
  static constexpr bool padded = true;
  template <class Acc, class E>
  static REDTUNE_DEVICE Acc enter(E x) {
    typedef typename wrapping<Acc>::type W;
    return Acc(W(Acc(x)) * W(Acc(x)));
  }
};
struct sum_of_squares : adding, enters_squared, leaves_plain {};
struct l2_norm : adding, enters_squared {
  template <class Out, class Acc>
  static REDTUNE_DEVICE Out leave(Acc a, i64) {
    return convert<Out>(square_root(double(a)));
  }
};

struct mean : adding, enters_plain {
  template <class Out, class Acc>
  static REDTUNE_DEVICE Out leave(Acc a, i64 count) {
    return convert<Out>(double(a) / double(count));
  }
};

/// Magnitudes, in an accumulator that holds that of the lowest integer as well.
struct abs_max : enters_changed, leaves_plain {
  typedef taking_greatest fold;
  static constexpr bool elementwise = true;
  static constexpr bool padded = true;
  template <class Acc>
  static REDTUNE_DEVICE Acc identity() {
    return Acc(0);
  }
  template <class Acc, class E>
  static REDTUNE_DEVICE Acc enter(E x) {
    return x < E(0) ? Acc(Acc(0) - Acc(x)) : Acc(x);
  }
  template <class Acc>
  static REDTUNE_DEVICE Acc combine(Acc a, Acc b) {
    return taking_greatest::combine(a, b);
  }
};

/// An element and where it stands; index -1: none.
template <class T>
struct alignas(8) indexed_value {
  typedef T value_type;
  T value;
  i64 index;
};

/// Likewise of one tile, and where in the tile it stands; all bits set: none.
template <class T>
struct placed_value {
  typedef T value_type;
  T value;
  u32 index;
};

/// The element that an order of values puts first, the lowest index among equals.
template <class ValueOp>
struct arg_extreme {
  typedef ValueOp value_op;
  typedef arg_extreme fold;
  static constexpr bool elementwise = false;
  static constexpr bool plain = true;
  static constexpr bool indexed = true;
  static constexpr bool joint = false;

  /// Whether x comes before y. Where NaN wins, before every number.
  template <class T>
  static REDTUNE_DEVICE bool before(T x, T y) {
    return !same(x, y) & same(ValueOp::template combine<T>(y, x), x);
  }
  /// Equal, or both NaN.
  template <class T>
  static REDTUNE_DEVICE bool same(T x, T y) {
    return (x == y) | ((x != x) & (y != y));
  }
  template <class Acc>
  static REDTUNE_DEVICE Acc identity() {
    return {ValueOp::template identity<typename Acc::value_type>(), decltype(Acc::index)(-1)};
  }
  template <class Acc>
  static REDTUNE_DEVICE Acc combine(Acc a, Acc b) {
    // As an unsigned number, -1 is above every index.
    const bool is_b =
        before(b.value, a.value) | (same(b.value, a.value) & (u64(b.index) < u64(a.index)));
    return {is_b ? b.value : a.value, is_b ? b.index : a.index};
  }
  template <class Out, class Acc>
  static REDTUNE_DEVICE Out leave(Acc a, i64) {
    return {convert<typename Out::value_type>(a.value), a.index};
  }
};
struct argmin : arg_extreme<min> {};
struct argmax : arg_extreme<max> {};
struct argmin_ignore_nan : arg_extreme<min_ignore_nan> {};
struct argmax_ignore_nan : arg_extreme<max_ignore_nan> {};

/// What an operator keeps, and what it gives, for a value of type T: the value, it and an index, or
/// several.
template <class Op, class T, bool indexed = Op::indexed, bool joint = Op::joint>
struct shaped {
  typedef T type;
  typedef T result;
};
template <class Op, class T>
struct shaped<Op, T, true, false> {
  typedef indexed_value<T> type;
  typedef indexed_value<T> result;
};
template <class Op, class T>
struct shaped<Op, T, false, true> {
  typedef typename Op::template kept<T> type;
  typedef typename Op::template given<T> result;
};

template <class Op, class E>
struct is_small_integer_sum {
  static constexpr bool value = is_same<typename Op::fold, adding>::value && Op::plain &&
                                is_integer<E>::value && sizeof(E) < 4;
};

/// The type in which the elements that one thread loads of a tile are folded, before they enter its
/// accumulator as one value. Sums of small integers: no 2^16 of them overflow 32 bits, in which
/// processors add several at once; a thread's part of a tile is far less. Counts likewise, and
/// squares of bytes.
template <class Op, class In, class Acc>
struct tile_accumulator {
  static constexpr bool is_signed = is_signed_integer<In>::value;
  static constexpr bool squares_bytes =
      (is_same<Op, sum_of_squares>::value || is_same<Op, l2_norm>::value) && sizeof(In) == 1;
  static constexpr bool narrow =
      (is_small_integer_sum<Op, In>::value && !is_same<In, Acc>::value) ||
      is_same<Op, count_nonzero>::value || squares_bytes;
  typedef typename either<narrow, typename either<is_signed, i32, u32>::type, Acc>::type type;
};

}  // namespace redtune
