// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/session/added_values.hpp"

#include <algorithm>
#include <optional>

#include "kernel_templates/description/described_family.hpp"
#include "search/space.hpp"

namespace redtune::tuner {
namespace {

/// A document of the store: anybody may have written it.
bool has_value(const Json& values, const std::string& tunable, const std::string& value) {
  const auto found = values.find(tunable);
  return found != values.end() && found->is_array() &&
         std::ranges::any_of(*found, [&](const Json& one) { return one == value; });
}

Settings with_value(Settings settings, const Setting& value) {
  const auto place = std::ranges::find(settings, value.name, &Setting::name);
  if (place != settings.end()) place->value = value.value;
  return settings;
}

std::optional<Settings> first_with(const Setting& value, const kernels::Family& family,
                                   const search::Space& space) {
  for (const search::Point point : space.points()) {
    Settings settings = family.settings_at(point);
    if (std::ranges::find(settings, value) != settings.end()) return settings;
  }
  return std::nullopt;
}

}  // namespace

Json searched_values(const kernels::Family& family) {
  if (kernels::as_described(family) == nullptr) return nullptr;
  Json values = Json::object();
  for (const kernels::TunableInfo& tunable : family.tunables()) {
    values[tunable.name] = tunable.values;
  }
  return values;
}

Settings added_values(const kernels::Family& family, const cache::Best& best) {
  if (kernels::as_described(family) == nullptr) return {};
  const Json measurement = Json::parse(best.measurement, nullptr, false);
  if (!measurement.is_object() || !measurement.contains("values")) return {};
  const Json& values = measurement["values"];
  if (!values.is_object()) return {};
  Settings added;
  for (const kernels::TunableInfo& tunable : family.tunables()) {
    for (const std::string& value : tunable.values) {
      if (!has_value(values, tunable.name, value)) added.push_back({tunable.name, value});
    }
  }
  return added;
}

std::vector<Settings> first_configs_with(const Settings& added, const kernels::Family& family,
                                         const Problem& problem, const Limits& limits,
                                         const Settings& winner) {
  std::vector<Settings> configs;
  std::optional<search::Space> space;
  for (const Setting& value : added) {
    std::optional<Settings> found;
    for (const Settings& like : {winner, family.default_settings(problem, limits)}) {
      Settings settings = with_value(like, value);
      if (!found && family.why_invalid(settings, problem, limits).empty()) found = settings;
    }
    if (!found) {
      if (!space) space.emplace(family.space(problem, limits));
      found = first_with(value, family, *space);
    }
    if (found) configs.push_back(std::move(*found));
  }
  return configs;
}

}  // namespace redtune::tuner
