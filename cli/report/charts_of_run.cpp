// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/report/charts_of_run.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "cli/report/page_parts.hpp"
#include "cli/report/random_order.hpp"
#include "cli/report/trial_rows.hpp"

namespace redtune::cli {
namespace {

constexpr std::size_t most_values = 40;  // of a tunable, in a chart

/// So many of the fastest values, in the order in which they were.
std::vector<StripRow> fastest_of(std::vector<StripRow> rows, std::size_t most) {
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  constexpr double never = std::numeric_limits<double>::max();
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return rows[i].best.value_or(never); });
  order.resize(most);
  std::ranges::sort(order);
  std::vector<StripRow> kept;
  for (const std::size_t i : order) kept.push_back(std::move(rows[i]));
  return kept;
}

/// What tells a finalist from the others, the default apart: not what they have in common.
std::string telling_name(const Finalist& finalist, const std::vector<Finalist>& all) {
  Settings telling = finalist.settings;
  std::erase_if(telling, [&](const Setting& setting) {
    return std::ranges::all_of(all, [&](const Finalist& other) {
      return other.is_default || std::ranges::find(other.settings, setting) != other.settings.end();
    });
  });
  return differences(telling.empty() ? finalist.settings : telling, std::nullopt);
}

/// Smallest and largest of all trials; 0 where there is none.
std::pair<double, double> times_of(const RunStory& story) {
  double low = 0;
  double high = 0;
  for (const cache::StoredTrial& row : story.trials) {
    if (!is_timed(row.trial)) continue;
    const double time = row.trial.time_us->median;
    low = low == 0 ? time : std::min(low, time);
    high = std::max(high, time);
  }
  return {low, high};
}

StripChart strip_of(const RunStory& story, const std::string& name) {
  struct Value {
    std::vector<double> all;
    std::vector<std::size_t> trials;
    std::optional<double> best;   ///< measured in full
    std::optional<double> rough;  ///< of those given up
  };
  std::map<std::string, Value, decltype(&comes_before)> values(&comes_before);
  for (std::size_t i = 0; i < story.trials.size(); ++i) {
    const cache::StoredTrial& row = story.trials[i];
    Value& value = values[std::string(setting_in(row.trial.settings, name))];
    if (!is_timed(row.trial)) continue;
    const double time = row.trial.time_us->median;
    value.all.push_back(time);
    value.trials.push_back(i);
    std::optional<double>& least = is_ok(row.trial) ? value.best : value.rough;
    least = std::min(least.value_or(time), time);
  }
  const cache::Trial* fastest = story.fastest_trial();
  const Settings* winner = story.result ? &story.result->stored.best.settings : nullptr;
  StripChart chart{.title = name, .axis = "µs", .rows = {}};
  std::tie(chart.low, chart.high) = times_of(story);
  for (auto& [text, value] : values) {
    StripRow row{.name = text.empty() ? "(not set)" : text, .label = "not measured"};
    row.is_rough = value.rough && (!value.best || *value.rough < *value.best);
    row.best = row.is_rough ? value.rough : value.best;
    row.all = std::move(value.all);
    row.trials = std::move(value.trials);
    if (row.best && fastest != nullptr) {
      row.label = (row.is_rough ? "about " : "") + ratio_text(*row.best / fastest->time_us->median);
    } else if (row.best) {
      row.label = "given up";
    }
    row.is_default = story.default_settings && setting_in(*story.default_settings, name) == text;
    row.is_winner = winner != nullptr && setting_in(*winner, name) == text;
    chart.rows.push_back(std::move(row));
  }
  return chart;
}

}  // namespace

bool is_ok(const cache::Trial& trial) {
  return trial.status == "ok" && trial.time_us;
}

bool is_failure(const cache::Trial& trial) {
  return trial.status != "ok" && trial.status != "slow";
}

bool is_timed(const cache::Trial& trial) {
  return trial.time_us && trial.time_us->median > 0;
}

bool comes_before(const std::string& a, const std::string& b) {
  const auto number = [](const std::string& text) -> std::optional<double> {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
  };
  const auto left = number(a);
  const auto right = number(b);
  if (left && right && *left != *right) return *left < *right;
  if (left.has_value() != right.has_value()) return left.has_value();
  return a < b;
}

TriedTunables tried_tunables(const RunStory& story) {
  TriedTunables tried;
  for (const std::string& name : tunables_of(story.trials)) {
    std::set<std::string> values;
    for (const cache::StoredTrial& row : story.trials) {
      values.emplace(setting_in(row.trial.settings, name));
    }
    (values.size() > 1 ? tried.varied : tried.constant).push_back(name);
  }
  return tried;
}

