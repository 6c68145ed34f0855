// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// From a config struct's field table to what others need: search axes, points, and named text
// values.
#pragma once

#include <fmt/format.h>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernel_templates/family/field.hpp"
#include "redtune/error.hpp"
#include "redtune/settings.hpp"
#include "redtune/suggest.hpp"
#include "search/space.hpp"

namespace redtune::kernels {

/// Calls visit(row, index) for each row of the field table.
template <class Config, class Visit>
void for_each_field(Visit&& visit) {
  static constexpr auto rows = Config::fields();  // not a copy for each call
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    (visit(std::get<i>(rows), i), ...);
  }
  (std::make_index_sequence<std::tuple_size_v<decltype(rows)>>{});
}

template <class Config>
[[nodiscard]] std::vector<search::Axis> axes_of() {
  std::vector<search::Axis> axes;
  for_each_field<Config>([&](const auto& row, std::size_t) {
    search::Axis axis{std::string(row.name), row.values.size(), search::AxisKind::categorical, {}};
    if constexpr (std::remove_cvref_t<decltype(row)>::order == AxisOrder::ordered) {
      axis.kind = search::AxisKind::ordered;
      for (const auto value : row.values) axis.values.push_back(static_cast<double>(value));
    }
    axes.push_back(std::move(axis));
  });
  return axes;
}

/// The place of a row that there is.
template <class Config>
[[nodiscard]] std::size_t field_index(std::string_view name) {
  std::size_t index = 0;
  for_each_field<Config>([&](const auto& row, std::size_t i) {
    if (row.name == name) index = i;
  });
  return index;
}

template <class Config>
[[nodiscard]] Config config_at(const search::Point& point) {
  Config config;
  for_each_field<Config>(
      [&](const auto& row, std::size_t i) { config.*row.member = row.values[point[i]]; });
  return config;
}

/// Throws UsageError when a member holds a value that is not on its axis.
template <class Config>
[[nodiscard]] search::Point point_of(const Config& config) {
  std::vector<std::size_t> indices;
  for_each_field<Config>([&](const auto& row, std::size_t) {
    const auto text = value_text(config.*row.member);
    const auto index = index_of_text(row, text);
    if (!index) throw UsageError(fmt::format("{}={} is not in the space", row.name, text));
    indices.push_back(*index);
  });
  return search::Point(indices);
}

template <class Config>
[[nodiscard]] Settings settings_of(const Config& config) {
  Settings settings;
  for_each_field<Config>([&](const auto& row, std::size_t) {
    settings.push_back({std::string(row.name), value_text(config.*row.member)});
  });
  return settings;
}

/// Overwrites the named members. Throws UsageError for unknown names and values, listing what there
/// is.
template <class Config>
void apply(Config& config, const Setting& setting) {
  bool found = false;
  for_each_field<Config>([&](const auto& row, std::size_t) {
    if (row.name != setting.name) return;
    found = true;
    const auto index = index_of_text(row, setting.value);
    if (index) {
      config.*row.member = row.values[*index];
      return;
    }
    std::string values;
    for (const auto& value : row.values) values += (values.empty() ? "" : ", ") + value_text(value);
    throw UsageError(
        fmt::format("{} cannot be '{}'; it is one of {}", row.name, setting.value, values));
  });
  if (!found) {
    std::vector<std::string_view> names;
    for_each_field<Config>([&](const auto& row, std::size_t) { names.push_back(row.name); });
    throw UsageError(fmt::format("unknown tunable '{}'{}; known: {}", setting.name,
                                 suggest(setting.name, names), join(names)));
  }
}

}  // namespace redtune::kernels
