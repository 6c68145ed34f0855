// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/session/restriction.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <utility>
#include <vector>

#include "redtune/error.hpp"
#include "redtune/suggest.hpp"

namespace redtune::tuner {
namespace {

constexpr std::string_view restricted_by = " with ";

std::size_t places_that_differ(const Settings& one, const Settings& other) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < one.size(); ++i) count += one[i] == other[i] ? 0 : 1;
  return count;
}

}  // namespace

void require_known(const Restriction& only, const kernels::Family& family) {
  const std::vector<kernels::TunableInfo> tunables = family.tunables();
  for (const Setting& one : only) {
    const auto found = std::ranges::find(tunables, one.name, &kernels::TunableInfo::name);
    if (found == tunables.end()) {
      std::vector<std::string_view> names;
      for (const kernels::TunableInfo& tunable : tunables) names.emplace_back(tunable.name);
      throw UsageError(fmt::format("{} has no tunable '{}'{}; known: {}", family.name(), one.name,
                                   suggest(one.name, names), names.empty() ? "none" : join(names)));
    }
    if (std::ranges::find(found->values, one.value) == found->values.end()) {
      throw UsageError(fmt::format("{} cannot be '{}'; it is one of {}", one.name, one.value,
                                   fmt::join(found->values, ", ")));
    }
  }
}

bool fits(const Settings& settings, const Restriction& only) {
  return std::ranges::all_of(only, [&](const Setting& one) {
    return std::ranges::any_of(settings, [&](const Setting& has) {
      return has.name == one.name && std::ranges::find(only, has) != only.end();
    });
  });
}

search::Space searched_space(const kernels::Family& family, const Problem& problem,
                             const Limits& limits, const Restriction& only) {
  search::Space all = family.space(problem, limits);
  if (only.empty()) return all;
  require_known(only, family);
  std::vector<search::Point> points;
  for (const search::Point point : all.points()) {
    if (fits(family.settings_at(point), only)) points.push_back(point);
  }
  if (points.empty()) {
    throw UsageError(fmt::format("no config of {} that can run here for {} has {}", family.name(),
                                 describe(problem), to_string(only)));
  }
  return search::Space::of_points({all.axes().begin(), all.axes().end()}, points,
                                  {all.products().begin(), all.products().end()});
}

Settings reference_config(const kernels::Family& family, const Problem& problem,
                          const Limits& limits, const Restriction& only) {
  const Settings usual = family.default_settings(problem, limits);
  if (fits(usual, only)) return usual;
  const search::Space space = searched_space(family, problem, limits, only);
  std::optional<Settings> nearest;
  for (const search::Point point : space.points()) {
    Settings settings = family.settings_at(point);
    if (!nearest || places_that_differ(settings, usual) < places_that_differ(*nearest, usual)) {
      nearest = std::move(settings);
    }
  }
  return std::move(*nearest);
}

std::string strategy_with(const std::string& strategy, Restriction only) {
  if (only.empty()) return strategy;
  std::ranges::sort(only);
  return fmt::format("{}{}{}", strategy, restricted_by, to_string(only));
}

bool is_restricted(const cache::RunStart& run) {
  return run.strategy.find(restricted_by) != std::string::npos;
}

}  // namespace redtune::tuner
