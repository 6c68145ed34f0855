// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cache/exchange/of_snapshot.hpp"

#include <fmt/format.h>

#include "cache/snapshot/format.hpp"
#include "redtune/error.hpp"

namespace redtune::cache {

namespace {

/// A snapshot does not tell how a result was searched for; no run of a store's own is called so.
constexpr std::string_view snapshot_strategy = "snapshot";

}  // namespace

SharedRun run_of(const StoredBest& result) {
  const Question& question = result.question;
  return {.start = {.family = question.family,
                    .space_key = question.space_key,
                    .problem = question.problem,
                    .device = {.device_class = question.device_class,
                               .toolchain = question.toolchain,
                               .name = result.device_name,
                               .address = {},
                               .uuid = {}},
                    .strategy = std::string(snapshot_strategy)},
          .state = RunState::done,
          .started_at = result.at,
          .finished_at = result.at,
          .note = "known from a snapshot only",
          .results = {{result.at, result.best}}};
}

bool is_snapshot(std::string_view content) {
  return content.starts_with(format::magic);
}

Incoming runs_from_snapshot(std::string_view content) {
  const SnapshotResult parsed = parse_snapshot(content, "it");
  if (const auto* refusal = std::get_if<SnapshotRefusal>(&parsed)) {
    throw UsageError(refusal->detail);
  }
  const Snapshot& snapshot = std::get<Snapshot>(parsed);
  Incoming incoming;
  for (const StoredBest& result : snapshot.entries) {
    SharedRun run = run_of(result);
    if (const std::string why = why_unfit(run); why.empty()) {
      incoming.runs.push_back(std::move(run));
    } else {
      incoming.skipped.push_back(fmt::format("result {}: {}", result.generation, why));
    }
  }
  for (const StoredBorder& border : snapshot.borders) {
    if (const std::string why = why_unfit(border); why.empty()) {
      incoming.borders.push_back(border);
    } else {
      incoming.skipped.push_back(
          fmt::format("the border above {}: {}", border.question.problem.count, why));
    }
  }
  if (snapshot.skipped > 0) {
    incoming.skipped.push_back(fmt::format(
        "{} results with names that this version of redtune does not know", snapshot.skipped));
  }
  return incoming;
}

}  // namespace redtune::cache
