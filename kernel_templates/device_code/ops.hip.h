// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The operators: identity, how an element enters, how two accumulators become one, what comes out.
// Every combine is associative and commutative (floating sums: up to rounding). An elementwise
// operator is also written so that Acc may be a pack of numbers.
#pragma once

#include "types.hip.h"

namespace redtune {

struct sum {
  static constexpr bool elementwise = true;
  template <class Acc>
  static REDTUNE_DEVICE Acc identity() {
    return Acc(0);
  }
  template <class Acc>
  static REDTUNE_DEVICE Acc enter(Acc x) {
    return x;
  }
  template <class Acc>
  static REDTUNE_DEVICE Acc combine(Acc a, Acc b) {
    typedef typename wrapping<Acc>::type W;
    return Acc(W(a) + W(b));
  }
  template <class Out, class Acc>
  static REDTUNE_DEVICE Out leave(Acc a) {
    return Out(a);
  }
};

/// The type in which the elements that one thread loads of a tile are folded, before they enter its
/// accumulator as one value.
template <class Op, class In, class Acc>
struct tile_accumulator {
  typedef Acc type;
};
/// Sums of small integers: no 2^16 of them overflow 32 bits, in which processors add several at
/// once; a thread's part of a tile is far less.
template <class Acc>
struct tile_accumulator<sum, i8, Acc> {
  typedef i32 type;
};
template <class Acc>
struct tile_accumulator<sum, i16, Acc> {
  typedef i32 type;
};
template <class Acc>
struct tile_accumulator<sum, u8, Acc> {
  typedef u32 type;
};
template <class Acc>
struct tile_accumulator<sum, u16, Acc> {
  typedef u32 type;
};

/// NaN wins over every number, at any position: x != x is true for NaN alone.
struct min {
  static constexpr bool elementwise = true;
  template <class Acc>
  static REDTUNE_DEVICE Acc identity() {
    return bounds<Acc>::highest();
  }
  template <class Acc>
  static REDTUNE_DEVICE Acc enter(Acc x) {
    return x;
  }
  template <class Acc>
  static REDTUNE_DEVICE Acc combine(Acc a, Acc b) {
    return ((b < a) | (b != b)) ? b : a;
  }
  template <class Out, class Acc>
  static REDTUNE_DEVICE Out leave(Acc a) {
    return Out(a);
  }
};

struct max {
  static constexpr bool elementwise = true;
  template <class Acc>
  static REDTUNE_DEVICE Acc identity() {
    return bounds<Acc>::lowest();
  }
  template <class Acc>
  static REDTUNE_DEVICE Acc enter(Acc x) {
    return x;
  }
  template <class Acc>
  static REDTUNE_DEVICE Acc combine(Acc a, Acc b) {
    return ((a < b) | (b != b)) ? b : a;
  }
  template <class Out, class Acc>
  static REDTUNE_DEVICE Out leave(Acc a) {
    return Out(a);
  }
};

}  // namespace redtune
