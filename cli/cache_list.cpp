// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune cache list: the results of a store, one a line, or what is excluded.
#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "cache/lookup/lookup.hpp"
#include "cli/cache_common.hpp"
#include "cli/commands.hpp"
#include "cli/names.hpp"
#include "cli/question.hpp"
#include "cli/report/screen_text.hpp"
#include "cli/say.hpp"
#include "redtune/error.hpp"
#include "redtune/match.hpp"
#include "runtime/resolve.hpp"
#include "runtime/space_key.hpp"

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
  if (results.empty()) {
    say("no result fits\n");
    return;
  }
  const auto device_of = [](const cache::PastResult& result) {
    return fmt::format("{} {}", result.stored.device_name, result.stored.question.device_class.isa);
  };
  const std::string device = device_of(results.front());
  const bool is_one_device = std::ranges::all_of(
      results, [&](const cache::PastResult& result) { return device_of(result) == device; });
  const bool all_answer = std::ranges::all_of(results, [](const cache::PastResult& result) {
    return state_of(result) == "answers" && result.origin.empty();
  });
  // What all have in common stands above.
  if (is_one_device) fmt::print("{}", wrapped("device  " + device, 8));
  std::vector<std::vector<std::string>> rows{{"id", "problem"}};
  if (!is_one_device) rows.front().emplace_back("device");
  for (const char* head : {"here", "time", "gain", "when"}) rows.front().emplace_back(head);
  if (!all_answer) rows.front().emplace_back("state");
  rows.front().emplace_back("differs from the default in");
  for (const auto& result : results) {
    const auto& [stored, origin, revoked, answers] = result;
    std::vector<std::string> row{std::to_string(stored.generation),
                                 describe(stored.question.problem)};
    if (!is_one_device) row.push_back(device_of(result));
    row.push_back(match_text(stored, here));
    row.push_back(us_text(stored.best.time_us.median));
    row.push_back(x_times_text(stored.best.gain.median));
    row.push_back(stored.at.substr(0, 10));
    if (!all_answer) row.push_back(state_of(result) + (origin.empty() ? "" : ", imported"));
    row.push_back(short_text(stored));
    rows.push_back(std::move(row));
  }
  fmt::print("{}", screen_table(std::move(rows)));
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
  fmt::print("{}",
             all.empty() ? std::string("nothing is excluded\n") : screen_table(std::move(rows)));
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
