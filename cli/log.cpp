// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune log: the tuning runs of this machine, and what happened in one.
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <thread>

#include "cache/store/store.hpp"
#include "cli/cache_common.hpp"
#include "cli/commands.hpp"
#include "cli/names.hpp"
#include "cli/report/border_text.hpp"
#include "cli/report/charts_of_run.hpp"
#include "cli/report/page_parts.hpp"
#include "cli/report/run_facts.hpp"
#include "cli/report/run_screen.hpp"
#include "cli/report/run_story.hpp"
#include "cli/report/screen_text.hpp"
#include "cli/report/trial_rows.hpp"
#include "cli/say.hpp"
#include "redtune/error.hpp"
#include "tuner/measure/peak.hpp"
#include "tuner/session/session_time.hpp"
#include "tuner/text/counted.hpp"
#include "tuner/text/measured_json.hpp"
#include "tuner/text/table.hpp"

namespace redtune::cli {
namespace {

Json json_of_run(const cache::RunSummary& run) {
  return {{"run", number_of_run(run.id)},
          {"state", to_string(run.state)},
          {"started_at", run.started_at},
          {"finished_at", run.finished_at},
          {"problem", tuner::json_of(run.start.problem)},
          {"device", tuner::json_of(run.start.device)},
          {"strategy", run.start.strategy},
          {"seed", run.start.seed},
          {"budget", run.start.budget},
          {"trials", run.trial_count},
          {"note", run.note}};
}

Json json_of_trial(const cache::Trial& trial) {
  Json row{{"sequence", trial.sequence},     {"phase", trial.phase},
           {"status", trial.status},         {"settings", tuner::json_of(trial.settings)},
           {"samples", trial.samples},       {"detail", trial.detail},
           {"compile_ms", trial.compile_ms}, {"wall_ms", trial.wall_ms}};
  if (trial.time_us) row["time_us"] = tuner::json_of(*trial.time_us);
  return row;
}

/// A result of each run that published one, the newest.
using Published = std::map<cache::RunId, cache::PastResult>;

Published all_published(const cache::Store& store) {
  Published newest;
  for (const cache::PastResult& past : store.history()) {  // newest first
    newest.emplace(past.stored.run, past);
  }
  return newest;
}

/// Ended without a result, or with one that was taken back.
bool came_to_nothing(const cache::RunSummary& run, const Published& results) {
  if (run.state == cache::RunState::running) return false;
  const auto found = results.find(run.id);
  return found == results.end() || found->second.revoked.has_value();
}

/// "2026-11-28T09" from what a person typed: a day, a time, or how long ago: "3d", "12h", "30min".
std::string since_time(const std::string& text) {
  std::int64_t amount = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, amount);
  const std::string_view unit(rest, static_cast<std::size_t>(end - rest));
  const std::int64_t seconds = unit == "d" ? 86'400 : unit == "h" ? 3'600 : unit == "min" ? 60 : 0;
  if (error == std::errc{} && seconds > 0 && amount >= 0 && amount < 1'000'000) {
    const std::time_t then = std::time(nullptr) - amount * seconds;
    std::tm parts{};
    gmtime_r(&then, &parts);
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", parts.tm_year + 1900,
                       parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
  }
  constexpr std::string_view form = "0000-00-00T00:00:00";
  bool fits = text.size() >= std::string_view("0000-00").size() && text.size() <= form.size();
  for (std::size_t i = 0; fits && i < text.size(); ++i) {
    const bool is_digit = text[i] >= '0' && text[i] <= '9';
    fits = form[i] == '0' ? is_digit : text[i] == form[i] || (form[i] == 'T' && text[i] == ' ');
  }
  if (!fits) {
    throw UsageError(
        fmt::format("--since is '{}'; write a day, 2026-11-28, a time in UTC, 2026-11-28T09:30, or "
                    "how long ago: "
                    "30min, 12h, 3d",
                    text));
  }
  std::string time = text;
  std::ranges::replace(time, ' ', 'T');
  return time;
}

class RunFilter {
 public:
  /// Throws UsageError for what is no operator, type or time.
  explicit RunFilter(const Options& options) : only_failed_(options.has("failed")) {
    if (options.has("op")) op_ = parse_op(options.text("op"));
    if (options.has("type")) type_ = parse_dtype(options.text("type"));
    if (options.has("since")) since_ = since_time(options.text("since"));
  }
  [[nodiscard]] bool takes(const cache::RunSummary& run, const Published& results) const {
    const Problem& problem = run.start.problem;
    return (!op_ || *op_ == problem.op) && (!type_ || *type_ == problem.in) &&
           run.started_at >= since_ && (!only_failed_ || came_to_nothing(run, results));
  }

