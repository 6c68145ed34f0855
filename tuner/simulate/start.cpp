// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/simulate/start.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <set>

#include "cache/exchange.hpp"
#include "kernel_templates/family.hpp"
#include "redtune/error.hpp"
#include "runtime/resolve.hpp"
#include "tuner/session/warm_start.hpp"
#include "tuner/simulate/read_space.hpp"

namespace redtune::tuner {
namespace {

/// As if the run had published the fastest that it tried and did not find out later; nothing where
/// there is none.
std::optional<cache::StoredBest> winner_of(const cache::SharedRun& run) {
  std::set<Settings> failed;
  for (const auto& [trial, at] : run.trials) {
    if (!trial.time_us) failed.insert(trial.settings);
  }
  const cache::Trial* fastest = nullptr;
  for (const auto& [trial, at] : run.trials) {
    if (failed.contains(trial.settings)) continue;
    if (fastest == nullptr || trial.time_us->median < fastest->time_us->median) fastest = &trial;
  }
  if (fastest == nullptr) return std::nullopt;
  cache::StoredBest stored;
  stored.question = question_of(run.start);
  stored.device_name = run.start.device.name;
  stored.best.settings = fastest->settings;
  return stored;
}

/// The place of settings among an axis's values; nothing for values that do not occur.
std::optional<std::size_t> index_in(const RecordedAxis& axis, const Settings& settings) {
  const auto setting = std::ranges::find(settings, axis.name, &Setting::name);
  if (setting == settings.end()) return std::nullopt;
  for (std::size_t index = 0; index < axis.values.size(); ++index) {
    if (to_text(axis.values[index]) == setting->value) return index;
  }
  return std::nullopt;
}

std::optional<search::Point> point_of(const RecordedSpace& space, const Settings& settings) {
  search::Point point = search::Point::of_size(space.axes.size());
  for (std::size_t axis = 0; axis < space.axes.size(); ++axis) {
    const auto index = index_in(space.axes[axis], settings);
    if (!index) return std::nullopt;
    point.set(axis, *index);
  }
  return point;
}

}  // namespace

cache::SharedRun read_own_run(const std::filesystem::path& file) {
  try {
    cache::Incoming incoming = cache::read_exchange(read_space_text(file));
    if (incoming.runs.size() == 1) return std::move(incoming.runs.front());
    throw UsageError("it holds no run");
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}; --start is about spaces that redtune tune --record wrote",
                                 file.string(), error.what()));
  }
}

std::vector<search::Point> start_points(const RecordedSpace& space, const cache::SharedRun& run,
                                        std::span<const cache::SharedRun> others) {
  const kernels::Family& family = kernels::find_family(run.start.family);
  const Limits limits = runtime::limits_of(run.start.device);
  const Problem& problem = run.start.problem;
  std::vector<Settings> all{family.default_settings(problem, limits)};
  std::vector<cache::StoredBest> stored;
  for (const cache::SharedRun& other : others) {
    if (auto winner = winner_of(other)) stored.push_back(std::move(*winner));
  }
  for (auto& winner : nearest_winners(question_of(run.start), family, limits, stored)) {
    all.push_back(std::move(winner.best.settings));
  }
  for (auto& shape : family.known_shapes(problem, limits, run.start.device.device_class.isa)) {
    all.push_back(std::move(shape));
  }
  // What no axis tells apart may differ all the same: only what was tried counts.
  std::set<search::Point> tried;
  for (const auto& [trial, at] : run.trials) tried.insert(family.point_of(trial.settings));
  std::vector<search::Point> points;
  for (const Settings& settings : all) {
    const auto point = point_of(space, settings);
    if (point && tried.contains(family.point_of(settings))) points.push_back(*point);
  }
  return points;
}

}  // namespace redtune::tuner
