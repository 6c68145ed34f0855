// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/report/run_story.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <fmt/format.h>

#include "cache/files/paths.hpp"
#include "kernel_templates/family/family.hpp"
#include "redtune/error.hpp"
#include "runtime/resolve.hpp"
#include "tuner/measure/decide.hpp"
#include "tuner/session/restriction.hpp"
#include "tuner/session/session_time.hpp"
#include "tuner/text/counted.hpp"

namespace redtune::cli {
namespace {

// Logs and measurements are documents that anybody may have written.

std::optional<double> number_in(const Json& object, std::string_view name) {
  const auto found = object.find(name);
  if (found == object.end() || !found->is_number()) return std::nullopt;
  const auto value = found->get<double>();
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<std::size_t> position_in(const Json& object, std::string_view name) {
  const auto value = number_in(object, name);
  if (!value || *value < 0 || *value > 1e6) return std::nullopt;
  return static_cast<std::size_t>(*value);
}

const Json* member(const Json& object, std::string_view name) {
  const auto found = object.find(name);
  return found == object.end() ? nullptr : &*found;
}

std::optional<Interval> interval_in(const Json& object, std::string_view name) {
  const Json* interval = member(object, name);
  if (interval == nullptr || !interval->is_object()) return std::nullopt;
  const auto low = number_in(*interval, "low");
  const auto median = number_in(*interval, "median");
  const auto high = number_in(*interval, "high");
  if (!low || !median || !high) return std::nullopt;
  const Interval found{*low, *median, *high};
  return cache::is_positive(found) ? std::optional(found) : std::nullopt;
}

Settings settings_in(const Json& object) {
  Settings settings;
  const Json* members = member(object, "settings");
  if (members == nullptr || !members->is_object()) return settings;
  for (const auto& [name, value] : members->items()) {
    if (value.is_string()) settings.push_back({name, value.get<std::string>()});
  }
  return settings;
}

/// Of a result's measurement or a log's "result"; nothing where a part of it is no finalist.
std::vector<Finalist> finalists_in(const Json& document) {
  std::vector<Finalist> finalists;
  const Json* rows = document.is_object() ? member(document, "finalists") : nullptr;
  if (rows == nullptr || !rows->is_array()) return finalists;
  for (const Json& row : *rows) {
    const auto time = row.is_object() ? interval_in(row, "time_us") : std::nullopt;
    if (!time) return {};
    finalists.push_back({.settings = settings_in(row), .time_us = *time});
  }
  if (finalists.empty()) return finalists;
  finalists.front().is_default = true;
  const auto mark = [&](std::optional<std::size_t> index, bool Finalist::*flag) {
    if (index && *index < finalists.size()) finalists[*index].*flag = true;
  };
  mark(position_in(document, "fastest"), &Finalist::is_fastest);
  mark(position_in(document, "passed_over"), &Finalist::is_passed_over);
  const Json* undecided = member(document, "is_undecided");
  if (undecided == nullptr || *undecided != true) {
    mark(position_in(document, "winner"), &Finalist::is_winner);
  }
  const Json* ties = member(document, "ties");
  if (ties == nullptr || !ties->is_array()) return finalists;
  for (const Json& tie : *ties) {
    if (tie.is_number_unsigned() && tie.get<std::size_t>() < finalists.size()) {
      finalists[tie.get<std::size_t>()].is_tie = true;
    }
  }
  return finalists;
}

/// The default as this version's family has it; nothing for kernels that their file describes.
std::optional<Settings> default_of(const cache::RunStart& start) {
  if (start.problem.op == Op::kernel) return std::nullopt;
  try {
    return kernels::find_family(start.family)
        .default_settings(start.problem, runtime::limits_of(start.device));
  } catch (const Error&) {
    return std::nullopt;  // of a family that only another version knows
  }
}

bool is_measured(const cache::Trial& trial) {
  return trial.status == "ok" && trial.time_us.has_value();
}

// Conditions.

struct Reading {
  std::string_view name;
  std::string_view what;
  std::string_view unit;
};

constexpr Reading reading_rows[] = {
    {"clock_mhz", "Clock after the final", "MHz"},
    {"memory_clock_mhz", "Memory clock after the final", "MHz"},
    {"temperature_c", "Temperature after the final", "°C"},
    {"power_w", "Power after the final", "W"},
    {"power_cap_w", "Power limit", "W"},
};

void add_readings(RunStory& story, const Json& measurement) {
  const Json* found = measurement.is_object() ? member(measurement, "readings") : nullptr;
  if (found == nullptr || !found->is_object()) return;
  for (const Reading& row : reading_rows) {
    if (const auto value = number_in(*found, row.name)) {
      story.conditions.emplace_back(row.what, fmt::format("{:g} {}", *value, row.unit));
    }
  }
  const Json* limits = member(*found, "throttled_by");
  if (limits == nullptr) return;
  const auto dumped = [](const Json& value) {
    return value.is_string() ? value.get<std::string>()
                             : value.dump(-1, ' ', false, Json::error_handler_t::replace);
  };
  std::string names;
  if (limits->is_array()) {
    for (const Json& one : *limits) names += (names.empty() ? "" : ", ") + dumped(one);
  } else {
    names = dumped(*limits);
  }
  if (!names.empty()) story.conditions.emplace_back("Slowed down by", names);
}

void add_calibration(RunStory& story, const Json& calibration, const std::string& session) {
  const auto add = [&](std::string_view what, std::string text) {
    story.conditions.emplace_back(fmt::format("{}{}", what, session), std::move(text));
  };
  if (const auto noise = number_in(calibration, "noise_floor")) {
    if (!story.noise_floor && *noise > 0) story.noise_floor = noise;
    add("Noise", fmt::format("±{:.2g} % of a time", 100 * *noise));
  }
  if (const auto time = number_in(calibration, "default_us")) {
    add("The default when calibrating", fmt::format("{:.4g} µs", *time));
  }
  if (const auto resolution = number_in(calibration, "resolution_us")) {
    add("Resolution of the clock", fmt::format("{:.3g} µs", *resolution));
  }
  const Json* warnings = member(calibration, "warnings");
  if (warnings == nullptr || !warnings->is_array()) return;
  for (const Json& warning : *warnings) {
    if (warning.is_string()) story.warnings.push_back(warning.get<std::string>());
  }
}

/// What the log of a session has besides trials. number: of how many; 0: of one.
void add_session(RunStory& story, const std::vector<Json>& records, std::size_t number) {
  const std::string session = number == 0 ? "" : fmt::format(", session {}", number);
  for (const Json& record : records) {
    const Json* kind = member(record, "kind");
    if (kind == nullptr) continue;
    if (*kind == "calibration") {
      add_calibration(story, record, session);
      if (!story.default_us) story.default_us = number_in(record, "default_us");
    } else if (*kind == "result" && story.finalists.empty()) {
      story.finalists = finalists_in(record);
    }
  }
}

/// Seconds of a time as stores have it, 2026-01-02T03:04:05.678Z.
std::optional<double> seconds_at(std::string_view time) {
  if (time.size() < 19) return std::nullopt;
  const auto part = [&](std::size_t at, std::size_t length) {
    int value = -1;
    const char* const begin = time.data() + at;
    const auto [end, error] = std::from_chars(begin, begin + length, value);
    return error == std::errc{} && end == begin + length ? value : -1;
  };
  using namespace std::chrono;
  const year_month_day day{year(part(0, 4)), month(static_cast<unsigned>(part(5, 2))),
                           std::chrono::day(static_cast<unsigned>(part(8, 2)))};
  const int hour = part(11, 2);
  const int minute = part(14, 2);
  const int second = part(17, 2);
  if (!day.ok() || hour < 0 || minute < 0 || second < 0) return std::nullopt;
  const int thousandths = time.size() >= 23 ? std::max(0, part(20, 3)) : 0;
  const double days_so_far = static_cast<double>(sys_days(day).time_since_epoch().count());
  return ((days_so_far * 24 + hour) * 60 + minute) * 60 + second + thousandths / 1e3;
}

std::string interval_text(const Interval& interval) {
  return fmt::format("95 % interval {:.4g} to {:.4g}", interval.low, interval.high);
}

std::string so_far(const RunStory& story) {
  const cache::Trial* fastest = story.fastest_trial();
  if (fastest == nullptr) return "Nothing was measured.";
  return fmt::format(
      "The fastest of its trials took {:.4g} µs (95 % interval {:.4g} to {:.4g} µs).",
      fastest->time_us->median, fastest->time_us->low, fastest->time_us->high);
}

std::string verdict_of_result(const cache::PastResult& past) {
  const cache::Best& best = past.stored.best;
  std::string text;
  if (best.reason == "winner") {
    text = fmt::format(
        "The winner is {:.4g} times as fast as the default ({}): {:.4g} µs instead of {:.4g} µs",
        best.gain.median, interval_text(best.gain), best.time_us.median, best.default_us);
  } else if (best.reason == "no significant gain") {
    text = fmt::format(
        "Nothing is certain to be faster than the default, which takes {:.4g} µs (95 % interval "
        "{:.4g} to {:.4g} µs) and stays",
        best.time_us.median, best.time_us.low, best.time_us.high);
  } else if (best.reason == cache::kept_off_the_alignment) {
    text = fmt::format(
        "The default stays, which takes {:.4g} µs (95 % interval {:.4g} to {:.4g} µs): what would "
        "have won is faster by a hundredth at most, and slower where the first row begins within "
        "a vector",
        best.time_us.median, best.time_us.low, best.time_us.high);
  } else {
    text = fmt::format("{}: {:.4g} µs (95 % interval {:.4g} to {:.4g} µs)", best.reason,
                       best.time_us.median, best.time_us.low, best.time_us.high);
  }
  if (!past.revoked) return text + ".";
  return fmt::format("{}; this result was taken back on {}: {}", text,
                     past.revoked->at.substr(0, 10), past.revoked->reason);
}

}  // namespace

const cache::Trial* RunStory::fastest_trial() const {
  const cache::Trial* fastest = nullptr;
  for (const cache::StoredTrial& row : trials) {
    const cache::Trial& trial = row.trial;
    if (!is_measured(trial)) continue;
    if (fastest == nullptr || trial.time_us->median < fastest->time_us->median) fastest = &trial;
  }
  return fastest;
}

RunStory story_of(const cache::Store& store, const cache::RunSummary& run) {
  RunStory story{.run = run,
                 .trials = {},
                 .result = published(store, run.id),
                 .finalists = {},
                 .default_settings = {},
                 .default_us = {},
                 .noise_floor = {},
                 .peak = peak_of(store, run),
                 .conditions = {},
                 .warnings = {},
                 .time = time_of(run)};
  if (auto shared = store.share(run.id)) story.trials = std::move(shared->trials);
  if (story.result) {
    const Json measurement = Json::parse(story.result->stored.best.measurement, nullptr, false);
    story.finalists = finalists_in(measurement);
    for (Finalist& finalist : story.finalists) {
      finalist.is_winner = finalist.settings == story.result->stored.best.settings;
    }
    add_readings(story, measurement);
    story.default_us = story.result->stored.best.default_us;
    const double noise = story.result->stored.best.noise_floor;
    if (noise > 0) story.noise_floor = noise;
  }
  if (const auto folder = cache::logs_folder()) {
    const auto sessions = tuner::session_records(*folder, run);
    for (std::size_t i = 0; i < sessions.size(); ++i) {
      add_session(story, sessions[i], sessions.size() == 1 ? 0 : i + 1);
    }
  }
  story.default_settings =
      story.finalists.empty() ? default_of(run.start) : story.finalists.front().settings;
  if (story.default_us && !(*story.default_us > 0)) story.default_us.reset();
  return story;
}

std::string verdict_of(const RunStory& story) {
  if (story.result) return verdict_of_result(*story.result);
  const std::string note = story.run.note.empty() ? "" : ": " + story.run.note;
  switch (story.run.state) {
    case cache::RunState::running:
      return "The run has not ended. " + so_far(story);
    case cache::RunState::interrupted:
      return fmt::format("The run was interrupted{}. {}", note, so_far(story));
    case cache::RunState::failed:
      return fmt::format("The run failed{}. {}", note, so_far(story));
    case cache::RunState::done:
      break;
  }
  return fmt::format("No result was published{}. {}", note, so_far(story));
}

std::string choice_of(const RunStory& story) {
  const bool is_whole = !is_restricted(story.run.start);
  const std::string_view reference = is_whole ? "the default" : "what all were compared with";
  const auto find = [&](bool Finalist::*flag) {
    const auto found = std::ranges::find(story.finalists, true, flag);
    return found == story.finalists.end() ? nullptr : &*found;
  };
  const Finalist* winner = find(&Finalist::is_winner);
  const Finalist* fastest = find(&Finalist::is_fastest);
  if (winner == nullptr) return {};
  const auto ties =
      static_cast<std::size_t>(std::ranges::count(story.finalists, true, &Finalist::is_tie));
  const double least = 100 * (least_gain - 1);
  if (find(&Finalist::is_passed_over) != nullptr) {
    const std::string_view what = !winner->is_default ? "It was chosen of those that gain for sure"
                                  : is_whole          ? "The default stays"
                                                      : "What all were compared with stays";
    return fmt::format(
        "{}: off the alignment of vectors it is faster than who would have won otherwise.", what);
  }
  if (winner->is_default && winner != fastest) {
    return fmt::format("{} stays: for no finalist it is certain that it gains more than {:.1f} %.",
                       is_whole ? "The default" : "What all were compared with", least);
  }
  if (winner->is_default) {
    return is_whole ? "The default stays: it was the fastest itself."
                    : "What all were compared with was the fastest itself.";
  }
  if (winner != fastest) {
    return fmt::format(
        "It cannot be told from the fastest and was preferred to it: of finalists that tie, the "
        "answer that was stored before is kept, else the one that needs fewest registers and "
        "least shared memory. It gains more than {:.1f} % over {} with certainty.",
        least, reference);
  }
  if (ties == 0) {
    return fmt::format(
        "It was the fastest, is told apart from all others, and gains more than {:.1f} % over {} "
        "with certainty.",
        least, reference);
  }
  return fmt::format(
      "It was the fastest, and gains more than {:.1f} % over {} with certainty; {} cannot be told "
      "from it.",
      least, reference, counted(ties, "other finalist"));
}

std::string differences(const Settings& settings, const std::optional<Settings>& others) {
  std::string text;
  for (const Setting& setting : settings) {
    if (others && std::ranges::find(*others, setting) != others->end()) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", setting.name, setting.value);
  }
  if (!text.empty()) return text;
  return others ? "the default" : "no settings";
}

std::optional<double> seconds_until(const RunStory& story, const cache::StoredTrial& trial) {
  const auto begin = seconds_at(story.run.started_at);
  const auto at = seconds_at(trial.at);
  if (!begin || !at || *at < *begin) return std::nullopt;
  return *at - *begin;
}

}  // namespace redtune::cli
