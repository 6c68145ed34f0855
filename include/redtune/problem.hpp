// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What is to be reduced: an operation, a shape and where the input is expected.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "redtune/dtype.hpp"
#include "redtune/export.hpp"
#include "redtune/half.hpp"
#include "redtune/op.hpp"

namespace redtune {

/// Whether the input is expected in the last-level cache (warm) or not (cold) when the reduction
/// starts.
enum class CacheMode { cold, warm };

[[nodiscard]] REDTUNE_API std::string_view to_string(CacheMode mode);
/// Throws UsageError that lists the known names.
[[nodiscard]] REDTUNE_API CacheMode parse_cache_mode(std::string_view name);

/// What the bits of a result may depend on. fixed: the same array gives the same bits each time.
/// any: blocks may add their values as they come, which is faster at some sizes; sums of floats
/// then differ in their last bits. rows: the same row gives the same bits whatever the number of
/// rows, its place among them, their pitch and the alignment of the array; likewise of columns.
enum class Order { fixed, any, rows };

[[nodiscard]] REDTUNE_API std::string_view to_string(Order order);
/// Throws UsageError that lists the known names.
[[nodiscard]] REDTUNE_API Order parse_order(std::string_view name);

/// How the lengths of segments are spread, as far as that says what is fastest: between half and
/// one and a half times their mean; by Zipf's law, where the r-th longest has 1/r of the longest;
/// or one segment that has half of all elements, among small ones.
enum class Skew { uniform, zipf, giant };

[[nodiscard]] REDTUNE_API std::string_view to_string(Skew skew);
/// Throws UsageError that lists the known names.
[[nodiscard]] REDTUNE_API Skew parse_skew(std::string_view name);

/// What is done to elements: the operator, its types and whether it has to be done in one order.
struct Operation {
  Op op = Op::sum;
  DType in = DType::f32;
  DType acc = DType::f32;
  DType out = DType::f32;  ///< of the value, or of each value of the result
  Order order = Order::fixed;
  CustomOp custom = {};  ///< for Op::custom and Op::kernel

  auto operator<=>(const Operation&) const = default;
};

/// Which elements it is done to: an array of outer x count x inner, the last index counting
/// fastest, of which the middle axis is reduced. A whole array has one result, outer and inner are
/// 1; rows have an inner of 1, columns an outer of 1. Pitches say where indices are farther apart
/// than what lies between them is long: of rows that are padded, or of a part of a larger array.
/// A batch of such arrays, batch x outer x count with an inner of 1, is reduced over its first axis
/// too: a result for each channel, as batch norms need. Or an array of `count` elements with
/// segments of any lengths, each reduced to a result: where they begin and end is told by offsets
/// on the device, when they are launched; then all other extents are 1 and there are no pitches.
struct Shape {
  std::int64_t count = 0;  ///< elements of each result, in each array of a batch, >= 0
  std::int64_t outer = 1;  ///< results along the axes before that of the elements, >= 1
  std::int64_t inner = 1;  ///< and along those behind, >= 1: how far apart a result's elements lie
  std::int64_t outer_pitch = 0;    ///< elements from one outer index to the next; 0: no gap
  std::int64_t count_pitch = 0;    ///< and from one element of a result to the next; 0: no gap
  std::int64_t batch = 1;          ///< arrays over which each result is reduced as well, >= 1
  std::int64_t batch_pitch = 0;    ///< elements from one of them to the next; 0: no gap
  std::int64_t segment_count = 0;  ///< results, where offset_bits is not 0
  std::int64_t offset_bits = 0;    ///< of a signed offset, 32 or 64; 0: there are no segments
  Skew skew = Skew::uniform;       ///< of their lengths, for whoever chooses what is fastest

