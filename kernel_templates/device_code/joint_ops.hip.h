// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Operators whose accumulators have several members, so that one pass over the elements finds
// several values. Elements come some at a time (elements.hip.h), so that what is dear is done once
// for all of them and not for each.
#pragma once

#include "ops.hip.h"

namespace redtune {

/// Elements are transformed, and no element is known that changes nothing.
struct folds_jointly {
  static constexpr bool elementwise = false;
  static constexpr bool padded = false;
  static constexpr bool plain = false;
  static constexpr bool indexed = false;
  static constexpr bool joint = true;
};

/// Two values of a result: MinMax, SoftmaxStats and MeanVariance on the host.
template <class T>
struct value_pair {
  typedef T value_type;
  T first;
  T second;
};

/// A type of whole words that holds all values of another: shuffles and slots take words.
template <class T>
struct in_words {
  typedef typename either<is_signed_integer<T>::value, i32, u32>::type small;
  typedef typename either<(sizeof(T) < sizeof(u32)), small, T>::type type;
};

template <class T>
struct least_and_greatest {
  typedef T value_type;
  typedef typename in_words<T>::type word;
  word least;
  word greatest;
};

/// The smallest and the largest element.
struct min_max : folds_jointly {
  typedef min_max fold;
  template <class T>
  using kept = least_and_greatest<T>;
  template <class T>
  using given = value_pair<T>;

  template <class Acc>
  static REDTUNE_DEVICE Acc identity() {
    typedef typename Acc::value_type T;
    return {min::identity<T>(), max::identity<T>()};
  }
  template <class Acc, class E>
  static REDTUNE_DEVICE Acc enter(E x) {
    const auto value = typename Acc::value_type(x);
    return {value, value};
  }
  template <class Acc, class Elements>
  static REDTUNE_DEVICE Acc fold_elements(const Elements& elements) {
    typedef typename Acc::value_type T;
    return {elements.template value<min, T>(), elements.template value<max, T>()};
  }
  template <class Acc>
  static REDTUNE_DEVICE Acc combine(Acc a, Acc b) {
    typedef typename Acc::word word;
    return {min::combine<word>(a.least, b.least), max::combine<word>(a.greatest, b.greatest)};
  }
  template <class Out, class Acc>
  static REDTUNE_DEVICE Out leave(Acc a, i64) {
    typedef typename Acc::value_type T;
    typedef typename Out::value_type O;
    return {convert<O>(T(a.least)), convert<O>(T(a.greatest))};
  }
};

/// The largest element, and the sum of the exponentials of all elements less that. Where the
/// largest is not finite, the sum is of no account.
template <class T>
struct exponentials {
  typedef T value_type;
  T largest;
  T sum;
};

/// 1 / ln 2 as the nearest number and what it leaves, and ln 2; a distance at which exponentials
/// are zero.
template <class T>
struct exponential_constants;
template <>
struct exponential_constants<float> {
  static constexpr float log2_e = 0x1.715476p+0f;
  static constexpr float log2_e_rest = 0x1.4ae0cp-26f;
  static constexpr float ln_2 = 0x1.62e43p-1f;
  static constexpr float vanishing = -200;
};
template <>
struct exponential_constants<double> {
  static constexpr double log2_e = 0x1.71547652b82fep+0;
  static constexpr double vanishing = -800;
};

/// e^(x - largest). What is not a number, since both are infinite, counts as far away. exactly: a
/// float's product with 1 / ln 2, which is rounded by its size, is mended; 16-bit elements, known
/// to 11 bits, do without.
template <bool exactly, class T>
REDTUNE_DEVICE T exponential_of(T x, T largest) {
  typedef exponential_constants<T> constants;
  const T distance = greatest_number(T(x - largest), constants::vanishing);
  const T power = distance * constants::log2_e;
  const T exponential = power_of_two(power);
  if constexpr (exactly && is_same<T, float>::value) {
    const float lost = multiply_add(distance, constants::log2_e_rest,
                                    multiply_add(distance, constants::log2_e, -power));
    return multiply_add(exponential, lost * constants::ln_2, exponential);
  } else {
    return exponential;
  }
}

/// A new largest element shrinks the sum of those before (Milakov, Gimelshein: Online normalizer
/// calculation for softmax, 2018).
struct adding_exponentials : folds_jointly {
  typedef adding_exponentials fold;
  static constexpr bool padded = true;  // by what has no exponential
  template <class T>
  using kept = exponentials<T>;

