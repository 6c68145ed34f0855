// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How two accumulators become one, and what changes none: what operators that differ in how
// elements enter or results leave have in common. Where `elementwise`, combine also takes vectors
// of the compiler.
#pragma once

#include "types.hip.h"

namespace redtune {

struct adding {
  typedef adding fold;
  static constexpr bool elementwise = true;
  template <class Acc>
  static REDTUNE_DEVICE Acc identity() {
    return Acc(0);
  }
  template <class Acc>
  static REDTUNE_DEVICE Acc combine(Acc a, Acc b) {
    typedef typename wrapping<Acc>::type W;
    return Acc(W(a) + W(b));
  }
};

struct multiplying {
  typedef multiplying fold;
  static constexpr bool elementwise = true;
  template <class Acc>
  static REDTUNE_DEVICE Acc identity() {
    return Acc(1);
  }
  template <class Acc>
  static REDTUNE_DEVICE Acc combine(Acc a, Acc b) {
    typedef typename wrapping<Acc>::type W;
    return Acc(W(a) * W(b));
  }
};

/// One of two, where x != x is true for NaN alone. Preludes may have instructions for some types.
template <class T>
REDTUNE_DEVICE T least_or_nan(T a, T b) {
  return ((b < a) | (b != b)) ? b : a;
}
template <class T>
REDTUNE_DEVICE T greatest_or_nan(T a, T b) {
  return ((a < b) | (b != b)) ? b : a;
}
template <class T>
REDTUNE_DEVICE T least_number(T a, T b) {
  return ((b < a) | (a != a)) ? b : a;
}
template <class T>
REDTUNE_DEVICE T greatest_number(T a, T b) {
  return ((a < b) | (a != a)) ? b : a;
}

/// NaN wins over every number, at any position.
struct taking_least {
  typedef taking_least fold;
  static constexpr bool elementwise = true;
  template <class Acc>
  static REDTUNE_DEVICE Acc identity() {
    return bounds<Acc>::highest();
  }
  template <class Acc>
  static REDTUNE_DEVICE Acc combine(Acc a, Acc b) {
    return least_or_nan(a, b);
  }
};

struct taking_greatest {
  typedef taking_greatest fold;
  static constexpr bool elementwise = true;
  template <class Acc>
  static REDTUNE_DEVICE Acc identity() {
    return bounds<Acc>::lowest();
  }
  template <class Acc>
  static REDTUNE_DEVICE Acc combine(Acc a, Acc b) {
    return greatest_or_nan(a, b);
  }
};

/// Every number wins over NaN.
struct taking_least_number {
  typedef taking_least_number fold;
  static constexpr bool elementwise = true;
  template <class Acc>
  static REDTUNE_DEVICE Acc identity() {
    return bounds<Acc>::highest();
  }
  template <class Acc>
  static REDTUNE_DEVICE Acc combine(Acc a, Acc b) {
    return least_number(a, b);
  }
};

struct taking_greatest_number {
  typedef taking_greatest_number fold;
  static constexpr bool elementwise = true;
  template <class Acc>
  static REDTUNE_DEVICE Acc identity() {
    return bounds<Acc>::lowest();
  }
  template <class Acc>
  static REDTUNE_DEVICE Acc combine(Acc a, Acc b) {
    return greatest_number(a, b);
  }
};

struct common_bits {
  typedef common_bits fold;
  static constexpr bool elementwise = true;
  template <class Acc>
  static REDTUNE_DEVICE Acc identity() {
    return Acc(~Acc(0));
  }
  template <class Acc>
  static REDTUNE_DEVICE Acc combine(Acc a, Acc b) {
    return Acc(a & b);
  }
};

struct united_bits {
  typedef united_bits fold;
  static constexpr bool elementwise = true;
  template <class Acc>
  static REDTUNE_DEVICE Acc identity() {
    return Acc(0);
  }
  template <class Acc>
  static REDTUNE_DEVICE Acc combine(Acc a, Acc b) {
    return Acc(a | b);
  }
};

struct differing_bits {
  typedef differing_bits fold;
  static constexpr bool elementwise = true;
  template <class Acc>
  static REDTUNE_DEVICE Acc identity() {
    return Acc(0);
  }
  template <class Acc>
  static REDTUNE_DEVICE Acc combine(Acc a, Acc b) {
    return Acc(a ^ b);
  }
};

}  // namespace redtune