std::vector<const Finalist*> sorted_finalists(const RunStory& story) {
  std::vector<const Finalist*> sorted;
  for (const Finalist& finalist : story.finalists) sorted.push_back(&finalist);
  std::ranges::stable_sort(sorted, {}, [](const Finalist* one) { return one->time_us.median; });
  return sorted;
}

IntervalChart finalists_chart(const RunStory& story) {
  IntervalChart chart{"Times of the finalists", "µs", {}};
  bool has_ties = false;
  for (const Finalist* finalist : sorted_finalists(story)) {
    std::string mark;
    const auto add = [&](bool is, const char* name) {
      if (is) mark += (mark.empty() ? "" : ", ") + std::string(name);
    };
    add(finalist->is_winner, "winner");
    add(finalist->is_fastest, "fastest");
    add(finalist->is_default, "default");
    chart.rows.push_back(
        {.mark = mark,
         .name = finalist->is_default ? "" : telling_name(*finalist, story.finalists),
         .label = figure_text(finalist->time_us.median) + " µs",
         .interval = finalist->time_us,
         .is_shaded = finalist->is_tie || finalist->is_fastest,
         .is_default = finalist->is_default});
    has_ties = has_ties || finalist->is_tie;
  }
  // A single one that is shaded would say nothing.
  if (!has_ties) {
    for (IntervalRow& row : chart.rows) row.is_shaded = false;
  }
  return chart;
}

ProgressChart progress_chart(const RunStory& story, Over over) {
  const bool over_seconds = over == Over::seconds;
  ProgressChart chart{over_seconds ? "Best found over time" : "Best found over evaluations",
                      over_seconds ? "seconds since the run began" : "evaluations",
                      "time, µs",
                      {}};
  std::size_t number = 0;
  std::vector<std::optional<double>> times;
  for (const cache::StoredTrial& row : story.trials) {
    ++number;
    times.push_back(is_timed(row.trial) ? std::optional(row.trial.time_us->median) : std::nullopt);
    if (!is_timed(row.trial)) continue;
    double x = static_cast<double>(number);
    if (over_seconds) {
      const auto seconds = seconds_until(story, row);
      if (!seconds) continue;
      x = *seconds;
    }
    chart.points.push_back({x, row.trial.time_us->median, is_ok(row.trial), number - 1});
  }
  std::ranges::stable_sort(chart.points, {}, &TrialPoint::x);
  if (story.default_us) {
    chart.reference = story.default_us;
    chart.reference_name = "default";
  }
  if (!over_seconds) {
    for (const ExpectedBest& one : expected_best(times, 100)) {
      chart.expected.push_back({static_cast<double>(one.trials), one.time_us});
    }
    chart.expected_name = "in random order";
  }
  return chart;
}

ProgressChart noise_chart(const RunStory& story) {
  ProgressChart chart{.title = "Noise of the trials",
                      .x_axis = "evaluations",
                      .y_axis = "± % of the time, 95 %",
                      .points = {},
                      .reference = {}};
  std::size_t number = 0;
  for (const cache::StoredTrial& row : story.trials) {
    ++number;
    if (!is_ok(row.trial) || !is_timed(row.trial)) continue;
    const Interval& time = *row.trial.time_us;
    const double share = 50 * (time.high - time.low) / time.median;
    if (share > 0) {
      chart.points.push_back({static_cast<double>(number), share, false, number - 1});
    }
  }
  if (story.noise_floor) {
    chart.reference = 100 * *story.noise_floor;
    chart.reference_name = "when calibrating";
  }
  return chart;
}

std::vector<CostStrip> cost_strips(const RunStory& story, const std::vector<std::string>& names) {
  std::vector<CostStrip> strips;
  for (const std::string& name : names) {
    CostStrip strip{strip_of(story, name)};
    double low = 0;
    double high = 0;
    for (const StripRow& row : strip.chart.rows) {
      if (!row.best) continue;
      low = low == 0 ? *row.best : std::min(low, *row.best);
      high = std::max(high, *row.best);
    }
    strip.cost = low > 0 ? high / low : 1;
    auto& rows = strip.chart.rows;
    if (rows.size() > most_values) {
      strip.left_out = rows.size() - most_values;
      rows = fastest_of(std::move(rows), most_values);
    }
    strips.push_back(std::move(strip));
  }
  std::ranges::stable_sort(strips, std::greater{}, &CostStrip::cost);
  return strips;
}

}  // namespace redtune::cli
