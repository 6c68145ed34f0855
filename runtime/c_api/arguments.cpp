// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "runtime/c_api/arguments.hpp"

#include <cstddef>
#include <fmt/format.h>

#include "runtime/c_api/guard.hpp"
#include "runtime/c_api/whole.hpp"

namespace redtune::c_api {
namespace {

std::string_view text_or(const char* text, std::string_view otherwise) {
  return text != nullptr ? text : otherwise;
}

const char* text_of(const char* text, const char* name) {
  require(text, name);
  return text;
}

// Where each struct ended in interface 1: members that are added later do not move these.
constexpr std::size_t smallest_problem =
    offsetof(redtune_problem, op_source) + sizeof(redtune_problem::op_source);
constexpr std::size_t smallest_options =
    offsetof(redtune_options, strict) + sizeof(redtune_options::strict);
constexpr std::size_t smallest_array =
    offsetof(redtune_array, count_pitch) + sizeof(redtune_array::count_pitch);
// The last member, as it is now, ends the struct: one added into padding would not make it larger.
static_assert(sizeof(redtune_problem) ==
              offsetof(redtune_problem, array) + sizeof(redtune_problem::array));
static_assert(sizeof(redtune_options) ==
              offsetof(redtune_options, snapshot) + sizeof(redtune_options::snapshot));
static_assert(sizeof(redtune_array) == offsetof(redtune_array, skew) + sizeof(redtune_array::skew));
// And where redtune_array ended in the versions after.
constexpr std::size_t array_with_batch =
    offsetof(redtune_array, batch_pitch) + sizeof(redtune_array::batch_pitch);
constexpr std::size_t array_with_segments =
    offsetof(redtune_array, skew) + sizeof(redtune_array::skew);
constexpr std::size_t smallest_segments =
    offsetof(redtune_segments, offset_bits) + sizeof(redtune_segments::offset_bits);
static_assert(sizeof(redtune_segments) == smallest_segments);
constexpr std::size_t smallest_plan_options =
    offsetof(redtune_plan_options, bytes) + sizeof(redtune_plan_options::bytes);
static_assert(sizeof(redtune_plan_options) == smallest_plan_options);
constexpr std::size_t smallest_lengths =
    offsetof(redtune_lengths, skew) + sizeof(redtune_lengths::skew);
static_assert(sizeof(redtune_lengths) == smallest_lengths);

constexpr std::size_t smallest_result =
    offsetof(redtune_result, results) + sizeof(redtune_result::results);
static_assert(sizeof(redtune_result) == smallest_result);

PlanWay plan_way_of(const char* text) {
  const std::string_view way = text_or(text, "as_found");
  if (way == "as_found") return PlanWay::as_found;
  if (way == "shares") return PlanWay::shares;
  if (way == "bins") return PlanWay::bins;
  throw UsageError(fmt::format("unknown way of a plan '{}'; known: as_found shares bins", way));
}

Shape shape_asked(const redtune_problem& problem) {
  if (problem.array == nullptr) return {.count = problem.count};
  if (problem.count != 0) {
    throw UsageError(
        fmt::format("redtune_problem.count is {} beside an array, which has its own: set it to 0",
                    problem.count));
  }
  return shape_of(problem.array);
}

}  // namespace

const char* name_of(ResultShape shape) {
  switch (shape) {
    case ResultShape::value:
      return "value";
    case ResultShape::indexed:
      return "indexed";
    case ResultShape::pair:
      return "pair";
    case ResultShape::members:
      return "members";
  }
  return "value";
}

Shape shape_of(const redtune_array* pointer) {
  const auto given = whole(required(pointer, "the array"), smallest_array, "redtune_array");
  return {.count = given.count,
          .outer = given.outer,
          .inner = given.inner,
          .outer_pitch = given.outer_pitch,
          .count_pitch = given.count_pitch,
          .batch = given.batch == 0 ? 1 : given.batch,
          .batch_pitch = given.batch_pitch,
          .segment_count = given.segments,
          .offset_bits = given.offset_bits,
          .skew = parse_skew(text_or(given.skew, "uniform"))};
}

SegmentOffsets segments_of(const redtune_segments* pointer) {
  const auto given =
      whole(required(pointer, "the segments"), smallest_segments, "redtune_segments");
  if (given.offset_bits != 32 && given.offset_bits != 64) {
    throw UsageError(fmt::format("redtune_segments.offset_bits is {}; offsets have 32 or 64 bits",
                                 given.offset_bits));
  }
  if (given.count > 0) require(given.begins, "redtune_segments.begins");
  SegmentOffsets segments{given.begins, given.ends, given.count,
                          static_cast<int>(given.offset_bits)};
  if (segments.ends == nullptr && segments.begins != nullptr) {
    segments.ends = static_cast<const std::byte*>(given.begins) + given.offset_bits / 8;
  }
  return segments;
}

SegmentPlanOptions plan_options_of(const redtune_plan_options* pointer) {
  if (pointer == nullptr) return {};
  const auto given = whole(*pointer, smallest_plan_options, "redtune_plan_options");
  return {.way = plan_way_of(given.way),
          .measured = given.measured != 0,
          .checked = given.checked != 0,
          .memory = given.memory,
          .bytes = given.bytes};
}

void fill(redtune_lengths& lengths, const SegmentLengths& found) {
  (void)whole(lengths, smallest_lengths, "redtune_lengths");
  lengths.elements = found.elements;
  lengths.longest = found.longest;
  lengths.skew = to_string(found.skew).data();  // of a literal
}

void fill(redtune_result& result, const Problem& problem) {
  (void)whole(result, smallest_result, "redtune_result");
  result.acc = to_string(problem.acc).data();  // of a literal, as that of the other
  result.out = to_string(problem.out).data();
  result.shape = name_of(shape_of_result(problem));
  result.bytes = static_cast<std::int64_t>(result_bytes(problem));
  result.results = results_of(problem);
}

void fill(redtune_array& array, const Shape& shape) {
  (void)whole(array, smallest_array, "redtune_array");
  array.count = shape.count;
  array.outer = shape.outer;
  array.inner = shape.inner;
  array.outer_pitch = shape.outer_pitch;
  array.count_pitch = shape.count_pitch;
  if (array.size >= array_with_segments) {
    array.segments = shape.segment_count;
    array.offset_bits = shape.offset_bits;
    array.skew = nullptr;
  }
  if (array.size >= array_with_batch) {
    array.batch = shape.batch;
    array.batch_pitch = shape.batch_pitch;
  } else if (shape.batch != 1) {
    throw UsageError(
        "the reduced axes are those of a batch, for which redtune_array.size is too "
        "small: build the program with a newer redtune.h");
  }
}

Problem problem_of(const redtune_problem* pointer) {
  const auto given = whole(required(pointer, "the problem"), smallest_problem, "redtune_problem");
  const DType type = parse_dtype(text_of(given.type, "redtune_problem.type"));
  ProblemChoices choices{.cache_mode = parse_cache_mode(text_or(given.cache_mode, "cold")),
                         .order = parse_order(text_or(given.order, "fixed"))};
  if (given.acc != nullptr) choices.acc = parse_dtype(given.acc);
  if (given.out != nullptr) choices.out = parse_dtype(given.out);
  const char* op = text_of(given.op, "redtune_problem.op");
  const Shape shape = shape_asked(given);
  if (given.op_source != nullptr) {
    return make_problem(CustomOp{op, given.op_source}, type, shape, choices);
  }
  return make_problem(parse_op(op), type, shape, choices);
}

ReducerOptions options_of(const redtune_options* pointer) {
  if (pointer == nullptr) return {};
  const auto given = whole(*pointer, smallest_options, "redtune_options");
  ReducerOptions options{.device = std::string(text_or(given.device, "auto")),
                         .lookup = {.cache_file = std::string(text_or(given.cache_file, "")),
                                    .snapshot = std::string(text_or(given.snapshot, "")),
                                    .strict = given.strict != 0},
                         .pinned = given.pinned != 0};
  if (given.minimum_match != nullptr) options.lookup.minimum = parse_match(given.minimum_match);
  return options;
}

}  // namespace redtune::c_api
