// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Elements that a thread folds together, as operators of several members see them
// (joint_ops.hip.h): how many there are, what a simple operator makes of them, and the sum of a
// function of each. They may be gone through several times, since they are near.
#pragma once

#include "joint_ops.hip.h"

namespace redtune {

/// Adds a function of each element of a load to the sum of its lane.
template <int lane, class T, class In, int width, class Function>
REDTUNE_DEVICE void add_to_lanes(const loaded_vector<In, width>& loaded, const Function& function,
                                 T* sums) {
  sums[lane] += T(function(value_of(element_of(loaded, lane))));
  if constexpr (lane + 1 < width) add_to_lanes<lane + 1>(loaded, function, sums);
}

/// The sum of [first, first + many) as a tree.
template <int first, int many, class T>
REDTUNE_DEVICE T sum_of(const T* values) {
  if constexpr (many == 1) {
    return values[first];
  } else {
    return sum_of<first, many / 2>(values) + sum_of<first + many / 2, many - many / 2>(values);
  }
}

/// Those of one lane of some loads.
template <int lane, int loads, class In, int width>
struct elements_of_lane {
  typedef In element;
  static constexpr int element_bytes = sizeof(In);
  const loaded_vector<In, width>* loaded;

  static REDTUNE_DEVICE constexpr i64 count() { return loads; }
  template <class Op, class T>
  REDTUNE_DEVICE T value() const {
    T value = Op::template enter<T>(value_of(element_of(loaded[0], lane)));
    REDTUNE_UNROLL
    for (int i = 1; i < loads; ++i) {
      value = Op::template combine<T>(value,
                                      Op::template enter<T>(value_of(element_of(loaded[i], lane))));
    }
    return value;
  }
  template <class T, class Function>
  REDTUNE_DEVICE T sum(const Function& function) const {
    T sum = T(0);
    REDTUNE_UNROLL
    for (int i = 0; i < loads; ++i) sum += T(function(value_of(element_of(loaded[i], lane))));
    return sum;
  }
};

/// Those of a load from one on up to another.
template <class In, int width>
struct elements_between {
  typedef In element;
  static constexpr int element_bytes = sizeof(In);
  const loaded_vector<In, width>& loaded;
  i32 from;
  i32 to;

  REDTUNE_DEVICE i64 count() const { return to - from; }
  template <class Op, class T>
  REDTUNE_DEVICE T value() const {
    T value = Op::template identity<T>();
    add_lanes<0>(
        [&value](auto x) { value = Op::template combine<T>(value, Op::template enter<T>(x)); });
    return value;
  }
  template <class T, class Function>
  REDTUNE_DEVICE T sum(const Function& function) const {
    T sum = T(0);
    add_lanes<0>([&sum, &function](auto x) { sum += T(function(x)); });
    return sum;
  }

 private:
  template <int lane, class Add>
  REDTUNE_DEVICE void add_lanes(const Add& add) const {
    if (from <= lane && lane < to) add(value_of(element_of(loaded, lane)));
    if constexpr (lane + 1 < width) add_lanes<lane + 1>(add);
  }
};

/// Every step-th of some in memory, from one on.
template <int step, class In>
struct elements_in_steps {
  typedef In element;
  static constexpr int element_bytes = sizeof(In);
  const In* elements;
  i32 first;
  i32 end;

  REDTUNE_DEVICE i64 count() const {
    return first < end ? i64(u32(end - first + step - 1) / u32(step)) : 0;
  }
  template <class Op, class T>
  REDTUNE_DEVICE T value() const {
    T value = Op::template identity<T>();
    for (i32 i = first; i < end; i += step) {
      value = Op::template combine<T>(value, Op::template enter<T>(value_of(elements[i])));
    }
    return value;
  }
  template <class T, class Function>
  REDTUNE_DEVICE T sum(const Function& function) const {
    T sum = T(0);
    for (i32 i = first; i < end; i += step) sum += T(function(value_of(elements[i])));
    return sum;
  }
};

}  // namespace redtune
