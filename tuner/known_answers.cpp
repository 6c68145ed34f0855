// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What the store knows of a task before it is run: the answer, the run to go on with, and why an
// answer does not end the matter.
#include <fmt/format.h>

#include "cache/keys/key.hpp"
#include "redtune/version.hpp"
#include "runtime/protocol_version.hpp"
#include "runtime/space_key.hpp"
#include "tuner/session/added_values.hpp"
#include "tuner/tuner.hpp"

namespace redtune::tuner {

cache::RunStart Tuner::start_of(const TuneTask& task) const {
  const kernels::Family& family = kernels::family_of(task.problem);
  return {.family = std::string(family.name()),
          .space_key = runtime::space_key(family),
          .problem = task.problem,
          .device = device().identity,
          // One that is restricted is another search, and is not gone on with by any other.
          .strategy = strategy_with(task.strategy, task.only),
          .seed = task.seed,
          .budget = task.budget,
          .program_version = version,
          .command_line = task.command_line};
}

std::optional<cache::StoredBest> Tuner::stored_answer(const cache::RunStart& start) const {
  auto best = store_.store.best(cache::question_of(start));
  const kernels::Family& family = kernels::family_of(start.problem);
  const bool can_run =
      best && family.why_invalid(best->best.settings, start.problem, device().limits).empty();
  return can_run ? std::move(best) : std::nullopt;
}

std::optional<cache::StoredBest> Tuner::answer_to_beat(const TuneTask& task) const {
  return task.only.empty() ? stored_answer(start_of(task)) : std::nullopt;
}

std::optional<cache::StoredBest> Tuner::known(const TuneTask& task) const {
  require_fit(task.problem, device().identity);
  if (task.is_fresh || task.is_recorded || !task.only.empty()) return std::nullopt;
  const cache::RunStart start = start_of(task);
  auto best = stored_answer(start);
  if (!best) return std::nullopt;
  // What a run published that ended early is the best it saw; its search is still to be finished.
  const auto run = store_.store.run(best->run);
  if (run && cache::ended_early(run->state)) return std::nullopt;
  // And so is one that somebody began afresh since.
  const auto later = store_.store.resumable(start);
  if (later && *later > best->run) return std::nullopt;
  if (!grown_since(best, task).added.empty()) return std::nullopt;
  return best;
}

std::optional<cache::RunId> Tuner::resumable(const TuneTask& task) const {
  if (task.is_fresh) return std::nullopt;
  const cache::RunStart start = start_of(task);
  const auto early = store_.store.resumable(start);
  return early ? early : grown_since(answer_to_beat(task), task).run;
}

Tuner::Grown Tuner::grown_since(const std::optional<cache::StoredBest>& best,
                                const TuneTask& task) const {
  if (!best || task.is_fresh) return {};
  Grown grown{added_values(kernels::family_of(task.problem), best->best), std::nullopt};
  if (!grown.added.empty() && store_.store.is_finished(best->run, start_of(task))) {
    grown.run = best->run;
  }
  return grown;
}

std::string Tuner::why_tuned_anew(const cache::RunStart& start) const {
  const std::string problem = cache::key_of(start.problem).hash;
  for (const cache::StoredBest& known : store_.store.results().entries) {
    const bool is_same = known.best.protocol < protocol_version &&
                         known.question.family == start.family &&
                         known.question.device_class == start.device.device_class &&
                         cache::key_of(known.question.problem).hash == problem;
    if (!is_same) continue;
    return fmt::format(
        "the answer of {} was timed back to back with itself (protocol {}); it is measured again "
        "between other kernels, as programs run it (protocol {})",
        known.at, known.best.protocol, protocol_version);
  }
  return {};
}

}  // namespace redtune::tuner
