// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/wanted_list.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <set>
#include <string>
#include <system_error>

#include "cache/exchange/exchange.hpp"
#include "cache/files/paths.hpp"
#include "cli/names.hpp"
#include "redtune/error.hpp"
#include "runtime/resolve.hpp"
#include "search/budget.hpp"
#include "tuner/session/expected_gain.hpp"
#include "tuner/session/open_store.hpp"
#include "tuner/session/restriction.hpp"
#include "tuner/tuner.hpp"

namespace redtune::cli {
namespace {

namespace fs = std::filesystem;

/// Where no model tells: between a tuned default that stays and a poor one.
constexpr double usual_saving = 0.1;
/// What a launch takes at least, and how fast a device reads, roughly: times are compared, not
/// told.
constexpr double launch_us = 5;
constexpr double bytes_per_us = 1e6;

double usefulness_of(const WantedItem& item) {
  const double times = static_cast<double>(std::max(item.asked.launches, item.asked.processes));
  const double us =
      launch_us + static_cast<double>(input_bytes(item.asked.question.problem)) / bytes_per_us;
  const double saving = item.gain ? std::max(0.0, 1 - 1 / *item.gain) : usual_saving;
  return times * us * saving;
}

DeviceIdentity identity_of(const cache::Wanted& asked) {
  return {.device_class = asked.question.device_class,
          .toolchain = asked.question.toolchain,
          .name = asked.device};
}

constexpr double days_of_what_was_done = 7;
constexpr double days_of_what_failed = 1;

std::set<cache::Question> tried_in_vain(const Options& options) {
  const OpenStore opened = look_at_store(cache::store_path(options.text("cache")));
  const std::string done_since = cache::time_in_days(-days_of_what_was_done);
  const std::string failed_since = cache::time_in_days(-days_of_what_failed);
  std::set<cache::Question> tried;
  for (const cache::RunSummary& run : opened.store.runs()) {
    const bool is_done = run.state == cache::RunState::done && run.finished_at >= done_since;
    const bool has_failed = run.state == cache::RunState::failed && run.finished_at >= failed_since;
    // What others disturbed was not the question's fault.
    if (run.note.starts_with("contended") || is_restricted(run.start)) continue;
    if (is_done || has_failed) tried.insert(question_of(run.start));
  }
  return tried;
}

}  // namespace

std::vector<WantedItem> wanted_list(const Options& options) {
  const auto folder = options.has("wanted-in") ? std::optional<fs::path>(options.text("wanted-in"))
                                               : cache::wanted_folder();
  if (!folder) return {};
  const LookupOptions lookup{.cache_file = options.text("cache")};
  const auto layers = runtime::layers_of(lookup);
  const OpenStore opened = look_at_store(cache::store_path(options.text("cache")));
  ExpectedGains gains(opened.store);
  std::vector<WantedItem> items;
  for (cache::Wanted& asked : cache::read_wanted(*folder)) {
    const DeviceIdentity device = identity_of(asked);
    const Limits limits = runtime::limits_of(device);
    WantedItem item{.asked = std::move(asked), .now = {}, .gain = {}, .usefulness = 0};
    const cache::Question& question = item.asked.question;
    try {
      item.now =
          runtime::resolve_in(layers, question.problem, {device, limits}, lookup).answer.match;
      if (item.now == Match::exact) continue;
      item.gain = gains.of(question, limits);
    } catch (const UsageError&) {
      continue;  // another version asked, which serves more
    }
    item.usefulness = usefulness_of(item);
    items.push_back(std::move(item));
  }
  std::ranges::stable_sort(items, std::ranges::greater{}, &WantedItem::usefulness);
  return items;
}

Workload wanted_workload(const Options& options, const DeviceIdentity& device) {
  return wanted_workload(options, device,
                         options.has("untried") ? Tried::are_left_out : Tried::are_in);
}

Workload wanted_workload(const Options& options, const DeviceIdentity& device, Tried tried) {
  const LookupOptions lookup{.cache_file = options.text("cache")};
  const auto layers = runtime::layers_of(lookup);
  const Limits limits = runtime::limits_of(device);
  const auto is_to_be_tuned = [&](const Problem& problem) {
    try {
      require_fit(problem, device);
    } catch (const UsageError&) {
      return false;
    }
    const auto found = runtime::resolve_in(layers, problem, {device, limits}, lookup);
    return found.answer.match != Match::exact;
  };
  Workload workload{.name = "what was wanted", .items = {}};
  std::set<cache::Question> known_in_vain;
  if (tried == Tried::are_left_out) known_in_vain = tried_in_vain(options);
  const bool is_budget_of_each = options.is_given("budget") && !seconds_for_wanted(options);
  for (const WantedItem& item : wanted_list(options)) {
    const cache::Question& question = item.asked.question;
    if (question.device_class != device.device_class) continue;
    const bool is_there = std::ranges::any_of(workload.items, [&](const WorkloadItem& other) {
      return other.problem == question.problem;
    });
    if (is_there) continue;  // asked with another toolchain as well
    if (!is_to_be_tuned(question.problem)) continue;
    cache::Question here = question;
    here.toolchain = device.toolchain;
    if (known_in_vain.contains(here)) continue;
    workload.items.push_back(
        {question.problem, is_budget_of_each ? options.text("budget") : "brief"});
  }
  return workload;
}

std::string mark_of_wanted(const Options& options) {
  const auto time_of = [](const fs::path& file) {
    std::error_code missing;
    const auto at = fs::last_write_time(file, missing);
    return missing ? 0 : at.time_since_epoch().count();
  };
  std::size_t files = 0;
  auto newest = time_of({});
  if (const auto folder = cache::wanted_folder()) {
    newest = time_of(*folder);
    std::error_code error;
    for (fs::directory_iterator file(*folder, error), end; !error && file != end;
         file.increment(error)) {
      ++files;
      newest = std::max(newest, time_of(file->path()));
    }
  }
  const auto store = cache::store_path(options.text("cache"));
  return fmt::format("{} {} {}", files, newest, store ? time_of(cache::snapshot_of(*store)) : 0);
}

std::string why_wanted_is_not_read() {
  const auto folder = cache::wanted_folder();
  if (!folder) return "nothing can be wanted here: HOME is not set";
  std::error_code error;
  const fs::directory_iterator files(*folder, error);
  if (!error || error == std::errc::no_such_file_or_directory) return {};
  return fmt::format("what is wanted cannot be read: {}: {}", folder->string(), error.message());
}

std::optional<double> seconds_for_wanted(const Options& options) {
  if (!options.has("wanted") || !options.is_given("budget")) return std::nullopt;
  const search::Budget budget = search::parse_budget(options.text("budget"));
  if (budget.evaluations || !budget.time || budget.until_settled) return std::nullopt;
  return std::chrono::duration<double>(*budget.time).count();
}

}  // namespace redtune::cli
