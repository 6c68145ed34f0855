// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/report/pair_maps.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <numeric>

#include "cli/report/charts_of_run.hpp"
#include "cli/report/trial_rows.hpp"

namespace redtune::cli {
namespace {

constexpr std::size_t most_columns = 24;
constexpr std::size_t most_rows = 30;
constexpr double never_measured = std::numeric_limits<double>::max();

std::string value_text(std::string_view value) {
  return value.empty() ? "(not set)" : std::string(value);
}

std::size_t longest_of(const std::vector<std::string>& values) {
  std::size_t longest = 0;
  for (const std::string& value : values) longest = std::max(longest, value.size());
  return longest;
}

}  // namespace

PairMaps::PairMaps(const RunStory& story, std::vector<std::string> names)
    : story_(story), names_(std::move(names)) {
  for (const std::string& name : names_) {
    Axis axis;
    std::map<std::string, std::size_t, decltype(&comes_before)> numbers(&comes_before);
    std::vector<const std::size_t*> of_trial;  // stays where it is while the map grows
    for (const cache::StoredTrial& row : story.trials) {
      of_trial.push_back(&numbers[std::string(setting_in(row.trial.settings, name))]);
    }
    for (auto& [value, number] : numbers) {
      number = axis.values.size();
      axis.values.push_back(value);
    }
    axis.best.assign(axis.values.size(), never_measured);
    for (std::size_t i = 0; i < of_trial.size(); ++i) {
      axis.of_trial.push_back(*of_trial[i]);
      const cache::Trial& trial = story.trials[i].trial;
      if (!is_timed(trial)) continue;
      double& best = axis.best[*of_trial[i]];
      best = std::min(best, trial.time_us->median);
    }
    if (story.default_settings) axis.default_value = setting_in(*story.default_settings, name);
    if (story.result) {
      axis.winner_value = setting_in(story.result->stored.best.settings, name);
    }
    axes_.push_back(std::move(axis));
  }
  const cache::Trial* fastest = story.fastest_trial();
  if (fastest != nullptr) fastest_ = fastest->time_us->median;
}

std::vector<std::pair<std::size_t, std::size_t>> PairMaps::pairs() const {
  std::vector<std::pair<std::size_t, std::size_t>> all;
  for (std::size_t second = 1; second < names_.size(); ++second) {
    for (std::size_t first = 0; first < second; ++first) all.emplace_back(first, second);
  }
  std::ranges::stable_sort(all, {}, [](const auto& pair) { return pair.first + pair.second; });
  return all;
}

std::vector<std::size_t> PairMaps::kept(const Axis& axis, std::size_t most) const {
  std::vector<std::size_t> order(axis.values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (order.size() <= most) return order;
  std::ranges::stable_sort(order, {}, [&](std::size_t value) { return axis.best[value]; });
  order.resize(most);
  std::ranges::sort(order);
  return order;
}

PairMap PairMaps::map_of(std::size_t first, std::size_t second) const {
  // Long names have more room at the left, and few columns are wide.
  const auto key = [&](std::size_t one) {
    return std::pair(longest_of(axes_[one].values), axes_[one].values.size());
  };
  if (key(first) > key(second)) std::swap(first, second);
  const Axis& across = axes_[first];
  const Axis& down = axes_[second];
  const auto columns = kept(across, most_columns);
  const auto rows = kept(down, most_rows);
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> column_of(across.values.size(), none);
  std::vector<std::size_t> row_of(down.values.size(), none);
  PairMap made;
  HeatMap& map = made.map;
  map.title = fmt::format("{} and {}", names_[first], names_[second]);
  map.x_axis = names_[first];
  map.y_axis = names_[second];
  for (const std::size_t value : columns) {
    column_of[value] = map.columns.size();
    map.columns.push_back(value_text(across.values[value]));
  }
  for (const std::size_t value : rows) {
    row_of[value] = map.rows.size();
    map.rows.push_back(value_text(down.values[value]));
  }
  made.left_out = across.values.size() - columns.size() + down.values.size() - rows.size();
  map.cells.resize(columns.size() * rows.size());
  for (std::size_t i = 0; i < story_.trials.size(); ++i) {
    const std::size_t column = column_of[across.of_trial[i]];
    const std::size_t row = row_of[down.of_trial[i]];
    if (column == none || row == none) continue;
    HeatCell& cell = map.cells[row * columns.size() + column];
    cell.is_tried = true;
    const cache::Trial& trial = story_.trials[i].trial;
    if (!is_timed(trial) || fastest_ == 0) continue;
    const double ratio = trial.time_us->median / fastest_;
    if (cell.ratio && *cell.ratio <= ratio) continue;
    cell.ratio = ratio;
    cell.is_rough = !is_ok(trial);
  }
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (std::size_t column = 0; column < columns.size(); ++column) {
      HeatCell& cell = map.cells[row * columns.size() + column];
      const std::string& x = across.values[columns[column]];
      const std::string& y = down.values[rows[row]];
      cell.is_default =
          story_.default_settings && x == across.default_value && y == down.default_value;
      cell.is_winner = story_.result && x == across.winner_value && y == down.winner_value;
    }
  }
  return made;
}

}  // namespace redtune::cli