  /// Rows to be reduced, each to a result; pitch: elements from row to row, 0: no gap.
  [[nodiscard]] static constexpr Shape rows(std::int64_t rows, std::int64_t columns,
                                            std::int64_t pitch = 0) {
    return {.count = columns, .outer = rows, .outer_pitch = pitch};
  }
  /// Columns to be reduced, each to a result; pitch: elements from row to row, 0: no gap.
  [[nodiscard]] static constexpr Shape columns(std::int64_t rows, std::int64_t columns,
                                               std::int64_t pitch = 0) {
    return {.count = rows, .inner = columns, .count_pitch = pitch};
  }
  /// Channels of a batch, each to a result: of batch x channels x count the middle axis is kept.
  [[nodiscard]] static constexpr Shape channels(std::int64_t batch, std::int64_t channels,
                                                std::int64_t count) {
    return {.count = count, .outer = channels, .batch = batch};
  }
  /// Segments of an array of so many elements, each to a result.
  [[nodiscard]] static constexpr Shape segments(std::int64_t elements, std::int64_t segments,
                                                std::int64_t offset_bits = 32,
                                                Skew skew = Skew::uniform) {
    return {.count = elements, .segment_count = segments, .offset_bits = offset_bits, .skew = skew};
  }

  auto operator<=>(const Shape&) const = default;
};

/// Whether results are those of segments that offsets tell of.
[[nodiscard]] constexpr bool is_segmented(const Shape& shape) {
  return shape.offset_bits != 0;
}
/// Elements of a segment on average, rounded up; 0 where there are none.
[[nodiscard]] constexpr std::int64_t mean_length(const Shape& shape) {
  return shape.segment_count == 0 || shape.count == 0 ? 0
                                                      : (shape.count - 1) / shape.segment_count + 1;
}

/// Elements from one element of a result to the next, and from one outer index to the next.
[[nodiscard]] constexpr std::int64_t step_of(const Shape& shape) {
  return shape.count_pitch == 0 ? shape.inner : shape.count_pitch;
}
[[nodiscard]] constexpr std::int64_t slice_of(const Shape& shape) {
  return shape.outer_pitch == 0 ? shape.count * step_of(shape) : shape.outer_pitch;
}
/// And from one array of a batch to the next.
[[nodiscard]] constexpr std::int64_t batch_step_of(const Shape& shape) {
  return shape.batch_pitch == 0 ? shape.outer * slice_of(shape) : shape.batch_pitch;
}

/// The shape by whose extents it is near others: of segments that of as many rows of their mean
/// length.
[[nodiscard]] constexpr Shape compared_shape(const Shape& shape) {
  return is_segmented(shape) ? Shape::rows(shape.segment_count, mean_length(shape)) : shape;
}

/// The same elements, without pitches that leave no gap.
[[nodiscard]] constexpr Shape without_needless_pitches(Shape shape) {
  const std::int64_t slice = slice_of(shape);
  const std::int64_t batch_step = shape.batch == 1 ? 0 : batch_step_of(shape);
  if (shape.count <= 1 || shape.count_pitch == shape.inner) shape.count_pitch = 0;
  shape.outer_pitch = 0;
  const bool is_told = shape.outer > 1 && shape.count > 0 && slice != slice_of(shape);
  if (is_told) shape.outer_pitch = slice;
  shape.batch_pitch = 0;
  if (shape.batch != 1 && shape.count > 0 && batch_step != batch_step_of(shape)) {
    shape.batch_pitch = batch_step;
  }
  return shape;
}

/// Whether there is one result, of all elements, which lie one behind the other.
[[nodiscard]] constexpr bool is_whole_array(const Shape& shape) {
  return shape.outer == 1 && shape.inner == 1 && shape.batch == 1 && step_of(shape) == 1 &&
         !is_segmented(shape);
}
/// Whether the elements of each result lie one behind the other, in one place.
[[nodiscard]] constexpr bool are_rows(const Shape& shape) {
  return shape.inner == 1 && shape.batch == 1 && step_of(shape) == 1 && !is_segmented(shape);
}
/// How many results there are, elements of each, and elements in all, of extents that can be.
[[nodiscard]] constexpr std::int64_t results_of(const Shape& shape) {
  return is_segmented(shape) ? shape.segment_count : shape.outer * shape.inner;
}
/// Of a segment at most.
[[nodiscard]] constexpr std::int64_t elements_of_result(const Shape& shape) {
  return shape.batch * shape.count;
}
[[nodiscard]] constexpr std::int64_t elements_of(const Shape& shape) {
  return elements_of_result(shape) * shape.outer * shape.inner;
}
/// Offsets of segments that lie one behind the other: where each begins, and where the last ends.
[[nodiscard]] constexpr std::int64_t offsets_of(const Shape& shape) {
  return is_segmented(shape) ? shape.segment_count + 1 : 0;
}
[[nodiscard]] constexpr std::int64_t offsets_bytes(const Shape& shape) {
  return offsets_of(shape) * (shape.offset_bits / 8);
}
/// Elements of memory from the first to the last, with the gaps between them.
[[nodiscard]] constexpr std::int64_t span_of(const Shape& shape) {
  if (elements_of(shape) == 0) return 0;
  const std::int64_t before_last_batch =
      shape.batch == 1 ? 0 : (shape.batch - 1) * batch_step_of(shape);
  return before_last_batch + (shape.outer - 1) * slice_of(shape) +
         (shape.count - 1) * step_of(shape) + shape.inner;
}

struct Problem : Operation, Shape {
  CacheMode cache_mode = CacheMode::cold;

