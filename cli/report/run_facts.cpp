// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/report/run_facts.hpp"

#include <charconv>
#include <fmt/format.h>

#include "cache/files/paths.hpp"
#include "redtune/error.hpp"
#include "tuner/measure/peak.hpp"
#include "tuner/session/session_time.hpp"
#include "tuner/text/counted.hpp"

namespace redtune::cli {

std::int64_t number_of_run(cache::RunId id) {
  return static_cast<std::int64_t>(id);
}

cache::RunSummary find_run(const cache::Store& store, const std::string& word) {
  std::int64_t id = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), id);
  if (error == std::errc{} && end == word.data() + word.size()) {
    if (auto run = store.run(cache::RunId{id})) return *run;
  }
  throw UsageError(fmt::format("there is no run '{}'; see: redtune log", word));
}

std::optional<cache::PastResult> published(const cache::Store& store, cache::RunId run) {
  std::optional<cache::PastResult> latest;
  for (const cache::PastResult& past : store.history()) {
    if (past.stored.run != run) continue;
    if (!latest || past.stored.generation > latest->stored.generation) latest = past;
  }
  return latest;
}

Peak peak_of(const cache::Store& store, const cache::RunSummary& run) {
  const auto peaks = store.peaks(run.id);
  if (!peaks) return {};
  try {
    return peak_for(run.start.problem, *peaks,
                    run.start.device.device_class.last_level_cache_bytes);
  } catch (const UsageError&) {
    return {};  // only the file of a user's kernel tells how many bytes it has
  }
}

TimeSpent RunTime::spent() const {
  TimeSpent sum;
  for (const TimeSpent& session : sessions) sum += session;
  return sum;
}

RunTime time_of(const cache::RunSummary& run) {
  RunTime time;
  const auto folder = cache::logs_folder();
  if (folder) time.sessions = tuner::session_times(*folder, run);
  const auto all = static_cast<std::size_t>(run.resumed) + 1;
  if (time.sessions.empty()) {
    time.unknown = fmt::format(
        "no log here says where the time of run {} went: it has not ended, was killed, is of an "
        "earlier version or another machine, or its log is gone",
        number_of_run(run.id));
  } else if (time.sessions.size() < all) {
    time.unknown = fmt::format("{} of the run's {} left no record of its time",
                               all - time.sessions.size(), counted(all, "session"));
  }
  return time;
}

double share_of(double seconds, const TimeSpent& spent) {
  const double wall = spent.wall_seconds;
  return wall > 0 ? seconds / wall : 0;
}

}  // namespace redtune::cli
