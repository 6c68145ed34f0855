// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/wanted_list.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <fmt/format.h>

#include "cache/files/paths.hpp"
#include "cli/names.hpp"
#include "redtune/error.hpp"
#include "runtime/resolve.hpp"
#include "search/budget.hpp"
#include "tuner/session/expected_gain.hpp"
#include "tuner/session/open_store.hpp"
#include "tuner/tuner.hpp"

namespace redtune::cli {
namespace {

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

}  // namespace

std::vector<WantedItem> wanted_list(const Options& options) {
  const auto folder = cache::wanted_folder();
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
  const bool is_budget_of_each = options.is_given("budget") && !seconds_for_wanted(options);
  for (const WantedItem& item : wanted_list(options)) {
    const cache::Question& question = item.asked.question;
    if (question.device_class != device.device_class) continue;
    const bool is_there = std::ranges::any_of(workload.items, [&](const WorkloadItem& other) {
      return other.problem == question.problem;
    });
    if (is_there) continue;  // asked with another toolchain as well
    if (!is_to_be_tuned(question.problem)) continue;
    workload.items.push_back(
        {question.problem, is_budget_of_each ? options.text("budget") : "brief"});
  }
  return workload;
}

std::optional<double> seconds_for_wanted(const Options& options) {
  if (!options.has("wanted") || !options.is_given("budget")) return std::nullopt;
  const search::Budget budget = search::parse_budget(options.text("budget"));
  if (budget.evaluations || !budget.time || budget.until_settled) return std::nullopt;
  return std::chrono::duration<double>(*budget.time).count();
}

}  // namespace redtune::cli
