// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/simulate/start.hpp"

#include <algorithm>
#include <charconv>
#include <exception>
#include <fmt/format.h>
#include <optional>
#include <set>

#include "cache/exchange/exchange.hpp"
#include "cli/names.hpp"
#include "kernel_templates/family/family.hpp"
#include "redtune/error.hpp"
#include "runtime/resolve.hpp"
#include "search/registry.hpp"
#include "search/replay/read_space.hpp"
#include "search/replay/replay.hpp"
#include "tuner/session/sources.hpp"
#include "tuner/session/warm_start.hpp"

namespace redtune::cli {
namespace {

constexpr std::size_t usual_evaluations = 128;  ///< of 'redtune tune'

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
std::optional<std::size_t> index_in(const search::RecordedAxis& axis, const Settings& settings) {
  const auto setting = std::ranges::find(settings, axis.name, &Setting::name);
  if (setting == settings.end()) return std::nullopt;
  for (std::size_t index = 0; index < axis.values.size(); ++index) {
    if (search::to_text(axis.values[index]) == setting->value) return index;
  }
  return std::nullopt;
}

std::optional<search::Point> point_of(const search::RecordedSpace& space,
                                      const Settings& settings) {
  search::Point point = search::Point::of_size(space.axes.size());
  for (std::size_t axis = 0; axis < space.axes.size(); ++axis) {
    const auto index = index_in(space.axes[axis], settings);
    if (!index) return std::nullopt;
    point.set(axis, *index);
  }
  return point;
}

/// A number where it is one, as in a recording.
search::AxisValue value_of(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) return number;
  return text;
}

/// What the point sets; the rest, in which no config of the recording differs, as in `constants`.
Settings settings_of(const search::RecordedSpace& space, const search::Point& point,
                     const Settings& constants) {
  Settings settings = constants;
  for (std::size_t axis = 0; axis < space.axes.size(); ++axis) {
    const auto setting = std::ranges::find(settings, space.axes[axis].name, &Setting::name);
    if (setting != settings.end())
      setting->value = search::to_text(space.axes[axis].values[point[axis]]);
  }
  return settings;
}

}  // namespace

search::RecordedSpace in_family_axes(const search::RecordedSpace& space,
                                     const cache::SharedRun& run) try {
  if (run.trials.empty()) throw UsageError("it has no trials");
  const kernels::Family& family = kernels::find_family(run.start.family);
  search::RecordedSpace own = space;
  own.axes.clear();
  for (const kernels::TunableInfo& tunable : family.tunables()) {
    search::RecordedAxis axis{tunable.name, {}, true};
    for (const std::string& value : tunable.values) {
      axis.values.push_back(value_of(value));
      if (!std::holds_alternative<double>(axis.values.back())) axis.is_ordered = false;
    }
    own.axes.push_back(std::move(axis));
  }
  own.products = family.products();
  std::map<search::Point, search::Record> records;
  for (std::size_t i = 0; i < space.points.size(); ++i) {
    const Settings settings =
        settings_of(space, space.points[i], run.trials.front().trial.settings);
    records.emplace(family.point_of(settings), space.records[i]);
  }
  own.points.clear();
  own.records.clear();
  for (auto& [point, record] : records) {
    own.points.push_back(point);
    own.records.push_back(std::move(record));
  }
  return own;
} catch (const UsageError& error) {
  const bool is_kernel = run.start.problem.op == Op::kernel;
  throw UsageError(
      fmt::format("{}: {}; {}, or leave --start out", space.name, error.what(),
                  is_kernel ? "name that file by --kernel" : "record it again with this version"));
}

search::StrategyOptions shipped_start(const search::RecordedSpace& space,
                                      const cache::SharedRun& run) {
  const auto is_this = [&](const cache::Question& shipped) {
    return shipped.problem == run.start.problem;
  };
  auto sources =
      shipped_sources(question_of(run.start), kernels::find_family(run.start.family), is_this);
  if (sources.empty()) {
    throw UsageError(fmt::format(
        "{}: no trials of other problems ship for this platform; use --start shapes", space.name));
  }
  keep_nearest(sources);
  return {.start = space.start, .sources = std::move(sources)};
}

