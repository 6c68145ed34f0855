// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "search/replay/recorded_space.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>

#include "redtune/error.hpp"

namespace redtune::search {
namespace {

/// FNV-1a.
class Fingerprint {
 public:
  void add(std::uint64_t bits) {
    for (int byte = 0; byte < 8; ++byte) {
      hash_ = (hash_ ^ ((bits >> (8 * byte)) & 0xff)) * 0x100000001b3U;
    }
  }
  void add(std::string_view text) {
    for (const char c : text) add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
    add(text.size());
  }
  [[nodiscard]] std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325U;
};

/// Drops what no configuration differs in.
void drop_constants(RawSpace& raw) {
  for (std::size_t column = raw.names.size(); column-- > 0;) {
    const AxisValue& first = raw.configs[0].values[column];
    const bool varies = std::any_of(raw.configs.begin(), raw.configs.end(),
                                    [&](const auto& one) { return one.values[column] != first; });
    if (varies) continue;
    const auto place = static_cast<std::ptrdiff_t>(column);
    raw.names.erase(raw.names.begin() + place);
    for (RawConfig& config : raw.configs) config.values.erase(config.values.begin() + place);
  }
}

RecordedAxis axis_of(const RawSpace& raw, std::size_t column) {
  RecordedAxis axis{raw.names[column], {}, true};
  for (const RawConfig& config : raw.configs) {
    axis.values.push_back(config.values[column]);
    if (!std::holds_alternative<double>(axis.values.back())) axis.is_ordered = false;
  }
  std::sort(axis.values.begin(), axis.values.end());
  axis.values.erase(std::unique(axis.values.begin(), axis.values.end()), axis.values.end());
  if (axis.values.size() <= search::Point::most_values) return axis;
  throw UsageError(fmt::format("'{}' has {} values; redtune's spaces have at most {} in an axis",
                               axis.name, axis.values.size(), search::Point::most_values));
}

search::Point point_of(const RawConfig& config, const std::vector<RecordedAxis>& axes) {
  search::Point point = search::Point::of_size(axes.size());
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    const auto& values = axes[axis].values;
    const auto place = std::lower_bound(values.begin(), values.end(), config.values[axis]);
    point.set(axis, static_cast<std::size_t>(place - values.begin()));
  }
  return point;
}

void require_points(const RecordedSpace& space) {
  const bool any = std::any_of(space.records.begin(), space.records.end(),
                               [](const Record& record) { return record.cost.has_value(); });
  if (!any) throw UsageError("all its configurations failed: there is nothing to find");
  if (space.points.size() < 2) {
    throw UsageError("it has one configuration only: there is nothing to search");
  }
}

}  // namespace

std::uint64_t RecordedSpace::fingerprint() const {
  Fingerprint all;
  for (const RecordedAxis& axis : axes) {
    all.add(axis.name);
    for (const AxisValue& value : axis.values) all.add(to_text(value));
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (const search::Point::Index index : points[i].indices()) all.add(std::uint64_t{index});
    all.add(std::bit_cast<std::uint64_t>(records[i].cost.value_or(0)));
  }
  return all.value();
}

RecordedSpace make_recorded_space(RawSpace raw) {
  if (raw.configs.empty()) throw UsageError("it has no configurations");
  drop_constants(raw);
  if (raw.names.size() > search::Point::most_axes) {
    throw UsageError(fmt::format("{} of its parameters vary; redtune's spaces have at most {} axes",
                                 raw.names.size(), search::Point::most_axes));
  }
  RecordedSpace space;
  for (std::size_t axis = 0; axis < raw.names.size(); ++axis) {
    space.axes.push_back(axis_of(raw, axis));
  }
  std::vector<std::pair<search::Point, std::size_t>> order;
  for (std::size_t i = 0; i < raw.configs.size(); ++i) {
    order.emplace_back(point_of(raw.configs[i], space.axes), i);
  }
  std::sort(order.begin(), order.end());
  for (const auto& [point, place] : order) {
    if (!space.points.empty() && space.points.back() == point) {
      ++space.repeated;
      continue;
    }
    space.points.push_back(point);
    space.records.push_back(std::move(raw.configs[place].record));
  }
  require_points(space);
  return space;
}

std::string to_text(const AxisValue& value) {
  if (const auto* truth = std::get_if<bool>(&value)) return *truth ? "true" : "false";
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
  return std::get<std::string>(value);
}

}  // namespace redtune::search
