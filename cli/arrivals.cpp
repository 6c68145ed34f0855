// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/arrivals.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "cache/files/paths.hpp"
#include "cli/cache_common.hpp"
#include "redtune/error.hpp"
#include "tuner/text/printable.hpp"

namespace redtune::cli {
namespace {

/// What is said of each thing that is left out; more of them are only counted.
constexpr std::size_t most_told = 5;

}  // namespace

void leave_out_invalid(cache::Incoming& incoming) {
  for (cache::SharedRun& run : incoming.runs) {
    std::erase_if(run.results, [&](const cache::SharedResult& result) {
      const std::string why = why_invalid(question_of(run.start), result.best.settings);
      if (why.empty()) return false;
      incoming.skipped.push_back(
          fmt::format("{} of {}: {}", describe(run.start.problem), result.at, why));
      return true;
    });
  }
  std::erase_if(incoming.runs, [](const cache::SharedRun& run) {
    return run.results.empty() && run.trials.empty();
  });
}

void tell_skipped(const std::string& source, const std::vector<std::string>& skipped) {
  for (std::size_t i = 0; i < std::min(skipped.size(), most_told); ++i) {
    spdlog::warn("{}: left out {}", source, printable(skipped[i]));
  }
  if (skipped.size() > most_told) {
    spdlog::warn("{}: left out {} more", source, skipped.size() - most_told);
  }
}

void tell_refused(const std::string& source, std::size_t refused) {
  if (refused == 0) return;
  spdlog::warn(
      "{}: left out {} results that claim to be from runs of this store, which does not have them",
      source, refused);
}

cache::Store open_or_create(const Options& options) {
  const auto path = cache::store_path(options.text("cache"));
  if (!path) {
    throw UsageError("there is no place for results: HOME is not set; name a file with --cache");
  }
  return cache::Store::open(*path);
}

}  // namespace redtune::cli
