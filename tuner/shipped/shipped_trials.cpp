// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/shipped/shipped_trials.hpp"

#include <fmt/format.h>
#include <optional>
#include <string>

#include "cache/exchange/json.hpp"
#include "redtune/error.hpp"
#include "tuner/shipped/embedded_trials.hpp"

namespace redtune::tuner {
namespace {

constexpr std::string_view format = "redtune trials 1";

template <class Thing>
std::optional<Thing> member(cache::MemberReader& reader, std::string_view name,
                            std::optional<Thing> (*from)(const cache::Fields&)) {
  const auto fields = cache::fields_from(reader.any(name));
  return fields ? from(*fields) : std::nullopt;
}

std::optional<std::string> text_of(const cache::JsonValue& json) {
  if (const auto* text = std::get_if<std::string>(&json.value)) return *text;
  if (const auto* number = std::get_if<std::int64_t>(&json.value)) return std::to_string(*number);
  return std::nullopt;
}

/// A time in microseconds, and a value for each tunable.
std::optional<cache::Trial> trial_from(const cache::JsonValue& json,
                                       const cache::JsonValue::Array& tunables) {
  const auto* row = json.array();
  if (row == nullptr || row->size() != tunables.size() + 1) return std::nullopt;
  const double us = cache::number_of(row->front()).value_or(0);
  cache::Trial trial{.phase = "search", .status = "ok", .time_us = Interval{us, us, us}};
  if (!cache::is_positive(*trial.time_us)) return std::nullopt;
  for (std::size_t i = 0; i < tunables.size(); ++i) {
    const auto name = text_of(tunables[i]);
    const auto value = text_of((*row)[i + 1]);
    if (!name || !value) return std::nullopt;
    trial.settings.push_back({*name, *value});
  }
  return trial;
}

std::vector<ShippedTrials> read_all() {
  std::vector<ShippedTrials> all;
  for (const auto& [name, text] : embedded_files()) {
    try {
      all.push_back(trials_from(text));
    } catch (const Error& error) {
      throw Error(fmt::format("{}: {}", name, error.what()));
    }
  }
  return all;
}

}  // namespace

ShippedTrials trials_from(std::string_view text) {
  const auto document = cache::parse_json(text);
  if (!document) throw Error("it is no JSON");
  cache::MemberReader reader(*document);
  const auto problem = member(reader, "problem", cache::problem_from);
  const auto device_class = member(reader, "device_class", cache::device_class_from);
  const auto* tunables = reader.any("tunables").array();
  const auto* rows = reader.any("trials").array();
  const std::string family = reader.text("family");
  if (reader.text("format") != format || !reader.good() || !problem || !device_class ||
      tunables == nullptr || rows == nullptr) {
    throw Error(fmt::format("it is not of the format '{}', or lacks something", format));
  }
  ShippedTrials shipped{{family, {}, *problem, *device_class, {}}, {}};
  for (const cache::JsonValue& row : *rows) {
    auto trial = trial_from(row, *tunables);
    if (!trial) throw Error(fmt::format("trial {} is not valid", shipped.trials.size() + 1));
    trial->sequence = static_cast<std::int64_t>(shipped.trials.size());
    shipped.trials.push_back(std::move(*trial));
  }
  return shipped;
}

const std::vector<ShippedTrials>& shipped_trials() {
  static const std::vector<ShippedTrials> all = read_all();
  return all;
}

}  // namespace redtune::tuner
