// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cache/lookup/grade.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "cache/keys/key.hpp"
#include "cache/keys/sha256.hpp"

namespace redtune::cache {
namespace {

bool same_space(const Query& query, const StoredBest& entry) {
  return !query.space_key || *query.space_key == entry.question.space_key;
}

std::string value_of(const Fields& fields, const std::string& name) {
  const auto field = std::ranges::find(fields, name, &Field::name);
  return field == fields.end() ? "-" : field->value;
}

/// The fields of a problem as they are told apart: a custom operator by its text, which is longer
/// than a line, so by a part of its hash.
Fields telling_fields(const Problem& problem) {
  Fields fields = fields_of(problem);
  std::erase_if(fields, [](const Field& field) { return field.name.starts_with("op_"); });
  if (is_users_own(problem.op)) {
    const std::string hash = sha256_hex(problem.custom.source).substr(0, 8);
    fields.front().value = fmt::format("{} ({})", problem.custom.name, hash);
  }
  return fields;
}

void add_differences(std::vector<Difference>& found, const Fields& asked, const Fields& stored) {
  for (const auto& [name, value] : asked) {
    if (const auto there = value_of(stored, name); value != there) {
      found.push_back({name, value, there});
    }
  }
  for (const auto& [name, value] : stored) {
    if (std::ranges::find(asked, name, &Field::name) == asked.end()) {
      found.push_back({name, "-", value});  // a field that only some problems have
    }
  }
}

bool are_siblings(const ClassRow& a, const ClassRow& b) {
  return a.platform() == b.platform() && a.isa() == b.isa() && a.partition() == b.partition() &&
         a.compute_units() == b.compute_units();
}

}  // namespace

Match grade_of(const QuestionRow& asked, const QuestionRow& stored) {
  if (asked.family != stored.family || !(asked.kind == stored.kind)) return Match::fallback;
  if (asked.device_class == stored.device_class) {
    const bool is_same_space = asked.space.empty() || asked.space == stored.space;
    return is_same_space && asked.toolchain == stored.toolchain ? Match::exact : Match::drift;
  }
  return are_siblings(asked.device_class, stored.device_class) ? Match::sibling : Match::fallback;
}

QuestionRow row_of(const Query& query) {
  return {query.family, query.space_key ? std::string_view(*query.space_key) : "",
          kind_of(query.problem), row_of(query.device.device_class),
          row_of(query.device.toolchain)};
}

Match match_of(const Query& query, const Question& stored) {
  const Match grade =
      grade_of(row_of(query), {stored.family, stored.space_key, kind_of(stored.problem),
                               row_of(stored.device_class), row_of(stored.toolchain)});
  const Problem& asked = query.problem;
  if (shape_of_answer(asked, asked) == shape_of_answer(asked, stored.problem)) return grade;
  return grade == Match::sibling || grade == Match::fallback ? Match::fallback : Match::near;
}

std::vector<Difference> differences(const Query& query, const StoredBest& entry) {
  const Question& stored = entry.question;
  std::vector<Difference> found;
  add_differences(found, {{"family", query.family}}, {{"family", stored.family}});
  if (query.problem != stored.problem) {
    // What is of no account for the answer is no difference.
    const bool have_own_shapes = query.problem.order != stored.problem.order;
    const auto of_answer = [&](Problem problem) {
      if (have_own_shapes) return problem;
      static_cast<Shape&>(problem) = shape_of_answer(problem, problem);
      return problem;
    };
    add_differences(found, telling_fields(of_answer(query.problem)),
                    telling_fields(of_answer(stored.problem)));
  }
  add_differences(found, fields_of(query.device.device_class), fields_of(stored.device_class));
  add_differences(found, fields_of(query.device.toolchain), fields_of(stored.toolchain));
  if (!same_space(query, entry)) {
    found.push_back({"space", *query.space_key, stored.space_key});
  }
  return found;
}

/// One more than an extent, so that an empty input has a place on the scale.
double log2_distance(const Shape& first, const Shape& second) {
  const Shape one = compared_shape(first);
  const Shape other = compared_shape(second);
  const auto apart = [](std::int64_t a, std::int64_t b) {
    return std::abs(std::log2(static_cast<double>(a) + 1) - std::log2(static_cast<double>(b) + 1));
  };
  return apart(one.count, other.count) + apart(one.outer, other.outer) +
         apart(one.inner, other.inner) + apart(one.batch, other.batch);
}

}  // namespace redtune::cache