  auto operator<=>(const Problem&) const = default;
};

/// Whether the bits of a result may depend on its own elements alone: Order::rows.
[[nodiscard]] constexpr bool is_batch_invariant(const Operation& operation) {
  return operation.order == Order::rows;
}

/// The shape that a problem's answer is looked up by: its own, but of Order::rows one that all
/// shapes have in common whose rows are as long, or whose columns are.
[[nodiscard]] constexpr Shape shape_of_answer(const Operation& operation, const Shape& shape) {
  if (!is_batch_invariant(operation)) return shape;
  constexpr std::int64_t many = 1 << 20;
  const bool are_rows = shape.inner == 1 && step_of(shape) == 1;
  return are_rows ? Shape::rows(many, shape.count) : Shape::columns(shape.count, 2);
}

/// What argmin and argmax write: the element, and its index among those of its result; -1 where
/// there is none.
template <class T>
struct alignas(8) IndexedValue {
  T value;
  std::int64_t index;

  bool operator==(const IndexedValue&) const = default;
};

/// What min_max writes.
template <class T>
struct MinMax {
  T min;
  T max;

  bool operator==(const MinMax&) const = default;
};

/// What softmax_stats writes: the largest element, and the sum of e^(x - max) of all elements x.
template <class T>
struct SoftmaxStats {
  T max;
  T sum;

  bool operator==(const SoftmaxStats&) const = default;
};

/// What mean_variance and mean_sample_variance write.
template <class T>
struct MeanVariance {
  T mean;
  T variance;