  template <class E>
  static REDTUNE_DEVICE E padding() {
    return max::identity<E>();
  }
  template <class Acc>
  static REDTUNE_DEVICE Acc identity() {
    typedef typename Acc::value_type T;
    return {max::identity<T>(), T(0)};
  }
  template <class Acc, class E>
  static REDTUNE_DEVICE Acc enter(E x) {
    typedef typename Acc::value_type T;
    return {T(x), T(1)};
  }
  template <class Acc, class Elements>
  static REDTUNE_DEVICE Acc fold_elements(const Elements& elements) {
    typedef typename Acc::value_type T;
    const T largest = elements.template value<max, T>();
    const T sum = elements.template sum<T>(
        [largest](auto x) { return exponential_of<(Elements::element_bytes > 2)>(T(x), largest); });
    return {largest, sum};
  }
  template <class Acc>
  static REDTUNE_DEVICE Acc combine(Acc a, Acc b) {
    typedef typename Acc::value_type T;
    const T largest = max::combine<T>(a.largest, b.largest);
    const bool is_b = a.largest < b.largest;
    const T shrinks = exponential_of<true>(T(is_b ? a.largest : b.largest), largest);
    return {largest, is_b ? a.sum * shrinks + b.sum : a.sum + b.sum * shrinks};
  }
  template <class T>
  static REDTUNE_DEVICE bool is_finite(T x) {
    return x - x == T(0);
  }
};

struct logsumexp : adding_exponentials {
  template <class T>
  using given = T;
  template <class Out, class Acc>
  static REDTUNE_DEVICE Out leave(Acc a, i64) {
    const double largest(a.largest);
    return convert<Out>(is_finite(largest) ? largest + natural_logarithm(double(a.sum)) : largest);
  }
};

/// Infinite elements: each has an exponential as infinite as itself.
struct softmax_stats : adding_exponentials {
  template <class T>
  using given = value_pair<T>;
  template <class Out, class Acc>
  static REDTUNE_DEVICE Out leave(Acc a, i64) {
    typedef typename Out::value_type O;
    typedef typename Acc::value_type T;
    const T infinite = a.largest < T(0) ? T(0) : a.largest;
    return {convert<O>(a.largest), convert<O>(is_finite(a.largest) ? a.sum : infinite)};
  }
};

/// Of some elements: how many, their mean, which is mean + rest, and the sum of the squares of
/// their distances from it. A mean of one float alone would leave distances its rounding, which
/// squares then show: of a mean of 10^6 and a deviation of 1 more than 10^-4.
template <class T>
struct moments {
  typedef T value_type;
  u32 count_low;
  u32 count_high;
  T mean;
  T rest;
  T squares;

  REDTUNE_DEVICE i64 count() const { return i64(u64(count_high) << 32 | count_low); }
};
template <class T>
REDTUNE_DEVICE moments<T> moments_of(i64 count, T mean, T rest, T squares) {
  return {u32(u64(count)), u32(u64(count) >> 32), mean, rest, squares};
}

/// Of elements at hand the distances from their mean, corrected by what these come to; of parts
/// what Chan, Golub and LeVeque found (Algorithms for computing the sample variance,
/// 1983, 1.5a, 1.7 and 2.1).
struct gathering_moments : folds_jointly {
  typedef gathering_moments fold;
  template <class T>
  using kept = moments<T>;
  template <class T>
  using given = value_pair<T>;

