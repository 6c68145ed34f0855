// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "redtune/problem.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>
#include <optional>

#include "redtune/error.hpp"
#include "vocabulary/described.hpp"
#include "vocabulary/operator_structs.hpp"

namespace redtune {
namespace {

/// Elements that 64 bits reach, byte by byte, where each has as many bytes as the widest has.
constexpr std::int64_t largest_reach = std::numeric_limits<std::int64_t>::max() / 16;

bool is_floating(DType type) {
  return info(type).kind == DTypeKind::floating;
}

/// Whether a rule is for operators that add or multiply, which a wider accumulator makes better.
bool accumulates_sums(TypeRule rule) {
  return rule == TypeRule::wide || rule == TypeRule::averaged || rule == TypeRule::real;
}

/// The default type of a rule. acc: the accumulator, for the types of results.
DType type_of(TypeRule rule, DType in, DType acc) {
  const DType wide = info(in).wide;
  switch (rule) {
    case TypeRule::element:
      return in;
    case TypeRule::comparable:
      return is_floating(in) ? wide : in;
    case TypeRule::wide:
      return wide;
    case TypeRule::averaged:
      return !is_floating(in) && size_of(in) == 8 ? DType::f64 : wide;
    case TypeRule::real:
      return is_floating(acc) ? acc : DType::f64;
    case TypeRule::magnitude:
      return is_floating(in) ? wide : info(in).magnitude;
    case TypeRule::magnitude_of_element:
      return info(in).magnitude;
    case TypeRule::accumulator:
      return acc;
    case TypeRule::u8:
      return DType::u8;
    case TypeRule::u32:
      return DType::u32;
    case TypeRule::i64:
      return DType::i64;
  }
  return in;
}

DType accumulator_of(const OpInfo& op, DType in, const ProblemChoices& choices) {
  const DType usual = type_of(op.accumulates, in, info(in).wide);
  const DType chosen = choices.acc.value_or(usual);
  if (chosen == usual) return chosen;
  const bool is_wider = is_floating(chosen) && size_of(chosen) > size_of(usual);
  const bool is_real = is_floating(chosen) && size_of(chosen) == 8;  // for integers as well
  if (accumulates_sums(op.accumulates) && (is_floating(usual) ? is_wider : is_real)) return chosen;
  throw UsageError(fmt::format(
      "{} of {} is accumulated in {}{}, not in {}", op.name, to_string(in), to_string(usual),
      accumulates_sums(op.accumulates) && usual != DType::f64 ? " or f64" : "", to_string(chosen)));
}

DType output_of(const OpInfo& op, DType in, DType acc, const ProblemChoices& choices) {
  const DType usual = type_of(op.gives, in, acc);
  const DType chosen = choices.out.value_or(usual);
  if (chosen == usual) return chosen;
  if (op.shape != ResultShape::indexed && is_floating(chosen) == is_floating(usual)) return chosen;
  throw UsageError(fmt::format("the result of {} of {} is {}{}, not {}", op.name, to_string(in),
                               to_string(usual),
                               op.shape == ResultShape::indexed ? " and its index"
                               : is_floating(usual)             ? " or another float"
                                                                : " or another integer",
                               to_string(chosen)));
}

/// Integers are the same in every order, so rows say no more than a fixed one. Of floats the least
/// and the greatest may be either zero.
Order order_of(DType acc, Order chosen) {
  return chosen == Order::rows && !is_floating(acc) ? Order::fixed : chosen;
}

/// Of extents that are 0 or more; nothing where it is more than 64 bits hold.
std::optional<std::int64_t> product(std::int64_t a, std::int64_t b) {
  std::int64_t value = 0;
  if (__builtin_mul_overflow(a, b, &value)) return std::nullopt;
  return value;
}

/// For a batch of arrays that can be, of so many elements each. Likewise.
void check_batch(const Shape& shape, std::int64_t in_array) {
  std::int64_t in_batch = 0;
  if (shape.batch_pitch < 0) {
    throw UsageError(fmt::format("batch_pitch is {}; it must be 0 or more", shape.batch_pitch));
  }
  if (shape.batch == 1) return;
  if (shape.inner != 1 || step_of(shape) != 1) {
    throw UsageError(fmt::format(
        "the elements of a channel lie one behind the other in each array of a batch: with a batch "
        "of {}, inner is 1 and count_pitch 0",
        shape.batch));
  }
  if (__builtin_mul_overflow(shape.batch, batch_step_of(shape), &in_batch) ||
      in_batch > largest_reach) {
    throw UsageError(
        fmt::format("{} reaches farther than 64 bits can index", describe_shape(shape)));
  }
  const std::int64_t length = in_array - (slice_of(shape) - shape.count);
  if (shape.count > 0 && batch_step_of(shape) < length) {
    throw UsageError(fmt::format("batch_pitch is {}, less than the {} elements of one array",
                                 shape.batch_pitch, length));
  }
}

/// For extents that are 0 or more. Throws UsageError for segments that cannot be.
void check_segments(const Problem& problem) {
  const Shape& shape = problem;
  if (!is_segmented(shape)) {
    if (shape.segment_count == 0 && shape.skew == Skew::uniform) return;
    throw UsageError("segments are told by offsets: offset_bits is 32 or 64 with them");
  }
  if (shape.offset_bits != 32 && shape.offset_bits != 64) {
    throw UsageError(
        fmt::format("offset_bits is {}; offsets have 32 or 64 bits", shape.offset_bits));
  }
  if (shape.segment_count < 0 || shape.segment_count >= most_segments) {
    throw UsageError(fmt::format("segments are {}; they must be 0 or more, and fewer than 2^48",
                                 shape.segment_count));
  }
  if (shape.offset_bits == 32 && shape.count > std::numeric_limits<std::int32_t>::max()) {
    throw UsageError(
        fmt::format("offsets of 32 bits do not reach {} elements; take offsets of 64 bits",
                    describe_count(shape.count)));
  }
  if (!is_possible_segments(shape)) {
    throw UsageError(
        "segments lie in an array of `count` elements: outer, inner and batch are 1, pitches 0");
  }
  if (is_batch_invariant(problem)) {
    throw UsageError("order rows is for rows and columns; segments take order fixed or any");
  }
}

/// For shapes that can be. Throws UsageError for pitches by which elements overlap or which no
/// 64-bit index reaches.
void check_pitches(const Shape& shape) {
  std::int64_t in_count = 0;
  std::int64_t in_outer = 0;
  if (shape.count_pitch < 0 || shape.outer_pitch < 0) {
    throw UsageError(fmt::format("count_pitch is {} and outer_pitch is {}; both must be 0 or more",
                                 shape.count_pitch, shape.outer_pitch));
  }
  const bool is_indexed = !__builtin_mul_overflow(shape.count, step_of(shape), &in_count) &&
                          !__builtin_mul_overflow(shape.outer, slice_of(shape), &in_outer);
  if (!is_indexed || in_outer > largest_reach || in_count > largest_reach) {
    throw UsageError(
        fmt::format("{} reaches farther than 64 bits can index", describe_shape(shape)));
  }
  if (shape.count > 1 && step_of(shape) < shape.inner) {
    throw UsageError(fmt::format("count_pitch is {}, less than the {} elements of inner",
                                 shape.count_pitch, shape.inner));
  }
  const std::int64_t length = (shape.count - 1) * step_of(shape) + shape.inner;
  if (shape.outer > 1 && shape.count > 0 && slice_of(shape) < length) {
    throw UsageError(fmt::format("outer_pitch is {}, less than the {} elements of one outer index",
                                 shape.outer_pitch, length));
  }
  check_batch(shape, in_outer);
}

Problem checked(Problem problem) {
  if (problem.count < 0) {
    throw UsageError(fmt::format("the count is {}; it must be 0 or more", problem.count));
  }
  if (problem.outer < 1 || problem.inner < 1) {
    throw UsageError(fmt::format("outer is {} and inner is {}; both must be 1 or more",
                                 problem.outer, problem.inner));
  }
  if (problem.batch < 1) {
    throw UsageError(fmt::format("batch is {}; it must be 1 or more", problem.batch));
  }
  if (problem.batch != 1 && is_batch_invariant(problem)) {
    throw UsageError(
        "order rows is for rows and columns; channels of a batch take order fixed or any");
  }
  check_segments(problem);
  const auto extents = product(problem.outer, problem.inner);
  const auto of_array = extents ? product(*extents, problem.count) : extents;
  const auto results = is_segmented(problem) ? problem.segment_count : extents;
  const auto elements = of_array ? product(*of_array, problem.batch) : of_array;
  if (!elements || !product(*elements, static_cast<std::int64_t>(size_of(problem.in))) ||
      !product(*results, static_cast<std::int64_t>(result_bytes(problem)))) {
    throw UsageError(fmt::format("{} elements of {} are more bytes than 64 bits can index",
                                 describe_shape(problem), to_string(problem.in)));
  }
  if (problem.count_pitch != 0 || problem.outer_pitch != 0 || problem.batch_pitch != 0 ||
      problem.batch != 1) {
    check_pitches(problem);
    static_cast<Shape&>(problem) = without_needless_pitches(problem);
  }
  return problem;
}

/// The type that a problem has for the members of a struct: the widest float, else the widest
/// integer. The chosen one where there is no struct.
std::optional<DType> of_struct(const CustomOp& op, const std::vector<ResultValue>& members,
                               std::string_view name, std::optional<DType> chosen) {
  if (members.empty()) return chosen;
  const auto rank = [](const ResultValue& one) {
    return std::pair(is_floating(one.type), size_of(one.type));
  };
  const DType usual = std::ranges::max(members, {}, rank).type;
  if (chosen.value_or(usual) == usual) return usual;
  throw UsageError(fmt::format("{} has {} of its own members, and no other type can be chosen: {}",
                               op.name, name == "result" ? "a result" : "an accumulator",
                               to_string(*chosen)));
}

}  // namespace

std::string why_not_taken(Op op, DType in) {
  const OpInfo& row = info(op);
  const bool is_floating = info(in).kind == DTypeKind::floating;
  if (row.takes == Takes::integers && is_floating) {
    return fmt::format("{} is for integers, and {} is a float", row.name, to_string(in));
  }
  if (row.takes == Takes::floats && !is_floating) {
    const auto rest = row.name.find("_ignore_nan");
    if (rest == std::string_view::npos) {
      return fmt::format("{} is for floats, and {} is an integer", row.name, to_string(in));
    }
    return fmt::format("{} is for floats: {} has no NaN, so {} is what you want", row.name,
                       to_string(in), row.name.substr(0, rest));
  }
  return {};
}

Problem make_problem(Op op, DType in, const Shape& shape, const ProblemChoices& choices) {
  if (const auto why = why_not_taken(op, in); !why.empty()) throw UsageError(why);
  const OpInfo& row = info(op);
  const DType acc = accumulator_of(row, in, choices);
  return checked({{.op = op,
                   .in = in,
                   .acc = acc,
                   .out = output_of(row, in, acc, choices),
                   .order = order_of(acc, choices.order)},
                  shape,
                  choices.cache_mode});
}

Problem make_problem(Op op, DType in, std::int64_t count, const ProblemChoices& choices) {
  return make_problem(op, in, Shape{.count = count}, choices);
}

Problem make_problem(Op op, DType in, std::int64_t count, CacheMode cache_mode) {
  return make_problem(op, in, count, ProblemChoices{.cache_mode = cache_mode});
}

Problem make_problem(CustomOp op, DType in, std::int64_t count, const ProblemChoices& choices) {
  return make_problem(std::move(op), in, Shape{.count = count}, choices);
}

Problem make_problem(CustomOp op, DType in, const Shape& shape, const ProblemChoices& choices) {
  require_structs(op, in);
  const auto structs = structs_of(op, in);
  const DType acc =
      of_struct(op, structs->accumulator, "accumulator", choices.acc).value_or(info(in).wide);
  if (is_floating(acc) && size_of(acc) == 2) {
    throw UsageError(
        fmt::format("nothing is computed in {}; accumulate in f32 or f64", to_string(acc)));
  }
  return checked({{.op = Op::custom,
                   .in = in,
                   .acc = acc,
                   .out = of_struct(op, structs->result, "result", choices.out).value_or(acc),
                   .order = choices.order,
                   .custom = std::move(op)},
                  shape,
                  choices.cache_mode});
}

std::size_t input_bytes(const Problem& problem) {
  return static_cast<std::size_t>(span_of(problem)) * size_of(problem.in);
}

std::size_t output_bytes(const Problem& problem) {
  return static_cast<std::size_t>(results_of(problem)) * result_bytes(problem);
}

std::size_t result_bytes(const Problem& problem) {
  switch (shape_of_result(problem)) {
    case ResultShape::value:
      return size_of(problem.out);
    case ResultShape::indexed:
      return sizeof(IndexedValue<std::int64_t>);
    case ResultShape::pair:
      return 2 * size_of(problem.out);
    case ResultShape::members:
      return structs_of(problem.custom, problem.in)->result_bytes;
  }
  return 0;
}

namespace {

/// A single value, beside a result of several, is in words as well.
std::size_t accumulator_bytes_of_text(const Problem& problem) {
  const auto structs = structs_of(problem.custom, problem.in);
  if (!structs->accumulator.empty()) return structs->accumulator_bytes;
  return structs->has_members() ? std::max(size_of(problem.acc), sizeof(std::uint32_t))
                                : size_of(problem.acc);
}

}  // namespace

std::size_t accumulator_bytes(const Problem& problem) {
  if (info(problem.op).shape == ResultShape::indexed) return sizeof(IndexedValue<std::int64_t>);
  switch (problem.op) {
    case Op::min_max:  // in words
      return 2 * std::max<std::size_t>(size_of(problem.acc), sizeof(std::uint32_t));
    case Op::softmax_stats:
    case Op::logsumexp:
      return 2 * size_of(problem.acc);
    case Op::mean_variance:
    case Op::mean_sample_variance:
      return sizeof(std::uint64_t) + 3 * size_of(problem.acc);
    case Op::custom:
      return accumulator_bytes_of_text(problem);
    default:
      return size_of(problem.acc);
  }
}

bool is_joint(Op op) {
  return op == Op::logsumexp || info(op).shape == ResultShape::pair;
}

bool is_joint(const Operation& operation) {
  if (operation.op != Op::custom) return is_joint(operation.op);
  return structs_of(operation.custom, operation.in)->has_members();
}

ResultShape shape_of_result(const Operation& operation) {
  if (operation.op != Op::custom) return info(operation.op).shape;
  const auto structs = structs_of(operation.custom, operation.in);
  return structs->result.empty() ? ResultShape::value : ResultShape::members;
}

std::vector<ResultValue> values_of_result(const Operation& operation) {
  if (shape_of_result(operation) == ResultShape::members) {
    return structs_of(operation.custom, operation.in)->result;
  }
  std::vector<ResultValue> values;
  for (const std::string_view name : value_names(operation.op)) {
    values.push_back({std::string(name), operation.out, values.size() * size_of(operation.out)});
  }
  return values;
}

bool rounds(const Problem& problem) {
  const TypeRule rule = info(problem.op).accumulates;
  return accumulates_sums(rule) && info(problem.acc).kind == DTypeKind::floating;
}

namespace {

/// "rows=4096 columns=2^10" of "row_softmax(rows, columns)": sizes by the names that the kernel has
/// for them. One behind the extents has its value in the name, "taps=5".
std::string describe_kernel(const Problem& problem) {
  const std::string& name = problem.custom.name;
  const std::size_t open = std::min(name.find('('), name.size());
  std::string text = name.empty() ? "kernel" : name.substr(0, open);
  const std::array extents{problem.count, problem.outer, problem.inner};
  std::size_t axis = 0;
  for (std::size_t at = open; at < name.size() && name[at] != ')';) {
    const std::size_t begin = name.find_first_not_of("(, ", at);
    at = std::min(name.find_first_of(",)", at + 1), name.size());
    if (begin >= at) continue;
    const std::string size = name.substr(begin, at - begin);
    text += ' ' + size;
    if (size.find('=') == std::string::npos && axis < extents.size()) {
      text += '=' + describe_count(extents[axis++]);
    }
  }
  return fmt::format("{} {}", text, to_string(problem.cache_mode));
}

}  // namespace

std::string describe(const Problem& problem) {
  if (problem.op == Op::kernel) return describe_kernel(problem);
  const bool is_named = problem.op == Op::custom && !problem.custom.name.empty();
  std::string text =
      fmt::format("{} {} {} {}", is_named ? problem.custom.name : to_string(problem.op),
                  to_string(problem.in), describe_shape(problem), to_string(problem.cache_mode));
  const OpInfo& row = info(problem.op);
  const bool has_members = problem.op == Op::custom && is_joint(problem);
  if (!has_members && problem.acc != type_of(row.accumulates, problem.in, problem.acc)) {
    text += fmt::format(" acc {}", to_string(problem.acc));
  }
  if (!has_members && problem.out != type_of(row.gives, problem.in, problem.acc)) {
    text += fmt::format(" out {}", to_string(problem.out));
  }
  if (problem.order != Order::fixed) text += fmt::format(" {} order", to_string(problem.order));
  return text;
}

}  // namespace redtune