  bool operator==(const MeanVariance&) const = default;
};

/// What a result is, and of which type its value is, or its values: a struct that is none of those
/// above is what an operator of a user's gives, with members of any type.
template <class T>
struct ResultType {
  static constexpr bool is_struct =
      std::is_class_v<T> && !std::is_same_v<T, half> && !std::is_same_v<T, bfloat16>;
  static_assert(!is_struct || (std::is_trivially_copyable_v<T> && std::is_standard_layout_v<T>),
                "a result is written as bytes: its struct has numbers and nothing else");
  using type = std::conditional_t<is_struct, float, T>;  // of a struct it is of no account
  static constexpr ResultShape shape = is_struct ? ResultShape::members : ResultShape::value;
};
template <class T>
struct ResultType<IndexedValue<T>> {
  using type = T;
  static constexpr ResultShape shape = ResultShape::indexed;
};
template <class T>
struct PairType {
  using type = T;
  static constexpr ResultShape shape = ResultShape::pair;
};
template <class T>
struct ResultType<MinMax<T>> : PairType<T> {};
template <class T>
struct ResultType<SoftmaxStats<T>> : PairType<T> {};
template <class T>
struct ResultType<MeanVariance<T>> : PairType<T> {};
template <class T>
using value_type_of = typename ResultType<T>::type;
template <class T>
inline constexpr ResultShape result_shape_of = ResultType<T>::shape;
template <class T>
inline constexpr bool is_indexed_v = result_shape_of<T> == ResultShape::indexed;

/// What else a caller may choose; what is not chosen follows from operator and type.
struct ProblemChoices {
  CacheMode cache_mode = CacheMode::cold;
  std::optional<DType> acc = {};  ///< a wider accumulator
  std::optional<DType> out = {};
  Order order = Order::fixed;  ///< rows is fixed where it says no more: of integers
};

/// The problem with the default accumulator and output of an operator (ops.def), or the chosen
/// ones: sums of integers are accumulated and returned in 64 bits, 16-bit floats accumulated in
/// f32. Throws UsageError for what an operator does not take, a choice that cannot be, a negative
/// count or more bytes than a 64-bit index reaches.
[[nodiscard]] REDTUNE_API Problem make_problem(Op op, DType in, std::int64_t count,
                                               const ProblemChoices& choices = {});
[[nodiscard]] REDTUNE_API Problem make_problem(Op op, DType in, std::int64_t count,
                                               CacheMode cache_mode);
/// For an array of which one axis is reduced. Throws UsageError for negative extents, too, and for
/// pitches by which elements would lie in each other's places. Pitches that leave no gap are 0 in
/// the problem.
[[nodiscard]] REDTUNE_API Problem make_problem(Op op, DType in, const Shape& shape,
                                               const ProblemChoices& choices = {});
/// Likewise for an operator given as text. The result's type is the accumulator's unless chosen. A
/// struct `accumulator`, or `result`, in the text leaves nothing to choose: acc and out are then
/// its widest float, else its widest integer. Throws UsageError for one that cannot be.
[[nodiscard]] REDTUNE_API Problem make_problem(CustomOp op, DType in, std::int64_t count,
                                               const ProblemChoices& choices = {});
[[nodiscard]] REDTUNE_API Problem make_problem(CustomOp op, DType in, const Shape& shape,
                                               const ProblemChoices& choices = {});

/// Empty when an operator takes elements of a type, else one line that says what does.
[[nodiscard]] REDTUNE_API std::string why_not_taken(Op op, DType in);

/// Bytes of memory from the first element to the last: of all elements, and of the gaps between.
[[nodiscard]] REDTUNE_API std::size_t input_bytes(const Problem& problem);

/// Bytes of a result, and of an accumulator in the workspace.
[[nodiscard]] REDTUNE_API std::size_t result_bytes(const Problem& problem);
[[nodiscard]] REDTUNE_API std::size_t accumulator_bytes(const Problem& problem);
/// Whether an accumulator has several members, which are no result and index: of a built-in
/// operator, or of any.
[[nodiscard]] REDTUNE_API bool is_joint(Op op);
[[nodiscard]] REDTUNE_API bool is_joint(const Operation& operation);

/// A value of a result, and where it lies in it.
struct ResultValue {
  std::string name;
  DType type = DType::f32;
  std::size_t offset = 0;  ///< bytes

  bool operator==(const ResultValue&) const = default;
};
/// In their order; an index is none of them.
[[nodiscard]] REDTUNE_API std::vector<ResultValue> values_of_result(const Operation& operation);
/// What a result is; of a user's operator, as its text says.
[[nodiscard]] REDTUNE_API ResultShape shape_of_result(const Operation& operation);
/// Bytes of all results, one behind the other in the order of the array.
[[nodiscard]] REDTUNE_API std::size_t output_bytes(const Problem& problem);

/// Whether sums and products of the problem round, so that a result is right within a bound.
[[nodiscard]] REDTUNE_API bool rounds(const Problem& problem);

/// One line for people: "sum f32 2^24 cold", with what differs from the defaults behind it; of a
/// kernel "row_softmax rows=4096 columns=2^10 cold".
[[nodiscard]] REDTUNE_API std::string describe(const Problem& problem);

/// "2^24" of a whole array; else the extents with the reduced one in brackets: "2^12x[1000]" are
/// rows, "[1000]x2^12" columns, "[32]x256x[3136]" channels of a batch; pitches stand behind:
/// "2^12x[1000] outer_pitch 1008". "2^24 in 2^20 segments" are segments, with what is not usual of
/// them behind: "2^24 in 2^20 segments zipf, offsets of 64 bits".
[[nodiscard]] REDTUNE_API std::string describe_shape(const Shape& shape);

/// "2^24", "3*2^20" or plain digits: counts as people write them.
[[nodiscard]] REDTUNE_API std::string describe_count(std::int64_t count);

/// Reads "16777216", "2^24", "3*2^20", "16M" (powers of 1024: K M G). Throws UsageError.
[[nodiscard]] REDTUNE_API std::int64_t parse_count(std::string_view text);

}  // namespace redtune
