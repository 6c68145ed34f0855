// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The part of Tuner that compiles what a problem begins with, all of it at a time: before the
// device is probed, or while it is busy with the problem before. The kernels are kept among the
// compiled ones, where they are looked for; what its search has to think of before it asks is kept
// for it. No run exists yet: what a compiler refuses or dies of is found out, and written down, by
// the search.
#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "cache/files/paths.hpp"
#include "kernel_templates/probe/probe.hpp"
#include "search/registry.hpp"
#include "tuner/compile/config_programs.hpp"
#include "tuner/session/asks.hpp"
#include "tuner/session/groundwork.hpp"
#include "tuner/session/sources.hpp"
#include "tuner/session/warm_start.hpp"
#include "tuner/tuner.hpp"
#include "tuner/worker/bench_programs.hpp"

namespace redtune::tuner {
namespace {

/// What a search asks for before it tries any, as it is compiled together; what it tries first is
/// the first. Never empty.
using FirstAsks = std::vector<std::vector<ConfigProgram>>;

FirstAsks first_asks(const TuneRequest& request, const std::vector<cache::Exclusion>& excluded) {
  const kernels::Family& family = *request.family;
  const auto programs = [&](std::span<const search::Point> points) {
    std::vector<Settings> configs;
    for (const search::Point& point : points) {
      Settings settings = family.settings_at(point);
      const bool is_excluded =
          std::ranges::find(excluded, settings, &cache::Exclusion::settings) != excluded.end();
      if (!is_excluded) configs.push_back(std::move(settings));
    }
    return programs_of(family, request.problem, request.limits, configs);
  };
  FirstAsks asks;
  const std::vector<search::Point> points = asked_at_first(request);
  for (const auto& some : compiled_together(points, request.asks.batch)) {
    asks.push_back(programs(some));
  }
  if (asks.empty()) asks.emplace_back();
  return asks;
}

}  // namespace

/// As far as it is known before its turn: the winner of the run that is about to end is likely its
/// fastest.
TuneRequest Tuner::request_ahead(const TuneTask& task, const Ending* ending) const {
  TuneRequest request = request_for(task);
  if (!task.starts_warm) return request;
  const kernels::Family& family = *request.family;
  const cache::Question question = cache::question_of(start_of(task));
  std::vector<cache::StoredBest> winners = store_.store.results().entries;
  if (ending != nullptr) winners.push_back(ending->fastest);
  for (cache::StoredBest& near : nearest_winners(question, family, request.limits, winners)) {
    request.start.push_back(std::move(near.best.settings));
  }
  if (search::find_strategy(request.strategy).uses_sources) {
    const auto run = ending == nullptr ? std::nullopt : std::optional(ending->run);
    request.sources = sources_ahead(store_.store, question, run, family);
  }
  return request;
}

/// Again of the same task, later: what is known better now may ask for others, which come in
/// addition.
void Tuner::compile_first_of(const TuneTask& task, When when, const Ending* ending) {
  if (!compiles_behind()) return;
  const bool is_first = first_kernels_.of != task.problem;
  if (is_first) drop_first_kernels();
  if (is_first && when == When::later) {  // what the search that is on asks for goes before
    first_kernels_.later = std::make_shared<Compilers::Later>(setup_.compilers);
  }
  try {
    if (known(task)) return;
    const Limits& limits = device().limits;
    std::vector<ConfigProgram> support;
    if (is_first) support = bench_programs(task.problem, task.seed, limits);
    if (is_first && !probe_ && is_probed(task.problem)) {
      support.push_back({kernels::probe_text(), {probe_unit(ProbeLevel::quick, limits)}, {}});
    }
    first_kernels_.of = task.problem;
    const auto binaries = std::make_shared<const cache::Binaries>(cache::binaries_folder());
    const CompilePool compilers =
        compilers_for(task.problem, *binaries).for_later(first_kernels_.later);
    const auto behind = [](Compiling& kernels, auto work) {
      kernels.push_back(std::async(std::launch::async, std::move(work)).share());
    };
    for (ConfigProgram& program : support) {
      behind(first_kernels_.support,
             [binaries, pool = compilers.with_text(program.text),
              units = std::move(program.units)] { (void)pool.compile(units); });
    }
    // Who asks for what takes thinking, which nobody waits for either.
    TuneRequest request = request_ahead(task, ending);
    const std::shared_future<SharedGroundwork> groundwork =
        std::async(std::launch::async, [request, earlier = first_kernels_.groundwork]() mutable {
          try {
            if (earlier.valid()) request.groundwork = earlier.get();
          } catch (const std::exception&) {
            // It is laid anew.
          }
          return groundwork_of(request);
        });
    first_kernels_.groundwork = groundwork;
    const std::shared_future<FirstAsks> asks = std::async(
        std::launch::async,
        [request = std::move(request), groundwork,
         excluded = store_.store.exclusions(cache::question_of(start_of(task)))]() mutable {
          request.groundwork = groundwork.get();
          return first_asks(request, excluded);
        });
    behind(first_kernels_.first,
           [binaries, compilers, asks] { (void)compile_all(compilers, asks.get().front()); });
    first_kernels_.further_work = [binaries, compilers, asks, first = first_kernels_.first.back()] {
      first.wait();  // which is needed before
      // Each by itself, as its search will compile them: all together would share programs.
      std::vector<std::future<void>> compiling;
      for (const std::vector<ConfigProgram>& some : std::span(asks.get()).subspan(1)) {
        compiling.push_back(std::async(
            std::launch::async, [&compilers, &some] { (void)compile_all(compilers, some); }));
      }
      for (std::future<void>& some : compiling) some.get();
    };
    if (ending != nullptr) compile_further();
  } catch (const std::exception&) {
    // Whatever is wrong with the problem is told when it is its turn.
  }
}

Tuner::SharedGroundwork Tuner::take_groundwork() {
  const auto groundwork = std::exchange(first_kernels_.groundwork, {});
  if (!groundwork.valid()) return nullptr;
  const auto span = watch_.during(Activity::choose);
  try {
    return groundwork.get();
  } catch (const std::exception&) {
    return nullptr;  // the search lays its own
  }
}

void Tuner::drop_first_kernels() {
  if (first_kernels_.later) first_kernels_.later->is_now();
  first_kernels_ = {};
}

void Tuner::compile_further() {
  if (auto work = std::exchange(first_kernels_.further_work, {})) {
    first_kernels_.further.push_back(std::async(std::launch::async, std::move(work)).share());
  }
}

void Tuner::await(Compiling& kernels) {
  const auto span = watch_.during(Activity::compile);
  for (const std::shared_future<void>& some : std::exchange(kernels, {})) {
    try {
      some.get();
    } catch (const std::exception&) {
      // Likewise.
    }
  }
}

}  // namespace redtune::tuner
