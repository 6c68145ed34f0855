// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune log: the tuning runs of this machine, and what happened in one.
#include <algorithm>
#include <fmt/format.h>
#include <sstream>

#include "cache/store/store.hpp"
#include "cli/cache_common.hpp"
#include "cli/commands.hpp"
#include "cli/names.hpp"
#include "cli/report/border_text.hpp"
#include "cli/report/run_facts.hpp"
#include "cli/say.hpp"
#include "redtune/error.hpp"
#include "tuner/measure/peak.hpp"
#include "tuner/session/session_time.hpp"
#include "tuner/text/counted.hpp"
#include "tuner/text/measured_json.hpp"
#include "tuner/text/table.hpp"

namespace redtune::cli {
namespace {

constexpr std::size_t most_shown = 20;

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

void print_runs(const std::vector<cache::RunSummary>& runs) {
  std::vector<std::vector<std::string>> rows{
      {"run", "started", "state", "problem", "device", "strategy", "trials", "result"}};
  for (const auto& run : runs) {
    rows.push_back({std::to_string(number_of_run(run.id)), run.started_at.substr(0, 19),
                    std::string(to_string(run.state)), describe(run.start.problem),
                    run.start.device.name, run.start.strategy, std::to_string(run.trial_count),
                    run.note});
  }
  fmt::print("{}", table(rows));
}

/// A compiler's log is several lines; none of them is to be taken for one of redtune's.
std::string indented(const std::string& text) {
  std::string shown;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) shown += "  " + printable(line) + '\n';
  return shown;
}

void print_trials(const std::vector<cache::Trial>& trials) {
  std::vector<cache::Trial> timed;
  for (const auto& trial : trials) {
    if (trial.time_us) timed.push_back(trial);
  }
  std::ranges::sort(timed, {}, [](const auto& trial) { return trial.time_us->median; });
  std::vector<std::vector<std::string>> rows{{"trial", "time us", "status", "config"}};
  for (const auto& trial : timed) {
    if (rows.size() > most_shown) break;
    rows.push_back({std::to_string(trial.sequence), fmt::format("{:.2f}", trial.time_us->median),
                    trial.status, to_string(trial.settings)});
  }
  say("the fastest of {} (--json shows all):\n", counted(trials.size(), "trial"));
  fmt::print("{}", table(rows));
  for (const auto& trial : trials) {
    if (trial.time_us) continue;
    say("trial {} {}: {}\n", trial.sequence, trial.status, to_string(trial.settings));
    fmt::print("{}", indented(trial.detail));
  }
}

void print_run(const cache::Store& store, const cache::RunSummary& run) {
  say("run {} {} ({})\nproblem   {}\ndevice    {} ({})\nstrategy  {}, seed {}, budget {}\n",
      number_of_run(run.id), to_string(run.state), run.started_at, describe(run.start.problem),
      run.start.device.name, run.start.device.device_class.isa, run.start.strategy, run.start.seed,
      run.start.budget);
  if (const auto past = published(store, run.id)) {
    const cache::StoredBest* best = &past->stored;
    say("result    {:.2f} us, {} GB/s, {}: {:.2f}x the default ({:.2f}x to {:.2f}x)\n  {}\n",
        best->best.time_us.median, speed_text(best->best.gigabytes_per_second), best->best.reason,
        best->best.gain.median, best->best.gain.low, best->best.gain.high,
        to_string(best->best.settings));
    const Peak peak = peak_of(store, run);
    if (peak.gbps > 0 && best->best.gigabytes_per_second > 0) {
      say("  {}\n", share_text(best->best.gigabytes_per_second, peak));
    }
    for (const std::string& line : border_lines(store.bests(), *best)) {
      say("answers   {}\n", line);
    }
  } else {
    say("result    {}\n", run.note.empty() ? "none published" : run.note);
  }
  print_trials(store.trials(run.id));
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

}  // namespace

int run_log(const Options& options) {
  if (options.words().empty() && options.has("time")) {
    throw UsageError("--time is of one run: name it, redtune log lists them");
  }
  const cache::Store store = copy_store(options);
  show_warnings(store);
  if (options.words().empty()) {
    const auto runs = store.runs();
    if (!options.has("json")) {
      print_runs(runs);
      return 0;
    }
    Json rows = Json::array();
    for (const auto& run : runs) rows.push_back(json_of_run(run));
    print_json({{"runs", rows}});
    return 0;
  }
  const cache::RunSummary run = find_run(store, options.words()[0]);
  if (options.has("time")) {
    show_time(options, run);
    return 0;
  }
  if (!options.has("json")) {
    print_run(store, run);
    return 0;
  }
  Json document = json_of_run(run);
  if (const auto past = published(store, run.id)) {
    const cache::StoredBest* best = &past->stored;
    document["winner"] = tuner::json_of(best->best.settings);
    document["time_us"] = tuner::json_of(best->best.time_us);
    document["gain"] = tuner::json_of(best->best.gain);
    document["borders"] = borders_json(store.bests(), *best);
  }
  if (const Peak peak = peak_of(store, run); peak.gbps > 0) document["peak"] = tuner::json_of(peak);
  document["all_trials"] = Json::array();
  for (const auto& trial : store.trials(run.id)) {
    document["all_trials"].push_back(json_of_trial(trial));
  }
  print_json(document);
  return 0;
}

}  // namespace redtune::cli
