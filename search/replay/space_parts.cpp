// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "search/replay/space_parts.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

#include "redtune/error.hpp"

namespace redtune::search {
namespace {

/// A number that a duration can be.
std::optional<double> duration(const SpaceJson& value) {
  if (!value.is_number()) return std::nullopt;
  const double number = value.get<double>();
  return std::isfinite(number) && number >= 0 ? std::optional(number) : std::nullopt;
}

AxisValue value_from(const SpaceJson& value, std::string_view name, std::string_view which) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_string()) return value.get<std::string>();
  // Adding 0 makes -0 the 0 that it equals.
  if (value.is_number() && std::isfinite(value.get<double>())) return value.get<double>() + 0.0;
  throw UsageError(fmt::format("{} has {} for {}; it must be a number, a word, true or false",
                               which, value.is_null() ? "nothing" : value.type_name(),
                               shown(name)));
}

}  // namespace

const SpaceJson& member(const SpaceJson& object, std::string_view name) {
  static const SpaceJson null;
  if (!object.is_object()) return null;
  const auto found = object.find(std::string(name));
  return found == object.end() ? null : *found;
}

std::string text_in(const SpaceJson& object, std::string_view name) {
  const SpaceJson& text = member(object, name);
  return text.is_string() ? text.get<std::string>() : std::string();
}

std::vector<std::string> names_of(const SpaceJson& object) {
  std::vector<std::string> names;
  if (!object.is_object()) return names;
  for (const auto& entry : object.items()) names.push_back(entry.key());
  return names;
}

void require_minimised(std::string_view objective) {
  if (objective.find("/s") == std::string_view::npos) return;
  throw UsageError(fmt::format(
      "its objective is {}, of which more is better; redtune replays times", shown(objective)));
}

std::vector<AxisValue> values_of(const SpaceJson& configuration,
                                 const std::vector<std::string>& names, std::string_view which) {
  std::vector<AxisValue> values;
  for (const std::string& name : names) {
    values.push_back(value_from(member(configuration, name), name, which));
  }
  return values;
}

std::optional<double> cost_of(const SpaceJson& value, std::string_view which) {
  if (value.is_null() || value.is_string()) return std::nullopt;
  const double cost = value.is_number() ? value.get<double>() : -1;
  if (std::isfinite(cost) && cost > 0) return cost;
  throw UsageError(fmt::format("the time of {} is {}; it must be a number above 0", which,
                               value.is_number() ? value.dump() : value.type_name()));
}

std::vector<double> launches_of(const SpaceJson& list) {
  std::vector<double> launches;
  if (!list.is_array()) return launches;
  for (const SpaceJson& one : list) {
    const auto time = duration(one);
    if (time && *time > 0) launches.push_back(*time);
  }
  return launches;
}

std::optional<double> seconds_of(const SpaceJson& compile_ms,
                                 const std::vector<double>& launches_ms,
                                 const SpaceJson& other_ms) {
  const auto compile = duration(compile_ms);
  std::optional<double> run = duration(other_ms);
  if (!launches_ms.empty()) run = std::accumulate(launches_ms.begin(), launches_ms.end(), 0.0);
  if (!compile && !run) return std::nullopt;
  return (compile.value_or(0) + run.value_or(0)) / 1e3;
}

std::string shown(std::string_view text) {
  std::string safe(text.substr(0, 40));
  std::replace_if(
      safe.begin(), safe.end(), [](unsigned char c) { return c < 0x20 || c >= 0x7f; }, '?');
  return "'" + safe + "'";
}

}  // namespace redtune::search
