// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cache/grade.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "cache/key.hpp"
#include "cache/sha256.hpp"

namespace redtune::cache {
namespace {

bool same_space(const Query& query, const StoredBest& entry) {
  return !query.space_key || *query.space_key == entry.question.space_key;
}

bool are_siblings(const DeviceClass& a, const DeviceClass& b) {
  return a.platform == b.platform && a.isa == b.isa && a.partition == b.partition &&
         a.compute_units == b.compute_units;
}

Problem without_count(Problem problem) {
  problem.count = 0;
  return problem;
}

/// One more than the count, so that an empty input has a place on the scale.
double log2_distance(std::int64_t a, std::int64_t b) {
  return std::abs(std::log2(static_cast<double>(a) + 1) - std::log2(static_cast<double>(b) + 1));
}

Match match_of(const Query& query, const StoredBest& entry) {
  const Question& stored = entry.question;
  if (query.family != stored.family) return Match::fallback;
  const bool same_problem = query.problem == stored.problem;
  const DeviceClass& asked_class = query.device.device_class;
  if (asked_class == stored.device_class) {
    const bool same_tools = query.device.toolchain == stored.toolchain;
    if (same_problem) return same_tools && same_space(query, entry) ? Match::exact : Match::drift;
    const bool same_kind = without_count(query.problem) == without_count(stored.problem);
    return same_kind ? Match::near : Match::fallback;
  }
  const bool sibling = same_problem && are_siblings(asked_class, stored.device_class);
  return sibling ? Match::sibling : Match::fallback;
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
  if (problem.op == Op::custom) {
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

}  // namespace

std::vector<Difference> differences(const Query& query, const StoredBest& entry) {
  const Question& stored = entry.question;
  std::vector<Difference> found;
  add_differences(found, {{"family", query.family}}, {{"family", stored.family}});
  if (query.problem != stored.problem) {
    add_differences(found, telling_fields(query.problem), telling_fields(stored.problem));
  }
  add_differences(found, fields_of(query.device.device_class), fields_of(stored.device_class));
  add_differences(found, fields_of(query.device.toolchain), fields_of(stored.toolchain));
  if (!same_space(query, entry)) {
    found.push_back({"space", *query.space_key, stored.space_key});
  }
  return found;
}

Grade grade(const Query& query, const StoredBest& entry) {
  const Match match = match_of(query, entry);
  const double distance =
      match == Match::near ? log2_distance(query.problem.count, entry.question.problem.count) : 0;
  return {.match = match,
          .count_log2_distance = distance,
          .differences = differences(query, entry).size(),
          .age = -entry.generation};
}

}  // namespace redtune::cache
