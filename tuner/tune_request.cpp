// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a task asks of the search, of the compilers and of the timer.
#include <algorithm>

#include "runtime/compiled_unit_cache.hpp"
#include "search/budget.hpp"
#include "search/registry.hpp"
#include "tuner/session/asks.hpp"
#include "tuner/tuner.hpp"

namespace redtune::tuner {
namespace {

std::optional<double> enough_of(const TuneTask& task) {
  if (task.good_enough.empty()) return std::nullopt;
  return good_enough_us(task.good_enough, task.problem);
}

}  // namespace

TuneRequest Tuner::request_for(const TuneTask& task) const {
  TuneRequest request{.family = &kernels::family_of(task.problem),
                      .problem = task.problem,
                      .limits = device().limits,
                      .isa = device().identity.device_class.isa,
                      .strategy = task.strategy,
                      .seed = task.seed,
                      .budget = search::parse_budget(task.budget),
                      .only = task.only,
                      .good_enough_us = enough_of(task),
                      .stop = &Stop::asked()};
  request.asks = ask_sizes(request.budget, compiles_behind());
  if (!search::find_strategy(request.strategy).learns) {  // then compilers can be kept busy
    request.asks.batch =
        std::max(request.asks.batch, 4 * static_cast<std::size_t>(setup_.compilers->jobs()));
    request.asks.first = 0;
  }
  return request;
}

CompilePool Tuner::compilers_for(const Problem& problem, const cache::Binaries& binaries) const {
  return CompilePool({.platform = device().platform,
                      .arch = device().arch,
                      .text = kernels::family_of(problem).device_text(problem),
                      .binaries = &binaries,
                      .toolchain = runtime::toolchain_text(device().identity),
                      .stop = stop_.now()},
                     setup_.compile_worker, setup_.compilers);
}

MeasureTask Tuner::measuring(const TuneTask& task, const Probe& probe) const {
  const Problem& problem = task.problem;
  const std::int64_t cache_bytes = device().identity.device_class.last_level_cache_bytes;
  const bool is_brief = search::parse_budget(task.budget).is_brief;
  return {.bytes = kernels::family_of(problem).bytes_moved(problem),
          .peak_bytes_per_us = 1e3 * most_gbps(problem, probe, cache_bytes),
          .seed = task.seed,
          .in_full = task.is_recorded,
          .is_cold = problem.cache_mode == CacheMode::cold,
          // A host always does other things as well; its result says how sure it is.
          .accept_noise = task.accepts_noise || device().platform == "host",
          .is_brief = is_brief,
          .knows_clock = checked_.clock,
          .knows_lengths = is_brief && checked_.lengths.contains(problem.cache_mode)};
}

}  // namespace redtune::tuner
