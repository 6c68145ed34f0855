// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune cache list: the results of a store, one a line, or what is excluded.
#include <fmt/format.h>

#include "cache/lookup/lookup.hpp"
#include "cli/cache_common.hpp"
#include "cli/commands.hpp"
#include "cli/names.hpp"
#include "cli/question.hpp"
#include "cli/say.hpp"
#include "redtune/error.hpp"
#include "redtune/match.hpp"
#include "runtime/resolve.hpp"
#include "runtime/space_key.hpp"
#include "tuner/text/table.hpp"

namespace redtune::cli {
namespace {

/// The device that applications of this machine get unless they name one.
std::optional<DeviceIdentity> device_here() {
  try {
    return device::open(runtime::registry().select("auto"))->identity();
  } catch (const Error&) {
    return std::nullopt;  // the list is about results, not about devices
  }
}

/// The key of a family's kernels as they are now; one that no result has for a family that only
/// another version knows.
std::string current_space(const std::string& family) {
  try {
    return runtime::space_key(kernels::find_family(family));
  } catch (const UsageError&) {
    return "none";
  }
}

/// How well a result would answer its own problem here.
std::string match_text(const cache::StoredBest& result, const std::optional<DeviceIdentity>& here) {
  // Whether a kernel of a user's is still the same its file says, which nobody names here.
  if (!here || result.question.problem.op == Op::kernel) return "-";
  const cache::Question& stored = result.question;
  const Match match =
      cache::match_of({stored.family, current_space(stored.family), stored.problem, *here}, stored);
  return match == Match::fallback ? "-" : std::string(to_string(match));
}

std::string state_of(const cache::PastResult& result) {
  if (result.revoked) return "revoked";
  return result.answers ? "answers" : "older";
}

void print_results(const std::vector<cache::PastResult>& results,
                   const std::optional<DeviceIdentity>& here) {
  std::vector<std::vector<std::string>> rows{
      {"id", "problem", "device", "here", "time us", "gain", "when", "state", "config"}};
  for (const auto& result : results) {
    const auto& [stored, origin, revoked, answers] = result;
    rows.push_back({std::to_string(stored.generation), describe(stored.question.problem),
                    fmt::format("{} {}", stored.device_name, stored.question.device_class.isa),
                    match_text(stored, here), fmt::format("{:.2f}", stored.best.time_us.median),
                    fmt::format("{:.2f}x", stored.best.gain.median), stored.at.substr(0, 16),
                    state_of(result) + (origin.empty() ? "" : ", imported"), short_text(stored)});
  }
  fmt::print("{}", results.empty() ? std::string("no result fits\n") : table(rows));
}

Json exclusion_json(const cache::StoredExclusion& row) {
  Json document{{"id", row.id},
                {"scope", to_string(row.scope)},
                {"family", row.family},
                {"settings", tuner::json_of(row.settings)},
                {"status", row.status},
                {"detail", row.detail},
                {"at", row.at},
                {"compiler", row.toolchain.compiler},
                {"driver", row.toolchain.driver}};
  if (row.device_class) document["isa"] = row.device_class->isa;
  if (row.problem) document["problem"] = tuner::json_of(*row.problem);
  return document;
}

int list_excluded(const Options& options) {
  const cache::Store store = copy_store(options);
  const auto all = store.exclusions();
  show_warnings(store);
  if (options.has("json")) {
    Json rows = Json::array();
    for (const auto& row : all) rows.push_back(exclusion_json(row));
    print_json({{"excluded", rows}});
    return 0;
  }
  std::vector<std::vector<std::string>> rows{{"id", "holds for", "status", "when", "config"}};
  for (const auto& row : all) {
    std::string reach = row.toolchain.compiler;
    if (row.device_class) reach = row.device_class->isa + ", " + reach;
    if (row.problem) reach = describe(*row.problem) + ", " + reach;
    rows.push_back(
        {std::to_string(row.id), reach, row.status, row.at.substr(0, 16), to_string(row.settings)});
  }
  fmt::print("{}", all.empty() ? std::string("nothing is excluded\n") : table(rows));
  return 0;
}

}  // namespace

int run_cache_list(const Options& options) {
  if (options.has("excluded")) return list_excluded(options);
  const ResultFilter filter(options);
  const cache::Store store = copy_store(options);
  std::vector<cache::PastResult> results = store.history();
  std::erase_if(results, [&](const cache::PastResult& result) {
    return !filter.takes(result.stored) || !(result.answers || options.has("all"));
  });
  show_warnings(store);
  const auto here = device_here();
  if (!options.has("json")) {
    print_results(results, here);
    return 0;
  }
  Json rows = Json::array();
  for (const auto& result : results) {
    Json row = json_of(result);
    row["match_here"] = match_text(result.stored, here);
    rows.push_back(std::move(row));
  }
  print_json({{"results", rows}});
  return 0;
}

}  // namespace redtune::cli
