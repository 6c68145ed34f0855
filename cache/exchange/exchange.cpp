// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cache/exchange/exchange.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <chrono>
#include <cmath>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cache/exchange/json.hpp"
#include "cache/keys/key.hpp"
#include "cache/keys/limits.hpp"
#include "redtune/error.hpp"

namespace redtune::cache {
namespace {

/// A line that a terminal can show: nothing that moves its cursor or changes its colours.
bool is_name(std::string_view text) {
  return text.size() <= most_name_bytes && std::ranges::none_of(text, [](char c) {
           return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
         });
}

bool is_plain_text(std::string_view text) {
  return text.size() <= most_text_bytes && std::ranges::none_of(text, [](char c) {
           return (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7f;
         });
}

bool are_names(const Fields& fields) {
  return std::ranges::all_of(fields, [](const Field& field) {
    const bool is_program = field.name == "op_source";
    return is_name(field.name) && (is_program ? is_plain_text(field.value) : is_name(field.value));
  });
}

bool is_config(const Settings& settings) {
  return !settings.empty() && settings.size() <= most_settings && are_names(settings);
}

bool is_amount(double value) {
  return std::isfinite(value) && value >= 0;
}

std::string why_unfit(const Problem& problem) {
  if (problem.op == Op::kernel) {
    const bool names_one = !problem.custom.source.empty();
    return names_one && is_possible(problem) ? "" : "its problem is not valid: it names no kernel";
  }
  const ProblemChoices choices{.cache_mode = problem.cache_mode,
                               .acc = problem.acc,
                               .out = problem.out,
                               .order = problem.order};
  try {
    const Problem made = problem.op == Op::custom
                             ? make_problem(problem.custom, problem.in, Shape(problem), choices)
                             : make_problem(problem.op, problem.in, Shape(problem), choices);
    return made == problem ? "" : "its problem is not valid: its fields contradict each other";
  } catch (const UsageError& error) {
    return error.what();
  }
}

std::string why_unfit(const DeviceClass& what) {
  const bool is_device = 1 <= what.compute_units && what.compute_units <= 1 << 20 &&
                         1 <= what.wave_size && what.wave_size <= 1024 &&
                         std::has_single_bit(static_cast<unsigned>(what.wave_size)) &&
                         what.last_level_cache_bytes >= 0 && what.memory_bytes >= 0;
  return is_device ? ""
                   : "its device is not valid: compute units, wave size or memory are out of range";
}

std::string why_unfit(const SharedResult& result, const std::string& latest) {
  if (!is_config(result.best.settings)) {
    return "its configuration is not valid: it has no settings, too many, or one that is not plain "
           "text";
  }
  if (!is_plausible(result.best) || result.best.contended) {
    return "its times or other numbers cannot have been measured";
  }
  if (!is_name(result.best.reason)) return "its reason is too long, or not one line";
  if (!is_time(result.at)) return "the time it was published at is not valid";
  if (result.at > latest)
    return fmt::format("it was published in the future, at {}; is a clock wrong?", result.at);
  const std::string& measurement = result.best.measurement;
  if (measurement.empty()) return {};
  const auto json = measurement.size() <= most_text_bytes ? parse_json(measurement) : std::nullopt;
  return json && json->is_object() ? "" : "its account of the measurement is not a JSON object";
}

/// What of a trial cannot be so; empty: nothing.
std::string_view fault_of(const StoredTrial& stored) {
  const auto& [trial, at] = stored;
  const bool is_told = is_name(trial.phase) && !trial.phase.empty() && is_name(trial.status) &&
                       !trial.status.empty() && is_plain_text(trial.detail) &&
                       is_config(trial.settings);
  const bool is_counted = trial.sequence >= 0 && trial.samples >= 0 && trial.attempts >= 1 &&
                          trial.worker >= 0 && is_amount(trial.compile_ms) &&
                          is_amount(trial.wall_ms);
  const bool is_timed = trial.time_us ? is_positive(*trial.time_us) : trial.status != "ok";
  if (!is_told) return "a text or its configuration is missing, too long or not plain";
  if (!is_counted) return "a count or a duration is out of range";
  if (!is_timed) return "its time is missing or not positive";
  return at.empty() || is_time(at) ? "" : "the time it was recorded at is not valid";
}

std::string why_unfit(const StoredTrial& stored) {
  const std::string_view fault = fault_of(stored);
  if (fault.empty()) return {};
  return fmt::format("its trial {} is not valid: {}", stored.trial.sequence, fault);
}

}  // namespace

bool is_time(std::string_view text) {
  constexpr std::string_view form = "0000-00-00T00:00:00.000Z";
  if (text.size() != form.size()) return false;
  for (std::size_t i = 0; i < form.size(); ++i) {
    const bool is_digit = '0' <= text[i] && text[i] <= '9';
    if (form[i] == '0' ? !is_digit : text[i] != form[i]) return false;
  }
  const auto number = [&](std::size_t at, std::size_t digits) {
    int value = 0;
    std::from_chars(text.data() + at, text.data() + at + digits, value);
    return value;
  };
  const std::chrono::year_month_day day{std::chrono::year(number(0, 4)),
                                        std::chrono::month(static_cast<unsigned>(number(5, 2))),
                                        std::chrono::day(static_cast<unsigned>(number(8, 2)))};
  return day.ok() && number(11, 2) < 24 && number(14, 2) < 60 && number(17, 2) < 60;
}

std::string time_in_days(double days) {
  using namespace std::chrono;
  const auto then = time_point_cast<seconds>(system_clock::now()) +
                    seconds(static_cast<std::int64_t>(days * 24 * 60 * 60));
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.000Z", fmt::gmtime(system_clock::to_time_t(then)));
}

std::string why_unfit(const StoredBorder& stored) {
  const auto& [question, border, at] = stored;
  const bool is_told =
      is_name(question.family) && is_name(question.space_key) && is_name(border.below_config) &&
      is_name(border.above_config) && are_names(fields_of(question.problem)) &&
      are_names(fields_of(question.device_class)) && are_names(fields_of(question.toolchain));
  if (!is_told) return "it has a text that is too long, or not one line";
  if (std::string why = why_unfit(question.problem); !why.empty()) return why;
  if (std::string why = why_unfit(question.device_class); !why.empty()) return why;
  if (!is_plausible(stored)) return "it does not lie between its counts";
  return is_time(at) && at <= time_in_days(1) ? "" : "the time it was measured at is not valid";
}

std::string why_unfit(const SharedRun& run) {
  const RunStart& start = run.start;
  for (const std::string* name :
       {&start.family, &start.space_key, &start.device.name, &start.strategy, &start.budget,
        &start.program_version, &run.note}) {
    if (!is_name(*name)) return "it has a text that is too long, or not one line";
  }
  if (!are_names(fields_of(start.problem)) || !are_names(fields_of(start.device.device_class)) ||
      !are_names(fields_of(start.device.toolchain))) {
    return "it has a field that is too long, or not one line";
  }
  if (std::string why = why_unfit(start.problem); !why.empty()) return why;
  if (std::string why = why_unfit(start.device.device_class); !why.empty()) return why;
  if (!is_time(run.started_at) || !(run.finished_at.empty() || is_time(run.finished_at))) {
    return "the time it began or ended at is not valid";
  }
  if (run.peaks && !(is_amount(run.peaks->memory_gbps) && run.peaks->memory_gbps > 0 &&
                     is_amount(run.peaks->cache_gbps))) {
    return "its peak speeds are not valid";
  }
  const std::string latest = time_in_days(1);  // zones do not matter; clocks may differ a little
  for (const SharedResult& result : run.results) {
    if (std::string why = why_unfit(result, latest); !why.empty()) return why;
  }
  for (const StoredTrial& trial : run.trials) {
    if (std::string why = why_unfit(trial); !why.empty()) return why;
  }
  return {};
}

}  // namespace redtune::cache