  template <class Acc>
  static REDTUNE_DEVICE Acc identity() {
    typedef typename Acc::value_type T;
    return moments_of(0, T(0), T(0), T(0));
  }
  template <class Acc, class E>
  static REDTUNE_DEVICE Acc enter(E x) {
    typedef typename Acc::value_type T;
    const T value(x);
    const T nothing = value - value;  // NaN of what is not finite
    return moments_of(1, value, nothing, nothing);
  }
  template <class Acc, class Elements>
  static REDTUNE_DEVICE Acc fold_elements(const Elements& elements) {
    typedef typename Acc::value_type T;
    typedef typename Elements::element E;
    const i64 count = elements.count();
    const T share = T(1) / T(count > 0 ? count : 1);
    if constexpr (is_integer<E>::value && sizeof(E) < 4) {
      // Fewer than 2^16 of 16 bits: what comes of them below is exact in 64.
      typedef typename either<is_signed_integer<E>::value, i64, u64>::type whole;
      const whole all = elements.template value<sum, whole>();
      const u64 squared = u64(elements.template value<sum_of_squares, whole>());
      const u64 apart = u64(count) * squared - u64(all) * u64(all);
      const T mean = T(all) * share;
      const T off = multiply_add(-mean, T(count), T(all));
      return moments_of(count, mean, off * share, T(apart) * share);
    } else {
      const T mean = elements.template sum<T>([share](auto x) { return T(x) * share; });
      const T off = elements.template sum<T>([mean](auto x) { return T(x) - mean; });
      const T squared =
          elements.template sum<T>([mean](auto x) { return (T(x) - mean) * (T(x) - mean); });
      return moments_of(count, mean, off * share, not_below_zero(squared - off * (off * share)));
    }
  }
  template <class Acc>
  static REDTUNE_DEVICE Acc combine(Acc a, Acc b) {
    typedef typename Acc::value_type T;
    // From the mean of the more elements on: that of none is of no account. Member by member:
    // accumulators that are chosen as a whole would be in memory.
    const i64 of_a = a.count();
    const i64 of_b = b.count();
    const bool has_b_more = of_a < of_b;
    const i64 many = has_b_more ? of_b : of_a;
    const i64 few = has_b_more ? of_a : of_b;
    const T from = has_b_more ? b.mean : a.mean;
    const T from_rest = has_b_more ? b.rest : a.rest;
    const T to = has_b_more ? a.mean : b.mean;
    const T to_rest = has_b_more ? a.rest : b.rest;
    const i64 count = many + few;
    const T share = quotient(T(few), T(count > 0 ? count : 1));
    const T distance = few == 0 ? T(0) : (to - from) + (to_rest - from_rest);
    const T rest = from_rest + distance * share;
    const T mean = from + rest;
    const T squares = (a.squares + b.squares) + distance * (distance * (share * T(many)));
    return moments_of(count, mean, rest - (mean - from), squares);
  }

 protected:
  template <class Out, class Acc>
  static REDTUNE_DEVICE Out leave_divided(Acc a, i64 count, i64 divisor) {
    typedef typename Out::value_type O;
    const double none = bounds<double>::nan();
    const double mean = double(a.mean) + double(a.rest);
    return {convert<O>(count > 0 ? mean : none),
            convert<O>(divisor > 0 ? double(a.squares) / double(divisor) : none)};
  }

 private:
  /// A NaN stays one.
  template <class T>
  static REDTUNE_DEVICE T not_below_zero(T x) {
    return x < T(0) ? T(0) : x;
  }
};

struct mean_variance : gathering_moments {
  template <class Out, class Acc>
  static REDTUNE_DEVICE Out leave(Acc a, i64 count) {
    return leave_divided<Out>(a, count, count);
  }
};
struct mean_sample_variance : gathering_moments {
  template <class Out, class Acc>
  static REDTUNE_DEVICE Out leave(Acc a, i64 count) {
    return leave_divided<Out>(a, count, count - 1);
  }
};

}  // namespace redtune
