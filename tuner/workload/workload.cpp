// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/workload/workload.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "redtune/error.hpp"
#include "tuner/workload/lists.hpp"

namespace redtune::tuner {
namespace {

Problem problem_with(const Operator& op, DType type, const Shape& shape,
                     const ProblemChoices& choices) {
  return std::visit([&](const auto& one) { return make_problem(one, type, shape, choices); }, op);
}

std::string_view name_of(const Operator& op) {
  const auto* custom = std::get_if<CustomOp>(&op);
  return custom != nullptr ? std::string_view(custom->name) : to_string(std::get<Op>(op));
}

/// The types that an operator does not go with.
struct Refused {
  std::vector<std::string_view> types;
  std::string why;  ///< of the first
};

bool is_refused(Refused& refused, const ProblemLists& lists, const Operator& op, DType type) {
  try {
    (void)problem_with(op, type, Shape{}, lists.choices);
    return false;
  } catch (const UsageError& error) {
    if (refused.types.empty()) refused.why = error.what();
    refused.types.push_back(to_string(type));
    return true;
  }
}

}  // namespace

ListedProblems problems_of(const ProblemLists& lists) {
  require_few_problems(lists.ops.size() * lists.types.size() *
                       (lists.counts.size() + lists.shapes.size()));
  ListedProblems found;
  std::string first_reason;
  for (const Operator& op : lists.ops) {
    Refused refused;
    for (const DType type : lists.types) {
      if (is_refused(refused, lists, op, type)) continue;
      for (const std::int64_t count : lists.counts) {
        found.problems.push_back(problem_with(op, type, {.count = count}, lists.choices));
      }
      for (const Shape& shape : lists.shapes) {
        found.problems.push_back(problem_with(op, type, shape, lists.choices));
      }
    }
    if (refused.types.empty()) continue;
    if (first_reason.empty()) first_reason = refused.why;
    found.left_out += fmt::format("{}{} of {} ({})", found.left_out.empty() ? "" : "; ",
                                  name_of(op), fmt::join(refused.types, ","), refused.why);
  }
  if (!found.problems.empty() || first_reason.empty()) return found;
  const bool is_one = lists.ops.size() * lists.types.size() == 1;
  throw UsageError(is_one ? first_reason
                          : fmt::format("nothing is left to tune: {}", found.left_out));
}

}  // namespace redtune::tuner