TunedBefore::TunedBefore(std::vector<search::RecordedSpace> spaces,
                         std::vector<cache::SharedRun> recordings, std::uint64_t seed)
    : spaces_(std::move(spaces)), recordings_(std::move(recordings)), seed_(seed) {
  for (const search::RecordedSpace& space : spaces_) searched_.push_back(search::space_of(space));
}

cache::SharedRun TunedBefore::tune(std::size_t space, std::size_t run) const {
  const search::RecordedSpace& recorded = spaces_[space];
  const std::uint64_t seed = search::seed_of(seed_, recorded.fingerprint(), "tuned before", run);
  const auto strategy =
      search::make_strategy("auto", searched_[space], {.seed = seed, .start = recorded.start});
  search::ReplayTerms terms;
  terms.evaluations = usual_evaluations;
  const kernels::Family& family = kernels::find_family(recordings_[space].start.family);
  cache::SharedRun tuned{.start = recordings_[space].start};
  for (const std::uint32_t place :
       search::replay({recorded, searched_[space]}, *strategy, seed, terms).evaluated) {
    cache::StoredTrial& one = tuned.trials.emplace_back();
    one.trial.settings = family.settings_at(recorded.points[place]);
    const auto cost = recorded.records[place].cost;
    if (cost) one.trial.time_us = Interval{*cost, *cost, *cost};
  }
  return tuned;
}

TunedBefore::Tuned TunedBefore::tuned(std::size_t space, std::size_t run) {
  std::promise<cache::SharedRun> promise;
  {
    const std::lock_guard lock(mutex_);
    const auto [place, is_new] = tuned_.try_emplace({space, run});
    if (!is_new) return place->second;
    place->second = promise.get_future().share();
  }
  try {
    promise.set_value(tune(space, run));
  } catch (...) {
    promise.set_exception(std::current_exception());
  }
  const std::lock_guard lock(mutex_);
  return tuned_.at({space, run});
}

search::StrategyOptions TunedBefore::operator()(std::size_t space, std::size_t run) {
  std::vector<cache::SharedRun> others;
  for (std::size_t other = 0; other < spaces_.size(); ++other) {
    if (other != space) others.push_back(tuned(other, run).get());
  }
  const cache::Question asked = question_of(recordings_[space].start);
  const kernels::Family& family = kernels::find_family(recordings_[space].start.family);
  search::StrategyOptions options{.start =
                                      start_points(spaces_[space], recordings_[space], others)};
  for (const cache::SharedRun& other : others) {
    std::vector<cache::Trial> trials;
    for (const cache::StoredTrial& one : other.trials) trials.push_back(one.trial);
    auto source = source_of(asked, question_of(other.start), trials, family);
    if (source) options.sources.push_back(std::move(*source));
  }
  keep_nearest(options.sources);
  return options;
}

cache::SharedRun read_own_run(const std::filesystem::path& file) {
  try {
    cache::Incoming incoming = cache::read_exchange(search::read_space_text(file));
    if (incoming.runs.size() == 1) return std::move(incoming.runs.front());
    throw UsageError("it is not the recording of a run");
  } catch (const UsageError& error) {
    throw UsageError(
        fmt::format("{}: {}; --start takes only spaces that redtune tune --record wrote",
                    file.string(), error.what()));
  }
}

std::vector<search::Point> start_points(const search::RecordedSpace& space,
                                        const cache::SharedRun& run,
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
    const bool is_new = point && std::ranges::find(points, *point) == points.end();
    if (is_new && tried.contains(family.point_of(settings))) points.push_back(*point);
  }
  return points;
}

}  // namespace redtune::cli
