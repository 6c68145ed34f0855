// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Elements in registers on the host: vectors of the compiler, since CPUs have instructions for
// whole packs.
#pragma once

#include "value.hip.h"

#if !defined(REDTUNE_HIP) && !defined(REDTUNE_CUDA)

namespace redtune {

/// Elements held in registers: a vector of the compiler, since CPUs have instructions for whole
/// packs.
template <class T, int width>
struct pack {
  typedef T native __attribute__((vector_size(sizeof(T) * width)));
  native v;
};

/// What a load brought.
template <class T, int width>
using loaded_vector = pack<T, width>;

/// Folds by words, or by pairs of elements in them, are for GPUs.
template <class In, int width>
constexpr int words_of_load = 0;
template <class Words>
REDTUNE_DEVICE u32 word_of(const Words& words, int k);

/// Each lane combined with the same lane of the other.
template <class Op, class Acc, int width>
REDTUNE_DEVICE pack<Acc, width> combine_packs(const pack<Acc, width>& a,
                                              const pack<Acc, width>& b) {
  if constexpr (Op::elementwise) {
    return {Op::combine(a.v, b.v)};
  } else {
    pack<Acc, width> result;
    for (int lane = 0; lane < width; ++lane) {
      result.v[lane] = Op::template combine<Acc>(Acc(a.v[lane]), Acc(b.v[lane]));
    }
    return result;
  }
}

/// 16-bit floats are packed as the words they are stored in.
template <int width>
struct pack<f16, width> {
  typedef u16 native __attribute__((vector_size(sizeof(u16) * width)));
  native v;
};
template <int width>
struct pack<bf16, width> {
  typedef u16 native __attribute__((vector_size(sizeof(u16) * width)));
  native v;
};

/// The values of a pack, in the type they are computed with.
template <class In, int width>
REDTUNE_DEVICE typename pack<In, width>::native values_of(const pack<In, width>& in) {
  return in.v;
}
template <int width>
REDTUNE_DEVICE typename pack<float, width>::native values_of(const pack<f16, width>& in) {
  typename pack<float, width>::native values;
  for (int lane = 0; lane < width; ++lane) values[lane] = float_of_f16(in.v[lane]);
  return values;
}
template <int width>
REDTUNE_DEVICE typename pack<float, width>::native values_of(const pack<bf16, width>& in) {
  typedef typename pack<u32, width>::native words;
  typedef typename pack<float, width>::native floats;
  const words wide = __builtin_convertvector(in.v, words) << 16;
  return __builtin_bit_cast(floats, wide);
}

/// Each lane converted to the accumulator and transformed as the operator says.
template <class Op, class Acc, class In, int width>
REDTUNE_DEVICE pack<Acc, width> enter_pack(const pack<In, width>& in) {
  typedef typename pack<Acc, width>::native native;
  const auto values = values_of(in);
  if constexpr (Op::plain) {
    return {__builtin_convertvector(values, native)};
  } else if constexpr (enters_as_flag<Op>) {
    // By hand: GCC 12 with AVX-512 forgets a sign when it makes a vector of the loop below.
    return {__builtin_convertvector(values != 0, native) & 1};
  } else {
    pack<Acc, width> result;
    for (int lane = 0; lane < width; ++lane) {
      result.v[lane] = Op::template enter<Acc>(values[lane]);
    }
    return result;
  }
}

/// Twice as wide: the sum of a thread's part of a tile fits, 64 bytes in 16 bits.
template <class T>
struct doubled;
template <>
struct doubled<i8> {
  typedef i16 type;
};
template <>
struct doubled<i16> {
  typedef i32 type;
};
template <>
struct doubled<u8> {
  typedef u16 type;
};
template <>
struct doubled<u16> {
  typedef u32 type;
};

/// The sum of all lanes, half onto half.
template <class T, int width>
REDTUNE_DEVICE T add_lanes(const pack<T, width>& lanes) {
  if constexpr (width == 1) {
    return lanes.v[0];
  } else {
    struct halves {
      pack<T, width / 2> low;
      pack<T, width / 2> high;
    };
    const halves parts = __builtin_bit_cast(halves, lanes);
    return add_lanes<T, width / 2>({parts.low.v + parts.high.v});
  }
}

/// The sum of the small integers of some loads.
template <class Narrow, int loads, class In, int width>
REDTUNE_DEVICE Narrow sum_loads(const pack<In, width>* loaded) {
  typedef typename doubled<In>::type Lane;  // compilers widen vectors well once, and not twice
  typedef typename pack<Lane, width>::native native;
  native lanes = __builtin_convertvector(loaded[0].v, native);
  for (int i = 1; i < loads; ++i) lanes += __builtin_convertvector(loaded[i].v, native);
  return Narrow(add_lanes<Lane, width>({lanes}));
}

template <class Hint, class T, int width>
REDTUNE_DEVICE pack<T, width> load_vector(const vec<T, width>* from) {
#if defined(REDTUNE_CHECK_ALIGNMENT)
  if (reinterpret_cast<u64>(from) % sizeof(*from) != 0) __builtin_trap();  // as a GPU does
#endif
  pack<T, width> loaded;
  __builtin_memcpy(&loaded, from, sizeof(loaded));
  return loaded;
}

/// What is at an address, or a missing element in all lanes and no access.
template <class Hint, class T, int width>
REDTUNE_DEVICE pack<T, width> load_vector_or(bool is_there, const vec<T, width>* from, T missing) {
  if (is_there) return load_vector<Hint>(from);
  vec<T, width> lanes;
  for (int lane = 0; lane < width; ++lane) lanes.v[lane] = missing;
  return __builtin_bit_cast(pack<T, width>, lanes);
}

template <class T, int width>
REDTUNE_DEVICE T element_of(const loaded_vector<T, width>& loaded, int lane) {
  return __builtin_bit_cast(vec<T, width>, loaded).v[lane];
}

/// Which lanes of a load are kept: those of [from, to).
template <class T, int width>
struct kept_lanes {
  i32 from;
  i32 to;

