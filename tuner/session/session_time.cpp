// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/session/session_time.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <sstream>
#include <utility>
#include <variant>

#include "cache/files/files.hpp"
#include "tuner/session/run_log.hpp"

namespace redtune::tuner {
namespace {

namespace fs = std::filesystem;

/// The log of some 100,000 trials.
constexpr std::size_t most_bytes = std::size_t{64} << 20;

std::int64_t number_of(cache::RunId run) {
  return static_cast<std::int64_t>(run);
}

/// No number, or one that is no duration: nothing.
std::optional<double> seconds_in(const Json& object, std::string_view name) {
  const auto found = object.find(name);
  if (found == object.end() || !found->is_number()) return std::nullopt;
  const auto seconds = found->get<double>();
  return seconds >= 0 ? std::optional(seconds) : std::nullopt;
}

std::optional<TimeSpent> time_in(const Json& record, const cache::RunSummary& run) {
  if (!record.is_object()) return std::nullopt;
  const auto says = [&](const char* name, const Json& value) {
    const auto found = record.find(name);
    return found != record.end() && *found == value;
  };
  const bool is_of_run = says("kind", "time") && says("run", number_of(run.id)) &&
                         says("run_started_at", run.started_at);
  const auto rows = record.find("seconds");
  const auto wall = seconds_in(record, "wall_seconds");
  const auto measuring = seconds_in(record, "measuring_seconds");
  if (!is_of_run || !wall || !measuring || rows == record.end() || !rows->is_object())
    return std::nullopt;
  TimeSpent spent{.wall_seconds = *wall, .measuring_seconds = *measuring};
  for (const ActivityRow& row : activity_rows) {
    const auto seconds = seconds_in(*rows, row.name);
    if (!seconds) return std::nullopt;
    spent.of(row.activity) = *seconds;
  }
  return spent;
}

/// To the second, as logs have it.
std::string second_of(const std::string& time) {
  return time.substr(0, std::string_view("2026-01-01T00:00:00").size());
}

/// Whether a log is of this run: numbers of runs are of one store only.
bool is_log_of(const std::vector<Json>& records, const cache::RunSummary& run) {
  if (records.empty()) return false;
  const Json& start = records.front();
  const auto says = [](const Json& record, const char* name, const Json& value) {
    const auto found = record.find(name);
    return found != record.end() && *found == value;
  };
  if (!says(start, "kind", "start") || !says(start, "run", number_of(run.id))) return false;
  for (const Json& record : records) {
    if (says(record, "kind", "time")) return says(record, "run_started_at", run.started_at);
  }
  if (!says(start, "problem", json_of(run.start.problem)) || !says(start, "seed", run.start.seed) ||
      !says(start, "strategy", run.start.strategy)) {
    return false;
  }
  const auto at = start.find("at");
  if (at == start.end() || !at->is_string()) return false;
  const std::string second = second_of(at->get<std::string>());
  return second >= second_of(run.started_at) && second <= second_of(run.heartbeat_at);
}

}  // namespace

Json json_of(const TimeSpent& spent) {
  Json rows = Json::object();
  for (const ActivityRow& row : activity_rows) rows[row.name] = spent.of(row.activity);
  return {{"wall_seconds", spent.wall_seconds},
          {"measuring_seconds", spent.measuring_seconds},
          {"seconds", std::move(rows)}};
}

Json json_of(const SessionTime& time) {
  Json record{{"run", number_of(time.run)}, {"run_started_at", time.run_started_at}};
  record.update(json_of(time.spent));
  return record;
}

std::vector<TimeSpent> session_times(const fs::path& folder, const cache::RunSummary& run) {
  std::vector<TimeSpent> times;
  for (const fs::path& file : run_logs_in(folder)) {
    const auto content = cache::read_whole(file, most_bytes);
    const auto* text = std::get_if<std::string>(&content);
    if (text == nullptr) continue;
    std::istringstream lines(*text);
    for (std::string line; std::getline(lines, line);) {
      if (line.find("\"time\"") == line.npos) continue;  // most lines are of trials
      if (auto spent = time_in(Json::parse(line, nullptr, false), run)) times.push_back(*spent);
    }
  }
  return times;
}

std::vector<std::vector<Json>> session_records(const fs::path& folder,
                                               const cache::RunSummary& run) {
  std::vector<std::vector<Json>> sessions;
  for (const fs::path& file : run_logs_in(folder)) {
    const auto content = cache::read_whole(file, most_bytes);
    const auto* text = std::get_if<std::string>(&content);
    if (text == nullptr) continue;
    std::vector<Json> records;
    std::istringstream lines(*text);
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with(R"({"kind":"trial")")) continue;
      Json record = Json::parse(line, nullptr, false);
      if (record.is_object()) records.push_back(std::move(record));
    }
    if (is_log_of(records, run)) sessions.push_back(std::move(records));
  }
  return sessions;
}

}  // namespace redtune::tuner
