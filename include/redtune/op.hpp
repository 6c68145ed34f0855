// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The reduction operators by name, and those that users bring.
#pragma once

#include <compare>
#include <span>
#include <string>
#include <string_view>

#include "redtune/export.hpp"

namespace redtune {

enum class Op {
#define REDTUNE_OP(name, takes, accumulates, gives, shape, summary) name,
#include "redtune/ops.def"
#undef REDTUNE_OP
  // Not among all_ops():
  custom,  ///< a user's own, see CustomOp
  kernel,  ///< no reduction, but a kernel of a user's; CustomOp says which, the extents its sizes
};

/// Whether a problem's CustomOp says what it is.
[[nodiscard]] constexpr bool is_users_own(Op op) {
  return op == Op::custom || op == Op::kernel;
}

/// Which elements an operator is for.
enum class Takes { any, floats, integers };

/// How an accumulator's or a result's type follows from the element's.
enum class TypeRule {
  element,
  comparable,            ///< the element's type; f32 for 16-bit floats, which holds their values
  wide,                  ///< what sums need: f32 for 16-bit floats, 64 bits for integers
  averaged,              ///< as wide, but f64 for 64-bit integers
  real,                  ///< floats: as wide, or the accumulator; integers: f64
  magnitude,             ///< the element's type without sign; f32 for 16-bit floats
  magnitude_of_element,  ///< the element's type without sign
  accumulator,           ///< of results: the accumulator's type
  u8,
  u32,
  i64,
};

/// What a reduction writes: a value, an IndexedValue, or two values: a MinMax, a SoftmaxStats or a
/// MeanVariance; or the struct that an operator of a user's gives.
enum class ResultShape { value, indexed, pair, members };

struct OpInfo {
  Op op;
  std::string_view name;
  std::string_view summary;
  Takes takes;
  TypeRule accumulates;
  TypeRule gives;
  ResultShape shape;
};

/// All built-in operators, in the order of ops.def.
[[nodiscard]] REDTUNE_API std::span<const OpInfo> all_ops();

/// The row of an operator; of Op::custom one that takes any and accumulates wide, of Op::kernel one
/// whose types are what they are.
[[nodiscard]] REDTUNE_API const OpInfo& info(Op op);

[[nodiscard]] REDTUNE_API std::string_view to_string(Op op);

/// What the values of a built-in operator's result are called: "mean" and "variance", or "value"
/// alone.
[[nodiscard]] REDTUNE_API std::span<const std::string_view> value_names(Op op);

/// Throws UsageError that lists the known names. max_argmax is argmax, which gives both.
[[nodiscard]] REDTUNE_API Op parse_op(std::string_view name);

/// An operator given as text: static functions of a struct `custom` in the language of the kernels,
/// which may use the types `element`, `accumulator` and `result`:
///
///   struct custom {
///     static accumulator identity() { return 0; }
///     static accumulator combine(accumulator a, accumulator b) { return a + b; }
///     static accumulator transform(element x) { return x < 0 ? -x : x; }   // optional
///     static result finish(accumulator a, long long count) { return a; }    // optional
///   };
///
/// combine must be associative and commutative, up to rounding, and identity its neutral element:
/// blocks fold in an order of their own.
///
/// An accumulator, and a result, may have several members: numbers, and arrays of them, in a struct
/// of that name within `custom`. An accumulator takes eight words of 32 bits at most, a result has
/// eight values at most. Without a finish() the accumulator is the result.
///
///   struct custom {
///     struct accumulator { element least, greatest; };
///     static accumulator transform(element x) { return {x, x}; }
///     ...
struct CustomOp {
  std::string name;  ///< for people: what it is called has no part in what it does
  std::string source;

  bool operator==(const CustomOp& other) const { return source == other.source; }
  auto operator<=>(const CustomOp& other) const { return source <=> other.source; }
};

}  // namespace redtune
