// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/session/sources.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "tuner/session/restriction.hpp"
#include "tuner/session/warm_start.hpp"
#include "tuner/shipped/shipped_trials.hpp"
#include "tuner/text/counted.hpp"

namespace redtune::tuner {
namespace {

constexpr std::size_t fewest_trials = 8;

double nearness_of(double distance) {
  return 1 / (1 + distance);
}

using Counts = std::function<bool(const cache::RunSummary&)>;

/// The latest of each question of the runs that count, the nearest first; of equally near ones the
/// latest.
std::vector<cache::RunSummary> nearest_runs(const cache::Store& store, const cache::Question& asked,
                                            const Counts& counts) {
  std::map<cache::Question, cache::RunSummary> latest;
  for (const cache::RunSummary& run : store.runs()) {
    if (!counts(run) || is_restricted(run.start)) continue;
    const cache::Question question = cache::question_of(run.start);
    if (!distance(asked, question)) continue;
    const auto [known, is_new] = latest.try_emplace(question, run);
    if (!is_new && known->second.id < run.id) known->second = run;
  }
  std::vector<std::pair<double, cache::RunSummary>> runs;
  for (auto& [question, run] : latest) {
    runs.emplace_back(distance(asked, question).value(), std::move(run));
  }
  std::ranges::sort(runs, [](const auto& one, const auto& other) {
    if (one.first != other.first) return one.first < other.first;
    return one.second.id > other.second.id;
  });
  std::vector<cache::RunSummary> nearest;
  for (auto& [far, run] : runs) nearest.push_back(std::move(run));
  return nearest;
}

/// Of what ships, too.
std::vector<search::SourceTask> sources_of(const cache::Store& store, const cache::Question& asked,
                                           const kernels::Family& family, const Counts& counts) {
  std::vector<search::SourceTask> sources;
  std::vector<cache::Question> told_here;
  for (const cache::RunSummary& run : nearest_runs(store, asked, counts)) {
    if (sources.size() == most_sources) break;
    cache::Question question = cache::question_of(run.start);
    auto source = source_of(asked, question, store.trials(run.id), family);
    if (!source) continue;
    sources.push_back(std::move(*source));
    told_here.push_back(std::move(question));
  }
  // Of what ships, what is told here and what is too far need not be turned into points.
  const double least = sources.size() == most_sources ? sources.back().nearness : 0;
  const auto is_left_out = [&](const cache::Question& shipped) {
    const auto far = distance(asked, shipped);
    if (!far || nearness_of(*far) <= least) return true;
    return std::ranges::any_of(told_here, [&](const cache::Question& here) {
      return here.problem == shipped.problem && here.device_class == shipped.device_class;
    });
  };
  std::ranges::move(shipped_sources(asked, family, is_left_out), std::back_inserter(sources));
  keep_nearest(sources);
  return sources;
}

}  // namespace

std::optional<search::SourceTask> source_of(const cache::Question& asked,
                                            const cache::Question& other,
                                            std::span<const cache::Trial> trials,
                                            const kernels::Family& family) {
  const auto far = distance(asked, other);
  if (!far) return std::nullopt;
  std::map<search::Point, double> costs;
  for (const cache::Trial& trial : trials) {
    const auto point = kernels::known_point(family, trial.settings);
    if (!point) continue;
    if (trial.time_us)
      costs.insert_or_assign(*point, trial.time_us->median);
    else
      costs.erase(*point);  // it was disqualified later
  }
  if (costs.size() < fewest_trials) return std::nullopt;
  search::SourceTask source{.observations = {}, .nearness = nearness_of(*far)};
  for (const auto& [point, cost] : costs) source.observations.push_back({point, cost});
  return source;
}

std::vector<search::SourceTask> shipped_sources(const cache::Question& asked,
                                                const kernels::Family& family,
                                                const LeftOut& is_left_out) {
  std::vector<search::SourceTask> sources;
  for (const ShippedTrials& one : shipped_trials()) {
    if (is_left_out && is_left_out(one.question)) continue;
    auto source = source_of(asked, one.question, one.trials, family);
    if (source) sources.push_back(std::move(*source));
  }
  return sources;
}

void keep_nearest(std::vector<search::SourceTask>& sources) {
  std::ranges::stable_sort(sources, std::ranges::greater{}, &search::SourceTask::nearness);
  if (sources.size() > most_sources) sources.resize(most_sources);
}

std::vector<search::SourceTask> sources_for(const cache::Store& store, const Journal& journal,
                                            const kernels::Family& family) {
  const auto own = store.run(journal.run());
  return sources_of(store, journal.question(), family, [&](const cache::RunSummary& run) {
    const bool had_ended = !run.finished_at.empty() && own && run.finished_at <= own->started_at;
    return had_ended && run.id != journal.run();
  });
}

std::vector<search::SourceTask> sources_ahead(const cache::Store& store,
                                              const cache::Question& asked,
                                              std::optional<cache::RunId> ending,
                                              const kernels::Family& family) {
  return sources_of(store, asked, family, [&](const cache::RunSummary& run) {
    return !run.finished_at.empty() || run.id == ending;
  });
}

std::string describe(std::span<const search::SourceTask> sources) {
  std::size_t trials = 0;
  for (const search::SourceTask& source : sources) trials += source.observations.size();
  return fmt::format("guided by {} of {}", counted(static_cast<std::size_t>(trials), "trial"),
                     sources.size() == 1
                         ? "1 problem like this one"
                         : fmt::format("{} problems like this one", sources.size()));
}

}  // namespace redtune::tuner
