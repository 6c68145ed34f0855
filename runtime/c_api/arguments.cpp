// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "runtime/c_api/arguments.hpp"

#include <cstddef>

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
    offsetof(redtune_options, reserved) + sizeof(redtune_options::reserved);
// The last member, now the same, ends the struct: one added into padding would not make it larger.
static_assert(sizeof(redtune_problem) == smallest_problem);
static_assert(sizeof(redtune_options) == smallest_options);

}  // namespace

Problem problem_of(const redtune_problem* pointer) {
  const auto given = whole(required(pointer, "the problem"), smallest_problem, "redtune_problem");
  const DType type = parse_dtype(text_of(given.type, "redtune_problem.type"));
  ProblemChoices choices{.cache_mode = parse_cache_mode(text_or(given.cache_mode, "cold")),
                         .order = parse_order(text_or(given.order, "fixed"))};
  if (given.acc != nullptr) choices.acc = parse_dtype(given.acc);
  if (given.out != nullptr) choices.out = parse_dtype(given.out);
  const char* op = text_of(given.op, "redtune_problem.op");
  if (given.op_source != nullptr) {
    return make_problem(CustomOp{op, given.op_source}, type, given.count, choices);
  }
  return make_problem(parse_op(op), type, given.count, choices);
}

ReducerOptions options_of(const redtune_options* pointer) {
  if (pointer == nullptr) return {};
  const auto given = whole(*pointer, smallest_options, "redtune_options");
  if (given.reserved != 0) throw UsageError("redtune_options.reserved is not 0: set it to 0");
  ReducerOptions options{.device = std::string(text_or(given.device, "auto")),
                         .lookup = {.cache_file = std::string(text_or(given.cache_file, ""))},
                         .pinned = given.pinned != 0};
  if (given.minimum_match != nullptr) options.lookup.minimum = parse_match(given.minimum_match);
  return options;
}

}  // namespace redtune::c_api
