// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/cli/recording.hpp"

#include <filesystem>
#include <fmt/format.h>

#include "cache/exchange_t4.hpp"
#include "redtune/error.hpp"
#include "tuner/cli/write_file.hpp"
#include "tuner/report/gzip.hpp"

namespace redtune::tuner::cli {
namespace {

/// A run that cannot be recorded as asked may be in the store all the same.
std::string with_advice(const std::string& problem, cache::RunId run) {
  return fmt::format(
      "the run was not recorded: {}. Its trials are in the store: redtune cache export --format t4 "
      "--run {}",
      problem, static_cast<std::int64_t>(run));
}

}  // namespace

Recording write_recording(const cache::Store& store, cache::RunId run, const RunLog& log) {
  Recording recording;
  if (!log.problem().empty()) {
    recording.problem = with_advice(log.problem(), run);
    return recording;
  }
  recording.file = std::filesystem::path(log.file()).replace_extension(".t4.json.gz").string();
  try {
    const auto shared = store.share(run);
    if (!shared) throw IoError("the store has lost it");
    recording.trials = shared->trials.size();
    write_file(recording.file, packed(cache::t4_text(*shared)));
  } catch (const Error& error) {
    recording.problem = with_advice(error.what(), run);
  }
  return recording;
}

}  // namespace redtune::tuner::cli
