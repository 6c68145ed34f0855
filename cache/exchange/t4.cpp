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

std::optional<Settings> configuration_from(const Json& json) {
  if (!json.is_object()) return std::nullopt;
  Settings settings;
  for (const auto& [name, value] : json.items()) {
    const auto number = integer_from(value);
    if (!number && !value.is_string()) return std::nullopt;
    settings.push_back({name, number ? std::to_string(*number) : value.get<std::string>()});
  }
  return settings;
}

// A member at a time, as in run_from().
std::optional<StoredTrial> trial_from(const Json& json) try {
  const Json& times = json.at("times");
  const Json& own = json.at("redtune");
  const auto settings = configuration_from(json.at("configuration"));
  const auto sequence = integer_from(own.at("sequence"));
  if (!settings || !sequence) return std::nullopt;
  StoredTrial stored;
  Trial& trial = stored.trial;
  trial.sequence = *sequence;
  trial.settings = *settings;
  own.at("phase").get_to(trial.phase);
  own.at("status").get_to(trial.status);
  if (own.contains("time_us")) trial.time_us = interval_from(own.at("time_us"));
  trial.samples = count_from(own.at("samples"));
  own.at("detail").get_to(trial.detail);
  times.at("compilation").get_to(trial.compile_ms);
  times.at("framework").get_to(trial.wall_ms);
  trial.attempts = count_from(own.at("attempts"));
  trial.worker = count_from(own.at("worker"));
  json.at("timestamp").get_to(stored.at);
  if (json.at("invalidity") != invalidity_of(trial.status)) return std::nullopt;
  return stored;
} catch (const Json::exception&) {
  return std::nullopt;
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

Incoming runs_from_t4(const Json& document) {
  const Json& own = member_of(member_of(document, "metadata"), "redtune");
  if (own.is_null()) {
    throw UsageError(
        "it is a T4 file of another tuner: it does not say which reduction was tuned where, so "
        "nothing can be learned from it");
  }
  const Json& told = member_of(document, "schema_version");
  const auto version = told.is_string() ? told.get<std::string>() : std::string();
  if (!version.starts_with("1.")) {
    throw UsageError(
        fmt::format("its T4 version is {}; this redtune reads 1", shown_text(version)));
  }
  auto run = run_from(own, member_of(own, "run"));
  const Json& rows = member_of(document, "results");
  if (!run || !rows.is_array()) {
    throw UsageError("a member is missing, or has a value that this version does not know");
  }
  Incoming incoming;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (auto trial = trial_from(rows[i])) {
      run->trials.push_back(std::move(*trial));
    } else {
      incoming.skipped.push_back(fmt::format("trial {}: a member is missing or not valid", i + 1));
    }
  }
  const std::string why = why_unfit(*run);
  if (!why.empty()) throw UsageError(why);
  incoming.runs.push_back(std::move(*run));
  return incoming;
}

}  // namespace redtune::cache
