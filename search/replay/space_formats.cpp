// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "search/replay/space_formats.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "redtune/error.hpp"

namespace redtune::search {
namespace {

// What is alike in all formats.

/// The beginning of a text of a stranger, as a terminal may show it.
std::string shown(std::string_view text) {
  std::string safe(text.substr(0, 40));
  std::replace_if(
      safe.begin(), safe.end(), [](unsigned char c) { return c < 0x20 || c >= 0x7f; }, '?');
  return "'" + safe + "'";
}

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
  throw UsageError(fmt::format("{} has {} for {}; it must be a number, text, true or false", which,
                               value.is_null() ? "nothing" : value.type_name(), shown(name)));
}

/// The member of an object; null when it is missing or this is no object.
const SpaceJson& member(const SpaceJson& object, std::string_view name) {
  static const SpaceJson null;
  if (!object.is_object()) return null;
  const auto found = object.find(std::string(name));
  return found == object.end() ? null : *found;
}

/// The text of a member, or nothing.
std::string text_in(const SpaceJson& object, std::string_view name) {
  const SpaceJson& text = member(object, name);
  return text.is_string() ? text.get<std::string>() : std::string();
}

/// The names of an object's members.
std::vector<std::string> names_of(const SpaceJson& object) {
  std::vector<std::string> names;
  if (!object.is_object()) return names;
  for (const auto& entry : object.items()) names.push_back(entry.key());
  return names;
}

/// Throws UsageError for an objective of which more is better: strategies minimise.
void require_minimised(std::string_view objective) {
  if (objective.find("/s") == std::string_view::npos) return;
  throw UsageError(fmt::format(
      "its objective is {}, of which more is better; redtune replays times", shown(objective)));
}

/// The values of named parameters. which: what the configuration is called in errors.
std::vector<AxisValue> values_of(const SpaceJson& configuration,
                                 const std::vector<std::string>& names, std::string_view which) {
  std::vector<AxisValue> values;
  for (const std::string& name : names) {
    values.push_back(value_from(member(configuration, name), name, which));
  }
  return values;
}

/// A time; nothing for a word or null, which stand in the place of times of what failed. Throws
/// UsageError for numbers that no measurement has.
std::optional<double> cost_of(const SpaceJson& value, std::string_view which) {
  if (value.is_null() || value.is_string()) return std::nullopt;
  const double cost = value.is_number() ? value.get<double>() : -1;
  if (std::isfinite(cost) && cost > 0) return cost;
  throw UsageError(fmt::format("the time of {} is {}; it must be a number above 0", which,
                               value.is_number() ? value.dump() : value.type_name()));
}

/// The times of single launches; those that are no positive numbers are left out.
std::vector<double> launches_of(const SpaceJson& list) {
  std::vector<double> launches;
  if (!list.is_array()) return launches;
  for (const SpaceJson& one : list) {
    const auto time = duration(one);
    if (time && *time > 0) launches.push_back(*time);
  }
  return launches;
}

/// What compiling and running took. other_ms: what stands in the place of launches where these
/// were not recorded. Nothing when neither compiling nor running was recorded.
std::optional<double> seconds_of(const SpaceJson& compile_ms,
                                 const std::vector<double>& launches_ms,
                                 const SpaceJson& other_ms) {
  const auto compile = duration(compile_ms);
  std::optional<double> run = duration(other_ms);
  if (!launches_ms.empty()) run = std::accumulate(launches_ms.begin(), launches_ms.end(), 0.0);
  if (!compile && !run) return std::nullopt;
  return (compile.value_or(0) + run.value_or(0)) / 1e3;
}

// T4: a list of configurations with times and measurements.

/// The first of the objectives; files without them have a time.
std::string objective_of(const SpaceJson& result) {
  const SpaceJson& objectives = member(result, "objectives");
  const bool named = objectives.is_array() && !objectives.empty() && objectives[0].is_string();
  return named ? objectives[0].get<std::string>() : "time";
}

const SpaceJson& measured(const SpaceJson& result, const std::string& objective) {
  static const SpaceJson null;
  const SpaceJson& measurements = member(result, "measurements");
  if (!measurements.is_array()) return null;
  for (const SpaceJson& one : measurements) {
    if (text_in(one, "name") == objective) return member(one, "value");
  }
  return null;
}

Record record_told(const SpaceJson& result, const std::string& objective,
                   const std::string& which) {
  const SpaceJson& times = member(result, "times");
  const SpaceJson& invalidity = member(result, "invalidity");
  const bool failed = invalidity.is_string() && invalidity != "correct";
  Record record{.launches = launches_of(member(times, "runtimes"))};
  if (!failed) record.cost = cost_of(measured(result, objective), which);
  record.seconds =
      seconds_of(member(times, "compilation"), record.launches, member(times, "framework"));
  return record;
}

/// redtune measured it and found it wrong later.
bool is_disqualified(const SpaceJson& result) {
  return text_in(member(result, "redtune"), "phase") == "confirm";
}

/// The later outcome counts, not what was measured before.
void disqualify(RawSpace& space, RawConfig config) {
  const auto before =
      std::find_if(space.configs.begin(), space.configs.end(),
                   [&](const RawConfig& one) { return one.values == config.values; });
  if (before == space.configs.end())
    space.configs.push_back(std::move(config));
  else
    before->record = std::move(config.record);
}

// Kernel Tuner: an object of configurations, each with its values and times.

Record record_from(const SpaceJson& entry, const std::string& objective, const std::string& which) {
  Record record{.cost = cost_of(member(entry, objective), which),
                .launches = launches_of(member(entry, "times"))};
  const SpaceJson& benchmark = member(entry, "benchmark_time");
  record.seconds = seconds_of(member(entry, "compile_time"), record.launches,
                              benchmark.is_number() ? benchmark : member(entry, "framework_time"));
  return record;
}

}  // namespace

