// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The part of Tuner that compiles what a search begins with: while the device is opened and probed,
// or busy with the problem before.
#include <algorithm>
#include <iterator>

#include "cache/files/paths.hpp"
#include "tuner/session/search_phase.hpp"
#include "tuner/session/warm_start.hpp"
#include "tuner/tuner.hpp"

namespace redtune::tuner {

/// They are kept among the compiled kernels, where the search looks for them.
void Tuner::compile_first_of(const TuneTask& task) {
  if (!compiles_behind()) return;
  try {
    const kernels::Family& family = kernels::family_of(task.problem);
    const Limits& limits = device().limits;
    const cache::Question question = cache::question_of(start_of(task));
    std::vector<Settings> first{family.default_settings(task.problem, limits)};
    if (task.starts_warm) {
      for (cache::StoredBest& near :
           nearest_winners(question, family, limits, store_.store.bests().entries)) {
        first.push_back(std::move(near.best.settings));
      }
    }
    std::ranges::move(family.known_shapes(task.problem, limits, question.device_class.isa),
                      std::back_inserter(first));
    for (const cache::Exclusion& excluded : store_.store.exclusions(question)) {
      std::erase(first, excluded.settings);
    }
    first.resize(std::min(first.size(), least_batch));
    std::vector<CompileUnit> units;
    for (const Settings& settings : first) {
      units.push_back(family.name_expressions(settings, task.problem, limits.wave_size));
    }
    first_kernels_ =
        std::async(std::launch::async, [this, problem = task.problem, units = std::move(units)] {
          const cache::Binaries binaries(cache::binaries_folder());
          (void)compilers_for(problem, binaries).compile(units);
        });
  } catch (const std::exception&) {
    // Whatever is wrong with the problem is told when it is its turn.
  }
}

void Tuner::await_first_kernels() {
  if (!first_kernels_.valid()) return;
  const auto span = watch_.during(Activity::compile);
  try {
    first_kernels_.get();
  } catch (const std::exception&) {
    // Likewise.
  }
}

}  // namespace redtune::tuner
