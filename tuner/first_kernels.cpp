// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The part of Tuner that compiles what a problem begins with, all of it at a time: before the
// device is probed, or while it is busy with the problem before. The kernels are kept among the
// compiled ones, where they are looked for. No run exists yet: what a compiler refuses or dies of
// is found out, and written down, by the search.
#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "cache/files/paths.hpp"
#include "kernel_templates/probe/fill.hpp"
#include "kernel_templates/probe/pace.hpp"
#include "kernel_templates/probe/probe.hpp"
#include "kernel_templates/probe/surroundings.hpp"
#include "tuner/compile/config_programs.hpp"
#include "tuner/measure/input_filler.hpp"
#include "tuner/measure/surroundings.hpp"
#include "tuner/session/search_phase.hpp"
#include "tuner/session/warm_start.hpp"
#include "tuner/tuner.hpp"

namespace redtune::tuner {
namespace {

/// What every bench needs, whatever it measures.
std::vector<ConfigProgram> support_of(const TuneTask& task, const Limits& limits) {
  std::vector<ConfigProgram> programs{{kernels::surroundings_text(), surrounding_units(limits), {}},
                                      {kernels::pace_text(), {{kernels::pace_name(limits)}}, {}}};
  const bool is_reduction = task.problem.op != Op::kernel;
  if (is_reduction && input_bytes(task.problem) >= least_filled_bytes) {
    const Recipe recipe = recipe_of(task.problem, task.seed);
    programs.push_back(
        {kernels::fill_text(), {{kernels::fill_name(recipe.type, recipe.pattern, limits)}}, {}});
  }
  return programs;
}

}  // namespace

/// The default, winners of problems like it and known shapes: what its search asks for first.
std::vector<Settings> Tuner::first_asks_of(const TuneTask& task) const {
  const kernels::Family& family = kernels::family_of(task.problem);
  const Limits& limits = device().limits;
  const cache::Question question = cache::question_of(start_of(task));
  std::vector<Settings> first{reference_config(family, task.problem, limits, task.only)};
  if (task.starts_warm) {
    for (cache::StoredBest& near :
         nearest_winners(question, family, limits, store_.store.bests().entries)) {
      first.push_back(std::move(near.best.settings));
    }
  }
  std::ranges::move(family.known_shapes(task.problem, limits, question.device_class.isa),
                    std::back_inserter(first));
  std::erase_if(first, [&](const Settings& settings) { return !fits(settings, task.only); });
  for (const cache::Exclusion& excluded : store_.store.exclusions(question)) {
    std::erase(first, excluded.settings);
  }
  std::vector<Settings> once;
  for (Settings& settings : first) {
    if (once.size() == least_batch) break;
    if (std::ranges::find(once, settings) == once.end()) once.push_back(std::move(settings));
  }
  return once;
}

void Tuner::compile_first_of(const TuneTask& task) {
  if (!compiles_behind()) return;
  first_kernels_ = {};  // waits for what nobody has waited for
  try {
    if (known(task)) return;
    const Limits& limits = device().limits;
    std::vector<ConfigProgram> programs = support_of(task, limits);
    std::ranges::move(
        programs_of(kernels::family_of(task.problem), task.problem, limits, first_asks_of(task)),
        std::back_inserter(programs));
    if (!probe_ && is_probed(task.problem)) {
      programs.push_back({kernels::probe_text(), {probe_unit(ProbeLevel::quick, limits)}, {}});
    }
    first_kernels_.of = task.problem;
    const auto binaries = std::make_shared<const cache::Binaries>(cache::binaries_folder());
    const CompilePool compilers = compilers_for(task.problem, *binaries);
    for (ConfigProgram& program : programs) {
      first_kernels_.compiling.push_back(std::async(
          std::launch::async, [binaries, pool = compilers.with_text(program.text),
                               units = std::move(program.units)] { (void)pool.compile(units); }));
    }
  } catch (const std::exception&) {
    // Whatever is wrong with the problem is told when it is its turn.
  }
}

void Tuner::await_first_kernels() {
  const auto span = watch_.during(Activity::compile);
  for (std::future<void>& kernels : std::exchange(first_kernels_, {}).compiling) {
    try {
      kernels.get();
    } catch (const std::exception&) {
      // Likewise.
    }
  }
}

}  // namespace redtune::tuner
