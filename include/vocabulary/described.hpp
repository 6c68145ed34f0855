// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a problem, a device class and a toolchain are made of, told once: a row for each member with
// the name it has wherever the record is written. Keys, JSON, snapshots and hashes are derived.
#pragma once

#include <charconv>
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "redtune/device_identity.hpp"
#include "redtune/problem.hpp"

namespace redtune {

/// When a member is written into a list of named texts.
enum class Written {
  always,
  unless_default,  ///< so that keys of records without it stay what they were
  of_custom,       ///< of a problem whose CustomOp says what it is
};

/// Whether a member tells two records apart, or is for people.
enum class Tells { apart, people };

template <class Record, class T>
struct Member {
  using Value = T;
  std::string_view name;
  T Record::*place;
  Written written = Written::always;
  Tells tells = Tells::apart;

  template <class R>
  [[nodiscard]] constexpr auto& of(R& record) const {
    return record.*place;
  }
};

/// A member of a member.
template <class Record, class Outer, class T>
struct InnerMember {
  using Value = T;
  std::string_view name;
  Outer Record::*outer;
  T Outer::*place;
  Written written = Written::always;
  Tells tells = Tells::apart;

  template <class R>
  [[nodiscard]] constexpr auto& of(R& record) const {
    return record.*outer.*place;
  }
};

/// Has `members`, a tuple of rows, for each record that is described.
template <class Record>
struct Described;

/// For the batch of a shape that can be without one, of so many elements.
[[nodiscard]] constexpr bool is_possible_batch(const Shape& shape, std::int64_t length) {
  if (shape.batch == 1) return true;
  const std::int64_t last_gap = slice_of(shape) - shape.count;
  return shape.inner == 1 && step_of(shape) == 1 &&
         (shape.batch_pitch == 0 || shape.batch_pitch >= length - last_gap) &&
         !__builtin_mul_overflow(shape.batch, batch_step_of(shape), &length);
}

/// Of any array; their results fit into 64 bits by far.
inline constexpr std::int64_t most_segments = std::int64_t{1} << 48;

/// For the segments of a shape that can be without them: nothing else is told but their elements.
[[nodiscard]] constexpr bool is_possible_segments(const Shape& shape) {
  constexpr std::int64_t most_in_32_bits = (std::int64_t{1} << 31) - 1;
  if (!is_segmented(shape)) return shape.segment_count == 0 && shape.skew == Skew::uniform;
  return shape ==
             Shape::segments(shape.count, shape.segment_count, shape.offset_bits, shape.skew) &&
         shape.segment_count >= 0 && shape.segment_count < most_segments &&
         (shape.offset_bits == 64 || (shape.offset_bits == 32 && shape.count <= most_in_32_bits));
}

/// Whether extents read from a file can be those of an array: their product is a number, too, and
/// pitches leave every element a place of its own.
[[nodiscard]] constexpr bool is_possible(const Shape& shape) {
  std::int64_t elements = 0;
  if (!is_possible_segments(shape)) return false;
  if (shape.count < 0 || shape.outer < 1 || shape.inner < 1 || shape.batch < 1 ||
      shape.count_pitch < 0 || shape.outer_pitch < 0 || shape.batch_pitch < 0 ||
      __builtin_mul_overflow(shape.outer, shape.inner, &elements) ||
      __builtin_mul_overflow(elements, shape.count, &elements) ||
      __builtin_mul_overflow(elements, shape.batch, &elements)) {
    return false;
  }
  std::int64_t length = 0;
  return (shape.count_pitch == 0 || shape.count_pitch >= shape.inner) &&
         !__builtin_mul_overflow(shape.count, step_of(shape), &length) &&
         (shape.outer_pitch == 0 || shape.outer_pitch >= length - step_of(shape) + shape.inner) &&
         !__builtin_mul_overflow(shape.outer, slice_of(shape), &length) &&
         is_possible_batch(shape, length);
}

/// Of the members of a Shape, none tells what kind of problem it is.
template <>
struct Described<Shape> {
  static constexpr std::tuple members{
      Member{"count", &Shape::count},
      Member{"outer", &Shape::outer, Written::unless_default},
      Member{"inner", &Shape::inner, Written::unless_default},
      Member{"outer_pitch", &Shape::outer_pitch, Written::unless_default},
      Member{"count_pitch", &Shape::count_pitch, Written::unless_default},
      Member{"batch", &Shape::batch, Written::unless_default},
      Member{"batch_pitch", &Shape::batch_pitch, Written::unless_default},
      Member{"segments", &Shape::segment_count, Written::unless_default},
      Member{"offset_bits", &Shape::offset_bits, Written::unless_default},
      Member{"skew", &Shape::skew, Written::unless_default}};
};

template <>
struct Described<Problem> {
  static constexpr std::tuple members{
      Member{"op", &Operation::op},
      Member{"in", &Operation::in},
      Member{"acc", &Operation::acc},
      Member{"out", &Operation::out},
      Member{"count", &Shape::count},
      Member{"outer", &Shape::outer, Written::unless_default},
      Member{"inner", &Shape::inner, Written::unless_default},
      Member{"outer_pitch", &Shape::outer_pitch, Written::unless_default},
      Member{"count_pitch", &Shape::count_pitch, Written::unless_default},
      Member{"batch", &Shape::batch, Written::unless_default},
      Member{"batch_pitch", &Shape::batch_pitch, Written::unless_default},
      Member{"segments", &Shape::segment_count, Written::unless_default},
      Member{"offset_bits", &Shape::offset_bits, Written::unless_default},
      Member{"skew", &Shape::skew, Written::unless_default},
      Member{"cache_mode", &Problem::cache_mode},
      Member{"order", &Operation::order, Written::unless_default},
      InnerMember{"op_name", &Operation::custom, &CustomOp::name, Written::of_custom,
                  Tells::people},
      InnerMember{"op_source", &Operation::custom, &CustomOp::source, Written::of_custom}};
};

template <>
struct Described<DeviceClass> {
  static constexpr std::tuple members{
      Member{"platform", &DeviceClass::platform},
      Member{"isa", &DeviceClass::isa},
      Member{"model", &DeviceClass::model},
      Member{"partition", &DeviceClass::partition},
      Member{"compute_units", &DeviceClass::compute_units},
      Member{"wave_size", &DeviceClass::wave_size},
      Member{"last_level_cache_bytes", &DeviceClass::last_level_cache_bytes},
      Member{"memory_bytes", &DeviceClass::memory_bytes}};
};

template <>
struct Described<Toolchain> {
  static constexpr std::tuple members{Member{"driver", &Toolchain::driver},
                                      Member{"runtime", &Toolchain::runtime},
                                      Member{"compiler", &Toolchain::compiler}};
};

template <class Record>
inline constexpr std::size_t member_count =
    std::tuple_size_v<std::remove_const_t<decltype(Described<Record>::members)>>;

/// Calls visit(row) for each row.
template <class Record, class Visit>
constexpr void for_each_row(Visit&& visit) {
  std::apply([&](const auto&... rows) { (visit(rows), ...); }, Described<Record>::members);
}

/// Calls visit(row, value) for each member.
template <class Record, class Visit>
constexpr void for_each_member(Record& record, Visit&& visit) {
  for_each_row<std::remove_const_t<Record>>([&](const auto& row) { visit(row, row.of(record)); });
}

/// Whether a member is part of what kind of problem it is: all but those of its shape.
template <class Row>
[[nodiscard]] constexpr bool is_of_kind(const Row& row) {
  bool found = true;
  for_each_row<Shape>([&](const auto& of_shape) { found = found && of_shape.name != row.name; });
  return found;
}

/// How many rows that a predicate takes come before the one of this name; all of them where there
/// is none.
template <class Record, class Takes>
[[nodiscard]] consteval std::size_t rows_before(std::string_view name, Takes takes) {
  std::size_t count = 0;
  bool is_before = true;
  for_each_row<Record>([&](const auto& row) {
    is_before = is_before && row.name != name;
    if (is_before && takes(row)) ++count;
  });
  return count;
}

/// Whether the values of a row are numbers, and not names or texts.
template <class Row>
[[nodiscard]] constexpr bool is_number(const Row&) {
  return std::is_arithmetic_v<typename Row::Value>;
}

/// Whether a row of a record is to be written.
template <class Row, class Record>
[[nodiscard]] bool is_written(const Row& row, const Record& record) {
  const Record usual{};
  if (row.written == Written::unless_default) return row.of(record) != row.of(usual);
  if constexpr (std::is_same_v<Record, Problem>) {
    return row.written != Written::of_custom || is_users_own(record.op);
  }
  return true;
}

/// A value of a member as text; enumerators by their names.
[[nodiscard]] inline const std::string& member_text(const std::string& value) {
  return value;
}
template <std::integral T>
[[nodiscard]] std::string member_text(T value) {
  return std::to_string(value);
}
template <class T>
requires std::is_enum_v<T>
[[nodiscard]] std::string_view member_text(T value) {
  return to_string(value);
}

/// Backwards: false for a text that is no such value. Names of enumerators that only another
/// version knows throw UsageError.
[[nodiscard]] inline bool read_member_text(std::string_view text, std::string& value) {
  value = text;
  return true;
}
template <std::integral T>
[[nodiscard]] bool read_member_text(std::string_view text, T& value) {
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  return error == std::errc{} && end == last;
}
[[nodiscard]] inline bool read_member_text(std::string_view text, Op& value) {
  for (const Op op : {Op::custom, Op::kernel}) {
    if (text != to_string(op)) continue;
    value = op;
    return true;
  }
  value = parse_op(text);
  return true;
}
[[nodiscard]] inline bool read_member_text(std::string_view text, DType& value) {
  value = parse_dtype(text);
  return true;
}
[[nodiscard]] inline bool read_member_text(std::string_view text, CacheMode& value) {
  value = parse_cache_mode(text);
  return true;
}
[[nodiscard]] inline bool read_member_text(std::string_view text, Skew& value) {
  value = parse_skew(text);
  return true;
}
[[nodiscard]] inline bool read_member_text(std::string_view text, Order& value) {
  value = parse_order(text);
  return true;
}

}  // namespace redtune
