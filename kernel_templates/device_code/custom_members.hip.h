// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A user's operator whose accumulator is a struct, or whose result is one. Kernels pass on the
// words of its members: whatever lies between members in memory, nothing does here, and any member
// may stand at any word.
#pragma once

#include "custom_operator.hip.h"
#include "fold_tile.hip.h"

namespace redtune {

/// A member in words of its own.
template <class T>
struct member_word {
  static REDTUNE_DEVICE void store(T value, u32* words) {
    if constexpr (sizeof(T) < sizeof(u32)) {  // an integer: what it is widened by is cut off again
      words[0] = u32(value);
    } else if constexpr (sizeof(T) == sizeof(u32)) {
      words[0] = __builtin_bit_cast(u32, value);
    } else {
      u64 bits = __builtin_bit_cast(u64, value);  // NVRTC 13.0 fails on one that is const
      words[0] = u32(bits);
      words[1] = u32(bits >> 32);
    }
  }
  static REDTUNE_DEVICE T load(const u32* words) {
    if constexpr (sizeof(T) < sizeof(u32)) {
      return T(words[0]);
    } else if constexpr (sizeof(T) == sizeof(u32)) {
      return __builtin_bit_cast(T, words[0]);
    } else {
      return __builtin_bit_cast(T, u64(words[1]) << 32 | words[0]);
    }
  }
  static REDTUNE_DEVICE void make_positive(u32* words) {
    const T value = load(words);
    if (value < T(0)) store(T(-value), words);
  }
};

template <int many>
struct alignas(many % 2 == 0 ? 8 : 4) member_words {
  u32 w[many];
};

/// Members: written by the host beside the user's text, see members_text(): the user's type, the
/// words of its members, and how the one becomes the other.
template <class User, class E, class Result, class Members>
struct user_operator_of_members : checked_user_operator<User, E, typename Members::type, Result> {
  typedef user_operator_of_members fold;
  typedef checked_user_operator<User, E, typename Members::type, Result> checked;
  static constexpr bool joint = true;

  typedef member_words<Members::words> Words;
  template <class>
  using kept = Words;
  template <class T>
  using given = typename either<Members::gives_one, T, Result>::type;

  static_assert(checked::transforms || !Members::is_struct,
                "redtune says: custom has no function transform(element), which makes an "
                "accumulator of an element");
  static_assert(checked::finishes != Members::gives_accumulator,
                "redtune says: finish(accumulator, i64) must stand within struct custom");

  template <class>
  static REDTUNE_DEVICE Words identity() {
    return Members::store(User::identity());
  }
  template <class, class Value>
  static REDTUNE_DEVICE Words enter(Value x) {
    if constexpr (checked::transforms) {
      return Members::store(User::transform(E(x)));
    } else {
      return Members::store(typename Members::type(x));
    }
  }
  template <class>
  static REDTUNE_DEVICE Words combine(const Words& a, const Words& b) {
    return Members::store(User::combine(Members::load(a), Members::load(b)));
  }
  template <class Out>
  static REDTUNE_DEVICE Out leave(const Words& a, i64 count) {
    if constexpr (Members::gives_accumulator) {
      return Members::load(a);
    } else if constexpr (Members::gives_one) {
      return convert<Out>(Result(User::finish(Members::load(a), count)));
    } else {
      return User::finish(Members::load(a), count);
    }
  }

  template <class, class Elements>
  static REDTUNE_DEVICE Words fold_elements(const Elements& elements) {
    return elements.template value<user_operator_of_members, Words>();
  }
  template <class, int loads, class In, int width>
  static REDTUNE_DEVICE Words fold_elements(const elements_of_tile<loads, In, width>& elements) {
    return fold_lanes_of<loads, 0, width>(elements.loaded);
  }
  /// Each member's, where it has a sign.
  static REDTUNE_DEVICE Words magnitudes(const Words& of) { return Members::magnitudes(of); }

 private:
  /// Each lane's loads one after the other, lanes as a tree.
  template <int loads, int first, int many, class In, int width>
  static REDTUNE_DEVICE Words fold_lanes_of(const loaded_vector<In, width>* loaded) {
    if constexpr (many == 1) {
      return fold_elements<Words>(elements_of_lane<first, loads, In, width>{loaded});
    } else {
      return combine<Words>(fold_lanes_of<loads, first, many / 2>(loaded),
                            fold_lanes_of<loads, first + many / 2, many - many / 2>(loaded));
    }
  }
};

}  // namespace redtune
