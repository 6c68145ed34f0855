// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/recording.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <tuple>

#include "cache/exchange/t4.hpp"
#include "cache/files/files.hpp"
#include "redtune/error.hpp"
#include "search/replay/gzip.hpp"

namespace redtune::cli {
namespace {

/// A run that was gone on with has what it gave up as slow twice: first as it looked then.
void drop_superseded(std::vector<cache::StoredTrial>& trials) {
  std::map<std::tuple<std::string, Settings>, std::int64_t> last;
  for (const auto& [trial, at] : trials) {
    auto& sequence = last[{trial.phase, trial.settings}];
    sequence = std::max(sequence, trial.sequence);
  }
  std::erase_if(trials, [&](const cache::StoredTrial& one) {
    return one.trial.sequence < last.at({one.trial.phase, one.trial.settings});
  });
}

/// Where else the trials are; empty: nowhere.
std::string advice(const Tuned& tuned) {
  if (!tuned.why_not_kept.empty()) return {};
  return fmt::format(". Its trials are in the store: redtune cache export --format t4 --run {}",
                     static_cast<std::int64_t>(tuned.run));
}

}  // namespace

Recording write_recording(const cache::Store& store, const Tuned& tuned) {
  Recording recording;
  try {
    for (const std::string& problem : {tuned.run_problem, tuned.log_problem}) {
      if (!problem.empty()) throw IoError(problem);
    }
    auto run = store.share(tuned.run);
    if (!run) throw IoError("the store no longer has it");
    drop_superseded(run->trials);
    const auto file = std::filesystem::path(tuned.log).replace_extension(".t4.json.gz");
    cache::replace_file(file, search::packed(cache::t4_text(*run)));
    recording = {.file = file.string(), .trials = run->trials.size(), .problem = {}};
  } catch (const Error& error) {
    recording.problem = fmt::format("the run was not recorded: {}{}", error.what(), advice(tuned));
  }
  return recording;
}

}  // namespace redtune::cli
