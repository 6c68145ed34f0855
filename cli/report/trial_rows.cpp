// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/report/trial_rows.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_set>
#include <utility>

#include "cli/report/csv_text.hpp"

namespace redtune::cli {
namespace {

std::vector<std::string> cells_of(const RunStory& story, const cache::StoredTrial& row) {
  const cache::Trial& trial = row.trial;
  const auto time = [&](double Interval::*part) {
    return trial.time_us ? fmt::format("{}", (*trial.time_us).*part) : std::string();
  };
  return {std::to_string(number_of_run(story.run.id)),
          std::to_string(trial.sequence),
          trial.phase,
          trial.status,
          time(&Interval::median),
          time(&Interval::low),
          time(&Interval::high),
          std::to_string(trial.samples),
          fmt::format("{}", trial.compile_ms),
          fmt::format("{}", trial.wall_ms),
          std::to_string(trial.attempts),
          std::to_string(trial.worker),
          row.at};
}

Json json_of_row(const cache::StoredTrial& row) {
  const cache::Trial& trial = row.trial;
  return {{"sequence", trial.sequence},
          {"phase", trial.phase},
          {"status", trial.status},
          {"time_us", trial.time_us ? tuner::json_of(*trial.time_us) : Json()},
          {"samples", trial.samples},
          {"compile_ms", trial.compile_ms},
          {"wall_ms", trial.wall_ms},
          {"attempts", trial.attempts},
          {"worker", trial.worker},
          {"at", row.at},
          {"settings", tuner::json_of(trial.settings)},
          {"detail", trial.detail}};
}

}  // namespace

std::vector<std::string> tunables_of(const std::vector<cache::StoredTrial>& trials) {
  std::vector<std::string> names;
  std::unordered_set<std::string> known;
  for (const cache::StoredTrial& row : trials) {
    for (const Setting& setting : row.trial.settings) {
      if (known.insert(setting.name).second) names.push_back(setting.name);
    }
  }
  return names;
}

std::string_view setting_in(const Settings& settings, std::string_view name) {
  const auto found = std::ranges::find(settings, name, &Setting::name);
  return found == settings.end() ? std::string_view() : std::string_view(found->value);
}

std::string csv_of(const RunStory& story) {
  const std::vector<std::string> tunables = tunables_of(story.trials);
  std::vector<std::string> heads{"run",      "sequence", "phase",   "status",     "median_us",
                                 "low_us",   "high_us",  "samples", "compile_ms", "wall_ms",
                                 "attempts", "worker",   "at"};
  for (const std::string& name : tunables) heads.push_back("settings." + name);
  heads.emplace_back("detail");
  CsvText csv;
  csv.add(heads);
  for (const cache::StoredTrial& row : story.trials) {
    std::vector<std::string> cells = cells_of(story, row);
    for (const std::string& name : tunables) {
      cells.emplace_back(setting_in(row.trial.settings, name));
    }
    cells.push_back(row.trial.detail);
    csv.add(cells);
  }
  return std::move(csv).whole();
}

Json json_of_finalists(const RunStory& story) {
  Json rows = Json::array();
  for (const Finalist& finalist : story.finalists) {
    rows.push_back({{"settings", tuner::json_of(finalist.settings)},
                    {"time_us", tuner::json_of(finalist.time_us)},
                    {"default", finalist.is_default},
                    {"winner", finalist.is_winner},
                    {"fastest", finalist.is_fastest},
                    {"tie", finalist.is_tie}});
  }
  return rows;
}

Json json_of(const RunStory& story) {
  const cache::RunSummary& run = story.run;
  Json device = tuner::json_of(run.start.device);
  device.erase("address");  // of this machine, and the document may go to others
  Json document{{"run", number_of_run(run.id)},
                {"state", to_string(run.state)},
                {"started_at", run.started_at},
                {"finished_at", run.finished_at},
                {"problem", tuner::json_of(run.start.problem)},
                {"device", std::move(device)},
                {"strategy", run.start.strategy},
                {"seed", run.start.seed},
                {"budget", run.start.budget},
                {"note", run.note},
                {"verdict", verdict_of(story)}};
  document["finalists"] = json_of_finalists(story);
  document["trials"] = Json::array();
  for (const cache::StoredTrial& row : story.trials) {
    document["trials"].push_back(json_of_row(row));
  }
  return document;
}

}  // namespace redtune::cli
