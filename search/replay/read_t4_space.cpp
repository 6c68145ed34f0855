// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The open auto-tuning results format T4: a list of configurations with times and measurements.
#include <algorithm>
#include <fmt/format.h>

#include "redtune/error.hpp"
#include "search/replay/space_parts.hpp"

namespace redtune::search {
namespace {

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
bool is_found_out(const SpaceJson& result) {
  return text_in(member(result, "redtune"), "phase") == "confirm";
}

/// What was found out later counts, not what was measured before.
void find_out(RawSpace& space, RawConfig config) {
  const auto before =
      std::find_if(space.configs.begin(), space.configs.end(),
                   [&](const RawConfig& one) { return one.values == config.values; });
  if (before == space.configs.end())
    space.configs.push_back(std::move(config));
  else
    before->record = std::move(config.record);
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
      throw UsageError(fmt::format("{} has not the parameters that the first one has", which));
    }
    RawConfig config{values_of(configuration, space.names, which),
                     record_told(result, objective, which)};
    if (is_found_out(result))
      find_out(space, std::move(config));
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

}  // namespace redtune::search