 private:
  std::optional<Op> op_;
  std::optional<DType> type_;
  std::string since_;
  bool only_failed_;
};

void print_runs(const std::vector<cache::RunSummary>& runs, const Published& results) {
  if (runs.empty()) {
    say("no run fits\n");
    return;
  }
  const std::string& device = runs.front().start.device.name;
  const bool is_one_device = std::ranges::all_of(
      runs, [&](const cache::RunSummary& run) { return run.start.device.name == device; });
  // What all have in common stands above.
  if (is_one_device) fmt::print("{}", wrapped("device  " + device, 8));
  std::vector<std::vector<std::string>> rows{{"run", "started", "state", "problem"}};
  if (!is_one_device) rows.front().emplace_back("device");
  for (const char* head : {"trials", "time", "gain", "note"}) rows.front().emplace_back(head);
  std::vector<Emphasis> emphases{Emphasis::none};
  for (const auto& run : runs) {
    const auto found = results.find(run.id);
    const cache::PastResult* result = found == results.end() ? nullptr : &found->second;
    std::vector<std::string> row{std::to_string(number_of_run(run.id)),
                                 run.started_at.substr(0, 16), std::string(to_string(run.state)),
                                 describe(run.start.problem)};
    if (!is_one_device) row.push_back(run.start.device.name);
    row.push_back(std::to_string(run.trial_count));
    row.push_back(result == nullptr ? "-" : us_text(result->stored.best.time_us.median));
    row.push_back(result == nullptr ? "-" : x_times_text(result->stored.best.gain.median));
    row.push_back(result != nullptr && result->revoked ? "taken back: " + result->revoked->reason
                                                       : run.note);
    rows.push_back(std::move(row));
    emphases.push_back(run.state == cache::RunState::failed ? Emphasis::failed : Emphasis::none);
  }
  fmt::print("{}", screen_table(std::move(rows), emphases));
}

std::vector<std::string> answers_of(const cache::Store& store, const RunStory& story) {
  return story.result ? border_lines(store.results(), story.result->stored)
                      : std::vector<std::string>();
}

void print_run(const cache::Store& store, const cache::RunSummary& run) {
  const RunStory story = story_of(store, run);
  fmt::print("{}", screen_of(story, answers_of(store, story)));
}

/// The run that is to be followed: of a number, else the newest.
cache::RunSummary run_to_follow(const cache::Store& store, const Options& options) {
  if (!options.words().empty()) return find_run(store, options.words()[0]);
  const auto runs = store.runs();
  if (runs.empty()) throw UsageError("there is no run to follow; begin one: redtune tune");
  return runs.front();
}

void print_new_trials(const std::vector<cache::Trial>& trials, std::size_t from,
                      const RunStory& story, std::optional<double>& best) {
  for (std::size_t i = from; i < trials.size(); ++i) {
    const cache::Trial& trial = trials[i];
    const bool is_best =
        is_ok(trial) && is_timed(trial) && (!best || trial.time_us->median < *best);
    if (is_best) best = trial.time_us->median;
    const std::string what = is_failure(trial)
                                 ? first_line(trial.detail)
                                 : differences(trial.settings, story.default_settings);
    const std::string begin =
        fmt::format("{:>5}  {:<14} {:>8}{}  ", trial.sequence, trial.status,
                    is_timed(trial) ? us_text(trial.time_us->median) : "-", is_best ? " *" : "  ");
    fmt::print("{}{}", printable(begin), wrapped(what, width_of(begin)));
  }
  (void)flush_output();
}

/// Trials as they come, until the run has ended.
int follow_run(const Options& options) {
  constexpr auto pause = std::chrono::seconds(1);
  cache::RunSummary run = run_to_follow(copy_store(options), options);
  say("run {}: {} on {}; * is the best so far\n", number_of_run(run.id),
      describe(run.start.problem), run.start.device.name);
  std::size_t shown = 0;
  std::optional<double> best;
  for (;;) {
    const cache::Store store = copy_store(options);
    run = find_run(store, std::to_string(number_of_run(run.id)));
    const auto trials = store.trials(run.id);
    if (trials.size() > shown) {
      print_new_trials(trials, shown, story_of(store, run), best);
      shown = trials.size();
    }
    if (run.state != cache::RunState::running) {
      fmt::print("\n");
      print_run(store, run);
      return 0;
    }
    std::this_thread::sleep_for(pause);
  }
}

void print_time(const cache::RunSummary& run, const RunTime& time) {
  if (!time.sessions.empty()) {
    const TimeSpent spent = time.spent();
    std::vector<std::vector<std::string>> rows{{"activity", "seconds", "share %", "what"}};
    const auto add = [&](std::string_view name, double seconds, std::string_view about) {
      rows.push_back({std::string(name), fmt::format("{:.3f}", seconds),
                      fmt::format("{:.1f}", 100 * share_of(seconds, spent)), std::string(about)});
    };
    for (const ActivityRow& row : activity_rows) add(row.name, spent.of(row.activity), row.about);
    add("all", spent.wall_seconds, counted(time.sessions.size(), "session"));
    say("run {}: {}\n", number_of_run(run.id), describe(run.start.problem));
    fmt::print("{}", table(rows));
    say("the device took samples for {:.3f} s, {:.1f} % of the time\n", spent.measuring_seconds,
        100 * share_of(spent.measuring_seconds, spent));
  }
  if (!time.unknown.empty()) say("{}\n", time.unknown);
}

Json json_of_time(const RunTime& time) {
  if (time.sessions.empty()) return {{"unknown", time.unknown}};
  const TimeSpent spent = time.spent();
  Json document = tuner::json_of(spent);
  document["measuring_share"] = share_of(spent.measuring_seconds, spent);
  document["sessions"] = Json::array();
  for (const TimeSpent& session : time.sessions) {
    document["sessions"].push_back(tuner::json_of(session));
  }
  if (!time.unknown.empty()) document["unknown"] = time.unknown;
  return document;
}

void show_time(const Options& options, const cache::RunSummary& run) {
  const RunTime time = time_of(run);
  if (!options.has("json")) return print_time(run, time);
  Json document = json_of_run(run);
  document["time"] = json_of_time(time);
  print_json(document);
}

Json json_of_story(const cache::Store& store, const RunStory& story) {
  Json document = json_of_run(story.run);
  document["verdict"] = verdict_of(story);
  if (story.result) {
    const cache::StoredBest& stored = story.result->stored;
    document["winner"] = tuner::json_of(stored.best.settings);
    document["time_us"] = tuner::json_of(stored.best.time_us);
    document["gain"] = tuner::json_of(stored.best.gain);
    document["borders"] = borders_json(store.results(), stored);
  }
  if (story.peak.gbps > 0) document["peak"] = tuner::json_of(story.peak);
  if (story.noise_floor) document["noise_floor"] = *story.noise_floor;
  if (story.default_us) document["default_us"] = *story.default_us;
  document["finalists"] = json_of_finalists(story);
  document["conditions"] = Json::object();
  for (const auto& [what, text] : story.conditions) document["conditions"][what] = text;
  document["warnings"] = story.warnings;
  document["all_trials"] = Json::array();
  for (const cache::StoredTrial& row : story.trials) {
    document["all_trials"].push_back(json_of_trial(row.trial));
  }
  return document;
}

void refuse_what_does_not_go_together(const Options& options) {
  if (options.words().empty() && options.has("time")) {
    throw UsageError("--time is of one run: name it, redtune log lists them");
  }
  if (options.has("follow") && options.has("json")) {
    throw UsageError("--follow is for people; programs take redtune tune --events");
  }
  if (options.words().empty()) return;
  for (const char* name : {"op", "type", "since"}) {
    if (!options.has(name)) continue;
    throw UsageError(
        fmt::format("--{} chooses among runs; leave it or the run's number out", name));
  }
}

int list_runs(const Options& options) {
  const RunFilter filter(options);
  const cache::Store store = copy_store(options);
  show_warnings(store);
  auto runs = store.runs();
  const Published results = all_published(store);
  std::erase_if(runs, [&](const cache::RunSummary& run) { return !filter.takes(run, results); });
  if (!options.has("json")) {
    print_runs(runs, results);
    return 0;
  }
  Json rows = Json::array();
  for (const auto& run : runs) rows.push_back(json_of_run(run));
  print_json({{"runs", rows}});
  return 0;
}

}  // namespace

int run_log(const Options& options) {
  refuse_what_does_not_go_together(options);
  if (options.has("follow")) return follow_run(options);
  if (options.words().empty()) return list_runs(options);
  const cache::Store store = copy_store(options);
  show_warnings(store);
  const cache::RunSummary run = find_run(store, options.words()[0]);
  if (options.has("time")) {
    show_time(options, run);
  } else if (options.has("json")) {
    print_json(json_of_story(store, story_of(store, run)));
  } else if (options.has("failed")) {
    fmt::print("{}", failures_of(story_of(store, run)));
  } else {
    print_run(store, run);
  }
  return 0;
}

}  // namespace redtune::cli
