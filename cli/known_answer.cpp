// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/known_answer.hpp"

#include <fmt/format.h>

#include "cache/keys/key.hpp"
#include "cli/names.hpp"
#include "cli/say.hpp"
#include "cli/terminal.hpp"
#include "runtime/protocol_version.hpp"
#include "tuner/text/json.hpp"

namespace redtune::cli {

bool is_answered(const Options& options, const cache::Store& store, const Job& job) {
  // Who records wants the trials.
  if (options.has("fresh") || options.has("record")) return false;
  const auto best = store.best(cache::question_of(job.start));
  if (!best) return false;
  // What a run published that ended early is the best it saw; its search is still to be finished.
  const auto run = store.run(best->run);
  if (run && cache::ended_early(run->state)) return false;
  // And so is one that somebody began afresh since.
  const auto later = store.resumable(job.start);
  if (later && *later > best->run) return false;
  if (options.has("json")) {
    print_json({{"known", true},
                {"problem", json_of(job.problem)},
                {"winner", json_of(best->best.settings)},
                {"time_us", json_of(best->best.time_us)},
                {"gain", json_of(best->best.gain)},
                {"tuned_at", best->at}});
  } else {
    say("{} is known on {} since {}: {:.2f} us, {:.2f} GB/s, {:.2f}x as fast as the default\n  {}\n"
        "use --fresh to tune it again\n",
        describe(job.problem), job.start.device.name, best->at, best->best.time_us.median,
        best->best.gigabytes_per_second, best->best.gain.median, to_string(best->best.settings));
  }
  return true;
}

std::string why_tuned_anew(const cache::Store& store, const Job& job) {
  const std::string problem = cache::key_of(job.problem).hash;
  for (const cache::StoredBest& known : store.bests().entries) {
    const bool is_same = known.question.family == job.start.family &&
                         known.question.device_class == job.start.device.device_class &&
                         cache::key_of(known.question.problem).hash == problem;
    if (!is_same || known.best.protocol >= protocol_version) continue;
    return fmt::format(
        "the answer of {} was measured in rows of itself (protocol {}); it is measured anew "
        "between kernels of others, as programs run it (protocol {})",
        known.at, known.best.protocol, protocol_version);
  }
  return {};
}

}  // namespace redtune::cli