bool is_t4_space(const SpaceJson& document) {
  const SpaceJson& results = member(document, "results");
  const bool told = document.contains("schema_version");
  return results.is_array() && (told || (!results.empty() && results[0].is_object() &&
                                         results[0].contains("configuration")));
}

RawSpace read_t4_space(const SpaceJson& document) {
  const SpaceJson& results = member(document, "results");
  RawSpace space;
  if (results.empty()) return space;
  space.names = names_of(member(results[0], "configuration"));
  const std::string objective = objective_of(results[0]);
  require_minimised(objective);
  for (const SpaceJson& result : results) {
    const std::string which = fmt::format("configuration {}", space.configs.size() + 1);
    const SpaceJson& configuration = member(result, "configuration");
    if (!configuration.is_object() || configuration.size() != space.names.size()) {
      throw UsageError(fmt::format("{} does not have the same parameters as the first one", which));
    }
    RawConfig config{values_of(configuration, space.names, which),
                     record_told(result, objective, which)};
    if (is_disqualified(result))
      disqualify(space, std::move(config));
    else
      space.configs.push_back(std::move(config));
  }
  return space;
}

bool is_results_export(const SpaceJson& document) {
  return text_in(document, "format").starts_with("redtune results ");
}

RawSpace refuse_results_export(const SpaceJson&) {
  throw UsageError(
      "it holds the best results of redtune and not what a run tried; write that with: redtune "
      "cache export --format t4");
}

bool is_kernel_tuner_space(const SpaceJson& document) {
  return member(document, "tune_params").is_object() && member(document, "cache").is_object();
}

RawSpace read_kernel_tuner_space(const SpaceJson& document) {
  RawSpace space{names_of(member(document, "tune_params")), {}};
  std::string objective = text_in(document, "objective");
  if (objective.empty()) objective = "time";
  require_minimised(objective);
  for (const auto& entry : member(document, "cache").items()) {
    const std::string which = fmt::format("configuration {}", shown(entry.key()));
    space.configs.push_back({values_of(entry.value(), space.names, which),
                             record_from(entry.value(), objective, which)});
  }
  return space;
}

}  // namespace redtune::search
