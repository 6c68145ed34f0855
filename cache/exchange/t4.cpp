// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cache/exchange/t4.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>

#include "cache/exchange/parts.hpp"
#include "cache/exchange/read.hpp"
#include "redtune/error.hpp"

namespace redtune::cache {
namespace {

/// The version of the format that the files of others, read for tests, have.
constexpr std::string_view t4_version = "1.0.0";
/// What they call a millisecond. Readers know it by this spelling.
constexpr std::string_view milliseconds = "miliseconds";
/// What they put in place of a time.
constexpr std::string_view not_compiled = "CompilationFailedConfig";
constexpr std::string_view not_run = "RuntimeFailedConfig";

struct StatusRow {
  std::string_view status;
  std::string_view invalidity;
};

/// "constraints" is the sixth there is.
constexpr std::array statuses{
    StatusRow{"ok", "correct"},
    StatusRow{"slow", "correct"},  // given up as slow: its results were right
    StatusRow{"compile_failed", "compile"},
    StatusRow{"launch_failed", "runtime"},
    StatusRow{"crashed", "runtime"},
    StatusRow{"timed_out", "timeout"},
    StatusRow{"wrong_result", "correctness"},
    StatusRow{"flaky", "correctness"},
    StatusRow{"implausible", "correctness"},  // faster than the memory: it cannot have read it all
};

/// A number where the text is one as numbers are written, else the text.
Json value_json(const std::string& text) {
  std::int64_t number = 0;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number);
  const bool is_number = error == std::errc{} && end == last && std::to_string(number) == text;
  return is_number ? Json(number) : Json(text);
}

Json configuration_json(const Settings& settings) {
  Json json = Json::object();
  for (const Setting& setting : settings) json[setting.name] = value_json(setting.value);
  return json;
}

Json measurement(std::string_view name, const Json& value, std::string_view unit) {
  return {{"name", name}, {"value", value}, {"unit", unit}};
}

/// Times in milliseconds. One that failed has a word in the place of its time.
Json measurements_json(const Trial& trial) {
  if (!trial.time_us) {
    const bool compiled = invalidity_of(trial.status) != "compile";
    return Json::array({measurement("time", compiled ? not_run : not_compiled, milliseconds)});
  }
  return Json::array({measurement("time", trial.time_us->median / 1e3, milliseconds),
                      measurement("time_low", trial.time_us->low / 1e3, milliseconds),
                      measurement("time_high", trial.time_us->high / 1e3, milliseconds)});
}

/// What the format has no place for; microseconds as they were, since a division rounds.
Json own_json(const Trial& trial) {
  Json json{{"sequence", trial.sequence}, {"phase", trial.phase},       {"status", trial.status},
            {"samples", trial.samples},   {"attempts", trial.attempts}, {"worker", trial.worker},
            {"detail", trial.detail}};
  if (trial.time_us) json["time_us"] = interval_json(*trial.time_us);
  return json;
}

Json trial_json(const StoredTrial& stored) {
  const auto& [trial, at] = stored;
  const std::string_view invalidity = invalidity_of(trial.status);
  return {{"timestamp", at},
          {"configuration", configuration_json(trial.settings)},
          {"times",
           {{"compilation", trial.compile_ms},
            {"framework", trial.wall_ms},
            {"search_algorithm", 0},
            {"validation", 0}}},
          {"invalidity", invalidity},
          {"correctness", invalidity == "correct" ? 1 : 0},
          {"measurements", measurements_json(trial)},
          {"objectives", {"time"}},
          {"redtune", own_json(trial)}};
}

std::optional<Settings> settings_from(const JsonValue& json) {
  if (json.object() == nullptr) return std::nullopt;
  Settings settings;
  for (const auto& [name, value] : *json.object()) {
    if (const auto* text = std::get_if<std::string>(&value.value)) {
      settings.push_back({name, *text});
    } else if (const auto* number = std::get_if<std::int64_t>(&value.value)) {
      settings.push_back({name, std::to_string(*number)});
    } else {
      return std::nullopt;
    }
  }
  return settings;
}

std::optional<StoredTrial> trial_from(const JsonValue& json) {
  MemberReader reader(json);
  MemberReader times(reader.any("times"));
  MemberReader own(reader.any("redtune"));
  const auto settings = settings_from(reader.any("configuration"));
  const JsonValue* time_us = reader.any("redtune").find("time_us");
  StoredTrial stored{.trial = {.sequence = own.integer("sequence"),
                               .settings = settings.value_or(Settings{}),
                               .phase = own.text("phase"),
                               .status = own.text("status"),
                               .samples = count_from(own.any("samples")),
                               .detail = own.text("detail"),
                               .compile_ms = times.number("compilation"),
                               .wall_ms = times.number("framework"),
                               .attempts = count_from(own.any("attempts")),
                               .worker = count_from(own.any("worker"))},
                     .at = reader.text("timestamp")};
  if (time_us != nullptr) stored.trial.time_us = interval_from(*time_us);
  const bool agrees = reader.text("invalidity") == invalidity_of(stored.trial.status);
  if (!settings || !agrees || !reader.good() || !times.good() || !own.good()) return std::nullopt;
  return stored;
}

}  // namespace

std::string_view invalidity_of(std::string_view status) {
  const auto row = std::ranges::find(statuses, status, &StatusRow::status);
  return row == statuses.end() ? "runtime" : row->invalidity;
}

std::string t4_text(const SharedRun& run) {
  Json results = Json::array();
  for (const StoredTrial& trial : run.trials) results.push_back(trial_json(trial));
  Json own = question_json(run.start);
  own["run"] = run_json(run);
  return document_text({{"schema_version", t4_version},
                        {"metadata", {{"timeunit", milliseconds}, {"redtune", std::move(own)}}},
                        {"results", std::move(results)}});
}

Incoming runs_from_t4(const JsonValue& document) {
  MemberReader reader(document);
  const JsonValue* own = reader.any("metadata").find("redtune");
  if (own == nullptr) {
    throw UsageError(
        "it is a T4 file of another tuner: it does not say which reduction was tuned where, so "
        "nothing can be learned from it");
  }
  if (const std::string version = reader.text("schema_version"); !version.starts_with("1.")) {
    throw UsageError(
        fmt::format("its T4 version is {}; this redtune reads 1", shown_text(version)));
  }
  auto run = run_from(*own, MemberReader(*own).any("run"));
  const auto* rows = reader.any("results").array();
  if (!run || rows == nullptr) {
    throw UsageError("it lacks something, or has names of another version of redtune");
  }
  Incoming incoming;
  for (std::size_t i = 0; i < rows->size(); ++i) {
    if (auto trial = trial_from((*rows)[i])) {
      run->trials.push_back(std::move(*trial));
    } else {
      incoming.skipped.push_back(fmt::format("trial {}: it lacks something", i + 1));
    }
  }
  const std::string why = why_unfit(*run);
  if (!why.empty()) throw UsageError(why);
  incoming.runs.push_back(std::move(*run));
  return incoming;
}

}  // namespace redtune::cache
