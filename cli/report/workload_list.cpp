// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/report/workload_list.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>

#include "search/budget.hpp"
#include "tuner/measure/statistics.hpp"
#include "tuner/text/counted.hpp"
#include "tuner/text/printable.hpp"
#include "tuner/text/table.hpp"

namespace redtune::cli {
namespace {

/// Tuning takes about as long where inputs are about as large, and results one or many.
constexpr double most_times_as_large = 4;
/// Of a problem whose search ends once it is settled: the mean of 31 on an H100.
constexpr double usual_seconds = 5;

bool is_like(const cache::RunTime& run, const WorkloadItem& item) {
  const double run_bytes = static_cast<double>(std::max<std::size_t>(input_bytes(run.problem), 1));
  const double bytes = static_cast<double>(std::max<std::size_t>(input_bytes(item.problem), 1));
  return run.budget == item.budget && run.problem.cache_mode == item.problem.cache_mode &&
         is_whole_array(run.problem) == is_whole_array(item.problem) &&
         run_bytes <= bytes * most_times_as_large && bytes <= run_bytes * most_times_as_large;
}

template <class State>
std::size_t count_of_state(const WorkloadList& list) {
  return static_cast<std::size_t>(std::ranges::count_if(list.items, [](const ListedItem& item) {
    return std::holds_alternative<State>(item.state);
  }));
}

bool is_usual(const ListedItem& item) {
  return item.likely && item.likely->runs == 0 &&
         search::parse_budget(item.item.budget).until_settled;
}

/// Of everything that is still to be done.
struct LikelySum {
  double seconds = 0;
  std::size_t usual = 0;       ///< how many of the times are what is usual
  std::size_t of_budgets = 0;  ///< how many of the times are those of budgets
  std::size_t unknown = 0;     ///< how many problems are not in the sum
};

LikelySum likely_sum(const WorkloadList& list) {
  LikelySum sum;
  for (const ListedItem& item : list.items) {
    if (!is_open(item.state)) continue;
    if (!item.likely) {
      ++sum.unknown;
      continue;
    }
    sum.seconds += item.likely->seconds;
    if (item.likely->runs > 0) continue;
    ++(is_usual(item) ? sum.usual : sum.of_budgets);
  }
  return sum;
}

struct StateText {
  std::string operator()(const ToTune&) const { return "to tune"; }
  std::string operator()(const GoesOn& state) const {
    return fmt::format("goes on (run {})", static_cast<std::int64_t>(state.run));
  }
  std::string operator()(const KnownSince& state) const {
    return fmt::format("known since {}", state.at.substr(0, 16));
  }
  std::string operator()(const DoesNotFit&) const { return "does not fit into the memory"; }
};

struct StateJson {
  Json operator()(const ToTune&) const { return {{"state", "to_tune"}}; }
  Json operator()(const GoesOn& state) const {
    return {{"state", "goes_on"}, {"run", static_cast<std::int64_t>(state.run)}};
  }
  Json operator()(const KnownSince& state) const {
    return {{"state", "known"}, {"since", state.at}};
  }
  Json operator()(const DoesNotFit&) const { return {{"state", "does_not_fit"}}; }
};

std::string source_text(const ListedItem& item) {
  if (!item.likely) return "";
  if (is_usual(item)) return "what is usual";
  return item.likely->runs == 0 ? "its budget" : counted(item.likely->runs, "run") + " like it";
}

Json json_of_item(const ListedItem& listed) {
  Json document{{"problem", json_of(listed.item.problem)}, {"budget", listed.item.budget}};
  document.update(std::visit(StateJson(), listed.state));
  if (listed.likely) {
    document["likely_s"] = listed.likely->seconds;
    document["runs_like_it"] = listed.likely->runs;
  }
  return document;
}

/// "227 problems on Some GPU: 3 known, 1 goes on, 223 to tune".
std::string counts_text(const WorkloadList& list) {
  std::string text = fmt::format("{}, {} on {}", printable(list.name),
                                 counted(list.items.size(), "problem"), printable(list.device));
  auto add = [&, is_first = true](std::size_t count, std::string_view what) mutable {
    if (count == 0) return;
    text += fmt::format("{}{} {}", is_first ? ": " : ", ", count, what);
    is_first = false;
  };
  const std::size_t going_on = count_of_state<GoesOn>(list);
  const std::size_t too_large = count_of_state<DoesNotFit>(list);
  add(count_of_state<KnownSince>(list), "known");
  add(going_on, going_on == 1 ? "goes on" : "go on");
  add(count_of_state<ToTune>(list), "to tune");
  add(too_large, too_large == 1 ? "does not fit" : "do not fit");
  return text;
}

std::string sum_text(const LikelySum& sum, std::size_t open) {
  if (open == 0) return "nothing is left to tune";
  std::string text = sum.unknown == open ? std::string("how long that takes is not known")
                                         : fmt::format("likely {}", wall_time_text(sum.seconds));
  if (sum.usual > 0) {
    text += fmt::format(", {} by what is usual", counted(sum.usual, "problem"));
  }
  if (sum.of_budgets > 0) {
    text += fmt::format(", {} by budget alone", counted(sum.of_budgets, "problem"));
  }
  if (sum.unknown > 0 && sum.unknown < open) {
    text +=
        fmt::format(", without {} whose budget bounds no time", counted(sum.unknown, "problem"));
  }
  return text;
}

}  // namespace

bool is_open(const ItemState& state) {
  return std::holds_alternative<ToTune>(state) || std::holds_alternative<GoesOn>(state);
}

std::optional<LikelyTime> likely_time(const WorkloadItem& item,
                                      std::span<const cache::RunTime> past) {
  std::vector<double> seconds;
  for (const cache::RunTime& run : past) {
    if (is_like(run, item)) seconds.push_back(run.seconds);
  }
  if (!seconds.empty()) return LikelyTime{median(seconds), seconds.size()};
  const search::Budget budget = search::parse_budget(item.budget);
  if (budget.until_settled) return LikelyTime{usual_seconds};
  if (!budget.time) return std::nullopt;
  return LikelyTime{std::chrono::duration<double>(*budget.time).count()};
}

std::vector<ListedItem> list_of(const std::vector<WorkloadItem>& items,
                                const std::function<ItemState(const WorkloadItem&)>& state_of,
                                std::span<const cache::RunTime> past) {
  std::vector<ListedItem> listed;
  for (const WorkloadItem& item : items) {
    ItemState state = state_of(item);
    const auto likely = is_open(state) ? likely_time(item, past) : std::nullopt;
    listed.push_back({item, std::move(state), likely});
  }
  return listed;
}

std::string text_of(const WorkloadList& list) {
  std::vector<std::vector<std::string>> rows{{"problem", "state", "likely", "by"}};
  for (const ListedItem& listed : list.items) {
    rows.push_back({describe(listed.item.problem), std::visit(StateText(), listed.state),
                    listed.likely ? wall_time_text(listed.likely->seconds) : "-",
                    source_text(listed)});
  }
  const std::size_t open = count_of_state<ToTune>(list) + count_of_state<GoesOn>(list);
  std::string text = fmt::format("{}{}\n{}\n", table(std::move(rows)), counts_text(list),
                                 sum_text(likely_sum(list), open));
  if (list.borders > 0) {
    text +=
        fmt::format("{} between known winners not measured yet\n", counted(list.borders, "border"));
  }
  return text;
}

Json json_of(const WorkloadList& list) {
  Json items = Json::array();
  for (const ListedItem& listed : list.items) items.push_back(json_of_item(listed));
  const LikelySum sum = likely_sum(list);
  return {{"workload", list.name},
          {"device", list.device},
          {"problems", std::move(items)},
          {"known", count_of_state<KnownSince>(list)},
          {"goes_on", count_of_state<GoesOn>(list)},
          {"to_tune", count_of_state<ToTune>(list)},
          {"does_not_fit", count_of_state<DoesNotFit>(list)},
          {"borders_to_measure", list.borders},
          {"likely_s", sum.seconds},
          {"likely_by_what_is_usual", sum.usual},
          {"likely_by_budget", sum.of_budgets},
          {"likely_unknown", sum.unknown}};
}

std::string wall_time_text(double seconds) {
  if (seconds < 9.95) return fmt::format("{:.1f} s", seconds);
  const auto whole = std::llround(seconds);
  if (whole < 120) return fmt::format("{} s", whole);
  if (whole < 7200) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace redtune::cli
