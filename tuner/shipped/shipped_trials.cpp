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

using cache::Json;

constexpr std::string_view format = "redtune trials 1";

template <class Thing>
std::optional<Thing> member(const Json& json, std::string_view name,
                            std::optional<Thing> (*from)(const cache::Fields&)) {
  const auto fields = cache::fields_from(cache::member_of(json, name));
  return fields ? from(*fields) : std::nullopt;
}

std::optional<std::string> text_of(const Json& json) {
  if (json.is_string()) return json.get<std::string>();
  const auto number = cache::integer_from(json);
  return number ? std::optional(std::to_string(*number)) : std::nullopt;
}

/// A time in microseconds, and a value for each tunable.
std::optional<cache::Trial> trial_from(const Json& row, const Json& tunables) {
  if (!row.is_array() || row.size() != tunables.size() + 1) return std::nullopt;
  const double us = row[0].is_number() ? row[0].get<double>() : 0;
  cache::Trial trial{.phase = "search", .status = "ok", .time_us = Interval{us, us, us}};
  if (!cache::is_positive(*trial.time_us)) return std::nullopt;
  for (std::size_t i = 0; i < tunables.size(); ++i) {
    const auto name = text_of(tunables[i]);
    const auto value = text_of(row[i + 1]);
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
  if (!document) throw Error("it is not JSON");
  const auto problem = member(*document, "problem", cache::problem_from);
  const auto device_class = member(*document, "device_class", cache::device_class_from);
  const Json& tunables = cache::member_of(*document, "tunables");
  const Json& rows = cache::member_of(*document, "trials");
  const Json& family = cache::member_of(*document, "family");
  if (cache::member_of(*document, "format") != format || !problem || !device_class ||
      !tunables.is_array() || !rows.is_array() || !family.is_string()) {
    throw Error(fmt::format("it is not of the format '{}', or lacks something", format));
  }
  ShippedTrials shipped{{family.get<std::string>(), {}, *problem, *device_class, {}}, {}};
  for (const Json& row : rows) {
    auto trial = trial_from(row, tunables);
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