  REDTUNE_DEVICE kept_lanes(i32 first, i32 end) : from(first), to(end) {}
};

/// Of a word that holds an array's element `begin`, the lanes from it on.
template <class T, int width>
REDTUNE_DEVICE kept_lanes<T, width> kept_from(i32 begin) {
  return {begin % width, width};
}

/// Of a word that holds the element before `end`, the lanes up to it.
template <class T, int width>
REDTUNE_DEVICE kept_lanes<T, width> kept_until(i32 end) {
  return {0, (end - 1) % width + 1};
}

/// A load with another element in the place of those that are not kept.
template <class T, int width>
REDTUNE_DEVICE pack<T, width> keep_lanes(const loaded_vector<T, width>& loaded,
                                         const kept_lanes<T, width>& kept, T missing) {
  vec<T, width> lanes = __builtin_bit_cast(vec<T, width>, loaded);
  for (int lane = 0; lane < width; ++lane) {
    if (lane < kept.from || lane >= kept.to) lanes.v[lane] = missing;
  }
  return __builtin_bit_cast(pack<T, width>, lanes);
}

/// The elements of a load, one to a lane.
template <class T, int width>
REDTUNE_DEVICE pack<T, width> lanes_of(const loaded_vector<T, width>& loaded) {
  return loaded;
}

template <class Hint, class T, int width>
REDTUNE_DEVICE void store_vector(vec<T, width>* to, const pack<T, width>& value) {
#if defined(REDTUNE_CHECK_ALIGNMENT)
  if (reinterpret_cast<u64>(to) % sizeof(*to) != 0) __builtin_trap();  // as a GPU does
#endif
  __builtin_memcpy(to, &value, sizeof(value));
}

}  // namespace redtune

#endif
