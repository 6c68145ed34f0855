// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The elements of inputs, each from its index alone: what fill.hip.h writes on a device and the
// tuner computes on the host, the same bits on both. Integer arithmetic, and conversions to floats
// that are exact but for one rounding to nearest. Elements are words of their type's size.
#pragma once

#include "device_code/prelude.hip.h"

namespace redtune {

/// SplitMix64 (Steele, Lea, Flood 2014): every index has its own value, in any order.
REDTUNE_DEVICE u64 hash(u64 index) {
  u64 z = index * 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

/// By halves: sums of pairs of bits, of fours, of bytes, and of all bytes.
REDTUNE_DEVICE i32 bits_set(u64 word) {
  word -= (word >> 1) & 0x5555555555555555ull;
  word = (word & 0x3333333333333333ull) + ((word >> 2) & 0x3333333333333333ull);
  word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0full;
  return i32((word * 0x0101010101010101ull) >> 56);
}

/// Digits of a number in base 2; 0 for 0.
REDTUNE_DEVICE i32 bit_length(u64 number) {
  const u32 high = u32(number >> 32);
  return high != 0 ? 32 + bit_width(high) : bit_width(u32(number));
}

/// A bell over three quarters of the range of so many bytes, around 0. Among many elements all
/// values of a small type are common; here the ends are rare, so that a minimum which misses
/// elements is wrong.
REDTUNE_DEVICE i32 bell(u64 bits, i32 bytes) {
  const i32 step = bytes == 1 ? 3 : 3 << 8;  // of 64 that make three quarters
  return (bits_set(bits) - 32) * step + i32(bits % u64(step));
}

/// A number of either sign, up to 128 and over 16 magnitudes, of 53 digits.
REDTUNE_DEVICE double wide_number(u64 bits) {
  const double unit = double(i64(bits >> 11)) * 0x1p-52 - 1.0;  // [-1, 1), exact
  return unit * __builtin_bit_cast(double, (u64(1023 - 8) + bits % 16) << 52);
}

/// The types. number: an element among many; one, sign, nan: words of them; nudge: a step from 1,
/// a sixteenth in the last places of 1; of integers 1.
struct f32_words {
  typedef u32 word;
  static constexpr bool is_float = true;
  static constexpr u32 one = 0x3f800000u;
  static constexpr u32 sign = 0x80000000u;
  static constexpr u32 nan = 0x7fc00000u;
  static constexpr u32 nudge = 1u << 19;
  static REDTUNE_DEVICE u32 number(u64 bits) {
    return __builtin_bit_cast(u32, float(wide_number(bits)));
  }
};
struct f64_words {
  typedef u64 word;
  static constexpr bool is_float = true;
  static constexpr u64 one = 0x3ff0000000000000ull;
  static constexpr u64 sign = 0x8000000000000000ull;
  static constexpr u64 nan = 0x7ff8000000000000ull;
  static constexpr u64 nudge = 1ull << 48;
  static REDTUNE_DEVICE u64 number(u64 bits) { return __builtin_bit_cast(u64, wide_number(bits)); }
};
/// A bell up to 6 in steps of 2^-12: sums of them stay in range.
struct f16_words {
  typedef u16 word;
  static constexpr bool is_float = true;
  static constexpr u16 one = 0x3c00;
  static constexpr u16 sign = 0x8000;
  static constexpr u16 nan = 0x7e00;
  static constexpr u16 nudge = 1 << 6;
  static REDTUNE_DEVICE u16 number(u64 bits) {
    const u32 word = __builtin_bit_cast(u32, float(bell(bits, 2)) * 0x1p-12f);
    const u32 magnitude = word & 0x7fffffffu;
    if (magnitude == 0) return 0;
    // No denormals and nothing large: only the exponent's offset differs. To nearest even.
    const u32 rebased = magnitude - 0x38000000u;
    return u16(((word >> 16) & 0x8000u) | ((rebased + 0xfffu + ((rebased >> 13) & 1u)) >> 13));
  }
};
struct bf16_words {
  typedef u16 word;
  static constexpr bool is_float = true;
  static constexpr u16 one = 0x3f80;
  static constexpr u16 sign = 0x8000;
  static constexpr u16 nan = 0x7fc0;
  static constexpr u16 nudge = 1 << 3;
  static REDTUNE_DEVICE u16 number(u64 bits) {
    const u32 word = __builtin_bit_cast(u32, float(bell(bits, 2)) * 0x1p-12f);
    return u16((word + 0x7fffu + ((word >> 16) & 1u)) >> 16);
  }
};

/// Integers of 1 and 2 bytes are bells around the middle of their range, others are all bits.
template <class Word, bool is_signed>
struct integer_words {
  typedef Word word;
  static constexpr bool is_float = false;
  static constexpr Word one = 1;
  static constexpr Word sign = 0;
  static constexpr Word nan = 0;
  static constexpr Word nudge = 1;
  static constexpr Word minus_one = is_signed ? Word(~Word(0)) : Word(1);
  static REDTUNE_DEVICE Word number(u64 bits) {
    if constexpr (sizeof(Word) < 4) {
      const i32 middle = is_signed ? 0 : 1 << (8 * sizeof(Word) - 1);
      return Word(u32(middle + bell(bits, sizeof(Word))));
    } else {
      return Word(bits);
    }
  }
};
struct i8_words : integer_words<u8, true> {};
struct i16_words : integer_words<u16, true> {};
struct i32_words : integer_words<u32, true> {};
struct i64_words : integer_words<u64, true> {};
struct u8_words : integer_words<u8, false> {};
struct u16_words : integer_words<u16, false> {};
struct u32_words : integer_words<u32, false> {};
struct u64_words : integer_words<u64, false> {};

/// Whether a number is to be replaced: for the first 2^dense of them, and for 2^(dense - 1) in each
/// octave of indices after, so that 2^33 elements hold a few thousand.
REDTUNE_DEVICE bool is_rare(u64 bits, u64 index, i32 dense) {
  return ((bits >> 8) & ((u64(1) << bit_length(index >> dense)) - 1)) == 0;
}

/// Of each octave of indices one, at a place of its own.
REDTUNE_DEVICE bool stands_alone(u64 seed, u64 index) {
  if (index == 0) return true;
  const u64 octave = u64(1) << (bit_length(index) - 1);
  return index - octave == (hash(seed + octave) & (octave - 1));
}

/// A number that is not zero.
template <class T>
REDTUNE_DEVICE typename T::word nonzero(u64 bits) {
  typedef typename T::word word;
  const word x = T::number(bits);
  return word(x & word(~T::sign)) == 0 ? word(T::one) : x;
}

/// A zero; of floats one of either sign.
template <class T>
REDTUNE_DEVICE typename T::word zero(u64 bits) {
  return (bits >> 32 & 1) != 0 ? typename T::word(T::sign) : typename T::word(0);
}

// The patterns: an element from its hash, its index, the seed and the index of the decisive one.

struct numbers {
  template <class T>
  static REDTUNE_DEVICE typename T::word make(u64 bits, u64, u64, u64) {
    return T::number(bits);
  }
};

/// A sixteenth is NaN.
struct numbers_and_nan {
  template <class T>
  static REDTUNE_DEVICE typename T::word make(u64 bits, u64, u64, u64) {
    return bits >> 60 == 0 ? typename T::word(T::nan) : T::number(bits);
  }
};

/// Floats: 1 of either sign, few of them off by up to a sixteenth: the product of those above 1 is
/// below 2^100 and that of those below above 2^-100, so that no order of multiplications overflows.
/// Integers: odd, so that no product modulo 2^64 is zero.
struct factors {
  template <class T>
  static REDTUNE_DEVICE typename T::word make(u64 bits, u64 index, u64, u64) {
    typedef typename T::word word;
    if constexpr (T::is_float) {
      word x = T::one;
      if (is_rare(bits, index, 7)) {
        // Below 1 a last place is half as much: twice as many of them.
        const u64 places = (bits >> 16) % (u64(T::nudge) + 1);
        x = (bits & 1) != 0 ? word(u64(x) + places) : word(u64(x) - 2 * places);
      }
      return word(x | ((bits & 2) != 0 ? word(T::sign) : word(0)));
    } else {
      return word(T::number(bits) | 1);
    }
  }
};

/// For products of integers in floats: 1 of either sign, and so few 3 that 2^33 elements stay below
/// 2^500.
struct small_factors {
  template <class T>
  static REDTUNE_DEVICE typename T::word make(u64 bits, u64 index, u64, u64) {
    typedef typename T::word word;
    if constexpr (T::is_float) {
      return factors::make<T>(bits, index, 0, 0);
    } else {
      if (is_rare(bits, index, 4)) return 3;
      return (bits & 2) != 0 ? word(T::minus_one) : word(1);
    }
  }
};

/// A quarter is zero.
struct some_zeros {
  template <class T>
  static REDTUNE_DEVICE typename T::word make(u64 bits, u64, u64, u64) {
    return bits >> 62 == 0 ? zero<T>(bits) : nonzero<T>(bits);
  }
};

struct one_zero {
  template <class T>
  static REDTUNE_DEVICE typename T::word make(u64 bits, u64 index, u64, u64 decisive) {
    return index == decisive ? zero<T>(bits) : nonzero<T>(bits);
  }
};

/// Eight values, so that every tile has many elements that are its least, or its greatest. The one
/// that counts stands at the decisive index, and again at few places after it.
template <int step>
struct one_value_beyond {
  template <class T>
  static REDTUNE_DEVICE typename T::word make(u64 bits, u64 index, u64, u64 decisive) {
    const bool is_beyond = index == decisive || (index > decisive && bits >> 52 == 0);
    const i32 steps = is_beyond ? step : i32(bits % 8);
    return typename T::word(u64(T::one) + u64(i64(steps)) * u64(T::nudge));
  }
};
struct one_lowest : one_value_beyond<-1> {};
struct one_highest : one_value_beyond<8> {};

/// Likewise; a sixteenth of the others is NaN.
template <class Values>
struct with_nan {
  template <class T>
  static REDTUNE_DEVICE typename T::word make(u64 bits, u64 index, u64 seed, u64 decisive) {
    const bool is_nan = index != decisive && (bits >> 3) % 16 == 0;
    return is_nan ? typename T::word(T::nan)
                  : Values::template make<T>(bits, index, seed, decisive);
  }
};
struct one_lowest_and_nan : with_nan<one_lowest> {};
struct one_highest_and_nan : with_nan<one_highest> {};

struct one_nonzero {
  template <class T>
  static REDTUNE_DEVICE typename T::word make(u64 bits, u64 index, u64, u64 decisive) {
    return index == decisive ? nonzero<T>(bits) : zero<T>(bits);
  }
};

/// Every even bit is set, but for one bit of one element in each octave of indices; the odd bits
/// are random.
struct mostly_set {
  template <class T>
  static REDTUNE_DEVICE typename T::word make(u64 bits, u64 index, u64 seed, u64) {
    typedef typename T::word word;
    const u64 x = u64(T::number(bits)) | 0x5555555555555555ull;
    const u64 bit = u64(bit_length(index)) * 2 % (8 * sizeof(word));
    return word(stands_alone(seed, index) ? x & ~(u64(1) << bit) : x);
  }
};

/// Every even bit is clear, but for one bit of one element in each octave of indices.
struct mostly_clear {
  template <class T>
  static REDTUNE_DEVICE typename T::word make(u64 bits, u64 index, u64 seed, u64 decisive) {
    return typename T::word(~mostly_set::make<T>(bits, index, seed, decisive));
  }
};

template <class T, class Pattern>
REDTUNE_DEVICE typename T::word generated(u64 index, u64 seed, u64 decisive) {
  return Pattern::template make<T>(hash(seed + index), index, seed, decisive);
}

/// Of an input of several results, where the elements of each lie: so many, so far from one to the
/// next, and so far from one outer index to the next. slice 0: all elements are one result's. Of a
/// batch so many elements in each array, and so far from one array to the next; batch_step 0: none.
struct result_places {
  u64 count;
  u64 step;
  u64 slice;
  u64 in_array;
  u64 batch_step;
};

/// Which result an element of an input belongs to, and which of its elements that is. What lies in
/// gaps comes behind them all.
REDTUNE_DEVICE u64 result_at(u64 at, const result_places& places) {
  if (places.batch_step != 0) return at % places.batch_step / places.slice;
  return at / places.slice * places.step + at % places.slice % places.step;
}
REDTUNE_DEVICE u64 index_at(u64 at, const result_places& places) {
  if (places.batch_step == 0) return at % places.slice / places.step;
  const u64 within = at % places.batch_step % places.slice;
  if (within >= places.in_array) return places.count + within;
  return at / places.batch_step * places.in_array + within;
}

/// The elements of each result are an input of their own, with a decisive one; so is what lies in
/// gaps, further on. count: elements of a result.
template <class T, class Pattern>
REDTUNE_DEVICE typename T::word generated_of(u64 result, u64 index, u64 seed, u64 count) {
  const u64 own_seed = hash(seed + result);
  return generated<T, Pattern>(index, own_seed, hash(~own_seed) % count);
}

template <class T, class Pattern>
REDTUNE_DEVICE typename T::word generated(u64 index, u64 seed, u64 decisive,
                                          const result_places& places) {
  if (places.slice == 0) return generated<T, Pattern>(index, seed, decisive);
  return generated_of<T, Pattern>(result_at(index, places), index_at(index, places), seed,
                                  places.count);
}

}  // namespace redtune
