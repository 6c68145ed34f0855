// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A search space of which every configuration was measured once: plain data, whatever file it is
// from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "search/point.hpp"
#include "search/space.hpp"

namespace redtune::search {

/// What was recorded for a parameter: a truth value, a number, or a word.
using AxisValue = std::variant<bool, double, std::string>;

/// A parameter that varies.
struct RecordedAxis {
  std::string name;
  std::vector<AxisValue> values;  ///< those that occur, ascending
  bool is_ordered = false;        ///< numbers are; words and truth values are not
};

/// What is known of a configuration.
struct Record {
  std::optional<double> cost = std::nullopt;  ///< above 0, in the file's unit; nothing: it failed
  std::vector<double> launches = {};  ///< times of single launches, above 0; empty: not recorded
  std::optional<double> seconds = std::nullopt;  ///< that trying it took
};

/// A configuration as a file has it: a value for every parameter, in the order of their names.
struct RawConfig {
  std::vector<AxisValue> values;
  Record record;
};

struct RawSpace {
  std::vector<std::string> names;
  std::vector<RawConfig> configs;
};

struct RecordedSpace {
  std::string name;  ///< for people
  std::vector<RecordedAxis> axes;
  std::vector<search::Point> points;  ///< in lexicographic order
  std::vector<Record> records;        ///< of the points
  std::size_t repeated = 0;           ///< configurations that occurred before, and were left out
  std::vector<search::Point> start = {};       ///< what strategies begin with
  std::vector<search::Product> products = {};  ///< of the axes

  /// Of axes, points and costs: the same for the same space, whatever file it is from.
  [[nodiscard]] std::uint64_t fingerprint() const;
};

/// Drops parameters of one value and repeated configurations, of which the first counts.
/// Throws UsageError for what is no space to search; the text goes on after the name of a file.
[[nodiscard]] RecordedSpace make_recorded_space(RawSpace raw);

/// "16", "0.5", "true" or the word.
[[nodiscard]] std::string to_text(const AxisValue& value);

}  // namespace redtune::search
