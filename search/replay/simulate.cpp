// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "search/replay/simulate.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <fmt/format.h>
#include <functional>
#include <mutex>
#include <thread>

#include "redtune/error.hpp"
#include "search/registry.hpp"

namespace redtune::search {
namespace {

/// Calls work(0) ... work(count - 1), each once, on so many threads, this one among them, which
/// tells how many are done. Throws what one of them threw.
void for_each_on_threads(std::size_t count, unsigned threads,
                         const std::function<void(std::size_t)>& work,
                         const SimulationProgress& progress = {}) {
  std::atomic<std::size_t> next = 0;
  std::atomic<std::size_t> done = 0;
  const auto caller = std::this_thread::get_id();
  std::exception_ptr failure;
  std::mutex failing;
  const auto take = [&] {
    try {
      for (std::size_t i = next++; i < count; i = next++) {
        work(i);
        const std::size_t so_far = ++done;
        if (progress && std::this_thread::get_id() == caller) progress(so_far, count);
      }
    } catch (...) {
      const std::lock_guard lock(failing);
      if (!failure) failure = std::current_exception();
      next = count;
    }
  };
  {
    std::vector<std::jthread> others;
    for (unsigned i = 1; i < std::min<std::size_t>(threads, count); ++i) others.emplace_back(take);
    take();
  }
  if (failure) std::rethrow_exception(failure);
}

/// Configurations without a time are taken to need as long as the others.
void fill_seconds(RecordedSpace& space) {
  double sum = 0;
  std::size_t count = 0;
  for (const Record& record : space.records) {
    sum += record.seconds.value_or(0);
    count += record.seconds ? 1 : 0;
  }
  if (sum == 0) {
    throw UsageError(
        fmt::format("{} does not say how long compiling and running took; leave --cost seconds out",
                    space.name));
  }
  for (Record& record : space.records) {
    if (!record.seconds) record.seconds = sum / static_cast<double>(count);
  }
}

/// How long runs go: as far as the score and the milestones need, unless a budget was named.
ReplayTerms replay_terms(const SimulatedSpace& space, const SimulationTerms& terms) {
  ReplayTerms replay{.asks = terms.asks, .noise = terms.noise};
  const bool in_seconds = terms.unit == CostUnit::seconds;
  if (terms.budget) {
    if (in_seconds)
      replay.seconds = static_cast<double>(*terms.budget);
    else
      replay.evaluations = *terms.budget;
    return replay;
  }
  replay.evaluations = std::max(milestones.back(), in_seconds ? std::size_t{0} : space.window.last);
  if (in_seconds) {
    const Scorer scorer(space.recorded, space.scale, space.window, terms.unit);
    replay.seconds = scorer.mean_seconds() * static_cast<double>(space.window.last);
  }
  return replay;
}

SimulatedSpace prepared(RecordedSpace recorded, const SimulationTerms& terms) {
  if (terms.unit == CostUnit::seconds) fill_seconds(recorded);
  search::Space space = space_of(recorded);
  Scale scale(recorded);
  const Window window = window_of(scale, terms.percentile);
  std::vector<Result> results(terms.strategies.size());
  for (Result& result : results) result.runs.resize(terms.runs);
  return {std::move(recorded), std::move(space), std::move(scale), window, std::move(results)};
}

void summarise(const SimulatedSpace& space, Result& result, const SimulationTerms& terms,
               std::uint64_t seed) {
  const Scorer scorer(space.recorded, space.scale, space.window, terms.unit);
  result.score = scorer.score(result.runs, seed);
  for (std::size_t i = 0; i < milestones.size(); ++i) {
    result.found[i] = found_share(space.recorded, space.scale, result.runs, milestones[i]);
  }
  double us = 0;
  std::size_t evaluations = 0;
  for (const ReplayedRun& run : result.runs) {
    us += run.strategy_us;
    evaluations += run.evaluated.size();
  }
  result.strategy_us = evaluations == 0 ? 0 : us / static_cast<double>(evaluations);
}

}  // namespace

Simulation simulate(std::vector<RecordedSpace> spaces, const SimulationTerms& terms,
                    const KnownBefore& known_before, const SimulationProgress& progress) {
  Simulation all{terms, {}};
  for (RecordedSpace& space : spaces) all.spaces.push_back(prepared(std::move(space), terms));
  const unsigned threads =
      terms.threads != 0 ? terms.threads : std::max(1U, std::thread::hardware_concurrency());
  const std::size_t strategies = terms.strategies.size();
  std::vector<std::uint64_t> fingerprints;
  for (const SimulatedSpace& space : all.spaces) {
    fingerprints.push_back(space.recorded.fingerprint());
  }
  for_each_on_threads(
      all.spaces.size() * strategies * terms.runs, threads,
      [&](std::size_t job) {
        const std::size_t place = job / (strategies * terms.runs);
        const std::size_t strategy = job / terms.runs % strategies;
        const std::size_t run = job % terms.runs;
        SimulatedSpace& space = all.spaces[place];
        const std::string& name = terms.strategies[strategy];
        const std::uint64_t seed = seed_of(terms.seed, fingerprints[place], name, run);
        search::StrategyOptions options{.start = space.recorded.start};
        if (known_before) options = known_before(place, run);
        options.seed = seed;
        const auto made = search::make_strategy(name, space.space, options);
        space.results[strategy].runs[run] =
            replay({space.recorded, space.space}, *made, seed, replay_terms(space, terms));
      },
      progress);
  for_each_on_threads(all.spaces.size() * strategies, threads, [&](std::size_t job) {
    SimulatedSpace& space = all.spaces[job / strategies];
    summarise(space, space.results[job % strategies], terms, terms.seed);
  });
  return all;
}

MeanResult mean_over_spaces(const Simulation& simulation, std::size_t strategy) {
  const auto count = static_cast<double>(simulation.spaces.size());
  MeanResult mean;
  mean.score = Score{};
  mean.found.fill(0);
  double variance = 0;
  for (const SimulatedSpace& space : simulation.spaces) {
    const Result& result = space.results[strategy];
    if (!result.score) mean.score.reset();
    if (mean.score) {
      mean.score->value += result.score->value / count;
      variance += result.score->deviation * result.score->deviation;
    }
    for (std::size_t i = 0; i < milestones.size(); ++i) {
      if (!result.found[i]) mean.found[i].reset();
      if (mean.found[i]) *mean.found[i] += *result.found[i] / count;
    }
    mean.strategy_us += result.strategy_us / count;
  }
  // The runs on different spaces know nothing of each other: their variances add.
  if (mean.score) mean.score->deviation = std::sqrt(variance) / count;
  return mean;
}

}  // namespace redtune::search
