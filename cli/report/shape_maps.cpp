// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/report/shape_maps.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <string>
#include <utility>

namespace redtune::cli {
namespace {

// As many as a card has room for.
constexpr std::size_t most_map_columns = 24;
constexpr std::size_t most_map_rows = 30;

struct Extents {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
};

/// Of arrays of two axes; nothing of others.
std::optional<Extents> extents_of(const Shape& shape) {
  if (is_whole_array(shape) || is_segmented(shape) || shape.batch != 1) return std::nullopt;
  if (are_rows(shape)) return Extents{shape.outer, shape.count};
  if (shape.outer == 1) return Extents{shape.count, shape.inner};
  return std::nullopt;
}

/// The values of an axis, the largest where there are too many, and their places.
std::map<std::int64_t, std::size_t> places_of(std::vector<std::int64_t> values, std::size_t most) {
  std::ranges::sort(values);
  const auto repeated = std::ranges::unique(values);
  values.erase(repeated.begin(), repeated.end());
  if (values.size() > most) values.erase(values.begin(), values.end() - std::ptrdiff_t(most));
  std::map<std::int64_t, std::size_t> places;
  for (const std::int64_t value : values) places.emplace(value, places.size());
  return places;
}

std::vector<std::string> names_of_places(const std::map<std::int64_t, std::size_t>& places) {
  std::vector<std::string> names;
  for (const auto& [value, place] : places) names.push_back(describe_count(value));
  return names;
}

std::optional<HeatMap> map_of(const std::string& title,
                              const std::vector<const KnownResult*>& results) {
  std::vector<std::int64_t> all_rows;
  std::vector<std::int64_t> all_columns;
  for (const KnownResult* result : results) {
    const Extents extents = *extents_of(result->stored.question.problem);
    all_rows.push_back(extents.rows);
    all_columns.push_back(extents.columns);
  }
  const auto rows = places_of(all_rows, most_map_rows);
  const auto columns = places_of(all_columns, most_map_columns);
  if (rows.size() < 2 || columns.size() < 2) return std::nullopt;
  HeatMap map{.title = title,
              .x_axis = "columns",
              .y_axis = "rows",
              .columns = names_of_places(columns),
              .rows = names_of_places(rows),
              .cells = std::vector<HeatCell>(rows.size() * columns.size()),
              .meaning = "as a multiple of what reading at the peak takes",
              .done = "tuned"};
  for (const KnownResult* result : results) {
    const Extents extents = *extents_of(result->stored.question.problem);
    const auto row = rows.find(extents.rows);
    const auto column = columns.find(extents.columns);
    if (row == rows.end() || column == columns.end()) continue;
    HeatCell& cell = map.cells[row->second * columns.size() + column->second];
    cell.is_tried = true;
    const double ratio = 1 / result->share();
    cell.ratio = std::min(cell.ratio.value_or(ratio), ratio);
  }
  return map;
}

}  // namespace

std::vector<HeatMap> shape_maps(const DeviceStory& device) {
  std::vector<std::pair<std::string, std::vector<const KnownResult*>>> groups;
  for (const KnownResult& result : device.results) {
    const Problem& problem = result.stored.question.problem;
    if (problem.op == Op::kernel || result.share() <= 0 || !extents_of(problem)) continue;
    const std::string title = fmt::format("{} of {}, {}", operator_name(problem),
                                          kind_of_shape(problem), variant_of(problem));
    auto group = std::ranges::find(groups, title, [](const auto& one) { return one.first; });
    if (group == groups.end()) group = groups.insert(groups.end(), {title, {}});
    group->second.push_back(&result);
  }
  std::vector<HeatMap> maps;
  for (const auto& [title, results] : groups) {
    if (auto map = map_of(title, results)) maps.push_back(std::move(*map));
  }
  return maps;
}

}  // namespace redtune::cli
