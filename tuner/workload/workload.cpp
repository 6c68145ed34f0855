// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/workload/workload.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>

#include "redtune/error.hpp"

namespace redtune::tuner {
namespace {

constexpr std::string_view range_mark = "..";

std::vector<std::string_view> entries_of(std::string_view list) {
  std::vector<std::string_view> entries;
  for (std::string_view rest = list;;) {
    const std::size_t comma = rest.find(',');
    entries.push_back(rest.substr(0, comma));
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  if (entries.size() > 1 && std::ranges::count(entries, std::string_view()) > 0) {
    throw UsageError(fmt::format(
        "'{}' has an entry with nothing in it; write one comma between two entries", list));
  }
  return entries;
}

template <class Value>
void add_once(std::vector<Value>& values, const Value& value) {
  if (std::ranges::find(values, value) != values.end()) return;
  values.push_back(value);
  require_few_problems(values.size());
}

template <class Parse>
auto parse_list(std::string_view text, const Parse& parse) {
  std::vector<decltype(parse(text))> values;
  for (const std::string_view entry : entries_of(text)) add_once(values, parse(entry));
  return values;
}

struct CountRange {
  std::int64_t first;
  std::int64_t last;
  std::int64_t factor;
};

/// Of "2^8..2^30:4"; mark: where the dots are.
CountRange parse_range(std::string_view text, std::size_t mark) {
  const std::string_view behind = text.substr(mark + range_mark.size());
  const std::size_t colon = behind.find(':');
  const std::string_view first = text.substr(0, mark);
  const std::string_view last = behind.substr(0, colon);
  if (first.empty() || last.empty()) {
    throw UsageError(fmt::format(
        "'{}' is no range of counts; write both ends, like 2^8..2^30 or 2^8..2^30:4", text));
  }
  CountRange range{parse_count(first), parse_count(last), 2};
  if (range.first < 1) {
    throw UsageError(fmt::format(
        "the range '{}' begins at 0, and no factor leads on from there; begin at 1 or more", text));
  }
  if (range.last < range.first) {
    throw UsageError(fmt::format("the range '{}' is upside down; write {}..{}", text, last, first));
  }
  if (colon == std::string_view::npos) return range;
  const std::string_view factor = behind.substr(colon + 1);
  try {
    range.factor = parse_count(factor);
  } catch (const UsageError&) {
    range.factor = 0;
  }
  if (range.factor < 2) {
    throw UsageError(fmt::format(
        "the step '{}' of the range '{}' must be a whole number from 2: the factor from one count "
        "to the next",
        factor, text));
  }
  return range;
}

void add_range(std::vector<std::int64_t>& counts, const CountRange& range) {
  for (std::int64_t count = range.first;; count *= range.factor) {
    add_once(counts, count);
    if (count > range.last / range.factor) return;
  }
}

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

void require_few_problems(std::size_t count) {
  if (count <= most_problems) return;
  throw UsageError(
      fmt::format("these are more than the {} problems that one workload may have; tune them in "
                  "several runs, or take ranges, like 2^8..2^30",
                  most_problems));
}

std::vector<Op> parse_ops(std::string_view text) {
  return parse_list(text, parse_op);
}

std::vector<DType> parse_dtypes(std::string_view text) {
  return parse_list(text, parse_dtype);
}

std::vector<std::int64_t> parse_counts(std::string_view text) {
  std::vector<std::int64_t> counts;
  for (const std::string_view entry : entries_of(text)) {
    const std::size_t mark = entry.find(range_mark);
    if (mark == std::string_view::npos) {
      add_once(counts, parse_count(entry));
    } else {
      add_range(counts, parse_range(entry, mark));
    }
  }
  return counts;
}

ListedProblems problems_of(const ProblemLists& lists) {
  require_few_problems(lists.ops.size() * lists.types.size() * lists.counts.size());
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
