// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/report/ladder_report.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "cli/names.hpp"
#include "cli/plot/charts.hpp"
#include "cli/report/screen_text.hpp"
#include "tuner/text/printable.hpp"

namespace redtune::cli {
namespace {

using kernels::LadderEnd;

constexpr const char* unknown = "-";
constexpr std::size_t notes_begin = 8;  ///< the column behind the word that says what they are of

/// What the columns of one attempt are made of; bandwidths in GB/s, 0: unknown.
struct LadderFigures {
  double kernel_us;
  double system_us;
  double gbps;
};

LadderFigures figures_of(const LadderResult& result, const LadderAttempt& attempt) {
  const auto bytes = static_cast<double>(input_bytes(result.problem));
  const double us = attempt.times.kernel_us.median;
  return {us, attempt.times.system_us.median, bytes / us / 1e3};
}

/// What every step is compared with: the first one that ran.
const LadderAttempt* first_of(const LadderResult& result) {
  for (const LadderRow& row : result.rows) {
    if (row.best() != nullptr) return row.best();
  }
  return nullptr;
}

std::string share(double gbps, double of) {
  return of > 0 ? fmt::format("{:.1f} %", 100 * gbps / of) : unknown;
}

std::string times_text(double factor) {
  return factor < 9.995 ? fmt::format("{:.2f}", factor) : three_digits(factor);
}

std::string time_range(const Interval& time) {
  return fmt::format("{} to {}", us_text(time.low), us_text(time.high));
}

/// In the unit that us_text() gives its median, without it.
std::string range_without_unit(const Interval& time) {
  const std::string text = us_text(time.median);
  double unit_us = 1;
  if (text.ends_with(" ns"))
    unit_us = 1e-3;
  else if (text.ends_with(" ms"))
    unit_us = 1e3;
  else if (!text.ends_with(" us"))
    unit_us = 1e6;
  return fmt::format("{} to {}", three_digits(time.low / unit_us),
                     three_digits(time.high / unit_us));
}

/// A sum whose kernels alone are said to take longer than they do with copies; empty: it does not.
std::string contradiction_in(const StepTimes& times) {
  constexpr double other_load = 1.1;  // the two were not taken at the same time
  if (times.kernel_us.low <= other_load * times.system_us.high) return {};
  return fmt::format(
      "its kernels alone took {}, longer than copies and kernels together ({}): something else "
      "was at work meanwhile; time it again",
      time_range(times.kernel_us), time_range(times.system_us));
}

std::string step_name(const LadderRow& row) {
  const LadderAttempt* best = row.best();
  if (row.attempts.size() < 2 || best == nullptr) return std::string(row.step->name);
  return fmt::format("{} ({})", row.step->name, best->variant.label);
}

std::vector<std::string> row_text(const LadderResult& result, const LadderRow& row,
                                  const DeviceIdentity& device) {
  const LadderAttempt* best = row.best();
  const std::string name(row.step->name);
  if (best == nullptr) return {name, "failed"};
  const LadderFigures mine = figures_of(result, *best);
  const LadderFigures first = figures_of(result, *first_of(result));
  const bool is_flagged = !contradiction_in(best->times).empty();
  return {name,
          std::to_string(best->launches),
          us_text(mine.kernel_us) + (is_flagged ? " !" : ""),
          range_without_unit(best->times.kernel_us),
          times_text(first.kernel_us / mine.kernel_us),
          us_text(mine.system_us),
          times_text(first.system_us / mine.system_us),
          three_digits(mine.gbps),
          share(mine.gbps, device.memory_gbps),
          share(mine.gbps, result.peak.gbps)};
}

/// The launch shapes of a step that tried several.
std::string attempts_text(const LadderResult& result, const LadderRow& row) {
  std::vector<std::vector<std::string>> rows{
      {std::string(row.step->name), "kernel", "GB/s", "", "95 %"}};
  for (const LadderAttempt& attempt : row.attempts) {
    if (!attempt.failure.empty()) continue;
    const LadderFigures figures = figures_of(result, attempt);
    rows.push_back({std::string(attempt.variant.label), us_text(figures.kernel_us),
                    three_digits(figures.gbps), &attempt == row.best() ? "fastest" : "",
                    time_range(attempt.times.kernel_us)});
  }
  return screen_table(std::move(rows));
}

std::string heading(const LadderResult& result, const DeviceIdentity& device) {
  return fmt::format("sum of {} {} on {}", describe_count(result.problem.count),
                     to_string(result.problem.in), printable(device.name));
}

std::string peaks_text(const LadderResult& result, const DeviceIdentity& device) {
  std::string text;
  if (device.memory_gbps > 0) {
    text += fmt::format("theory  {:.0f} GB/s by memory clock and bus width\n", device.memory_gbps);
  }
  if (result.peak.gbps > 0) {
    text += fmt::format("read    {:.2f} GB/s, as this device was just seen to read from {}\n",
                        result.peak.gbps, result.peak.of);
  }
  return text;
}

std::string notes_text(const LadderResult& result, const DeviceIdentity& device) {
  std::string text = peaks_text(result, device);
  for (const LadderRow& row : result.rows) {
    for (const std::string& note : row.notes) {
      text += note.substr(0, notes_begin) + wrapped(note.substr(notes_begin), notes_begin);
    }
    for (const LadderAttempt& attempt : row.attempts) {
      if (attempt.failure.empty()) continue;
      text += wrapped(
          fmt::format("failed  {} {}: {}", row.step->name, attempt.variant.label, attempt.failure),
          notes_begin);
    }
    const std::string why = row.best() == nullptr ? "" : contradiction_in(row.best()->times);
    if (!why.empty())
      text += wrapped(fmt::format("!       {}: {}", row.step->name, why), notes_begin);
  }
  return text + "library CUB and Thrust, where they are installed: see bench/compare_cub\n";
}

Json attempt_json(const LadderResult& result, const LadderAttempt& attempt,
                  const DeviceIdentity& device) {
  Json object = Json::object();
  if (!attempt.variant.label.empty()) object["variant"] = attempt.variant.label;
  if (!attempt.failure.empty()) {
    object["failed"] = attempt.failure;
    return object;
  }
  const LadderFigures mine = figures_of(result, attempt);
  const LadderFigures first = figures_of(result, *first_of(result));
  object["launches"] = attempt.launches;
  object["longest_chain"] = attempt.longest_chain;
  object["kernel_us"] = json_of(attempt.times.kernel_us);
  object["samples"] = attempt.times.samples;
  object["executions"] = attempt.times.executions;
  object["system_us"] = json_of(attempt.times.system_us);
  object["system_samples"] = attempt.times.system_samples;
  object["kernel_speed_up"] = first.kernel_us / mine.kernel_us;
  object["system_speed_up"] = first.system_us / mine.system_us;
  object["gigabytes_per_second"] = mine.gbps;
  if (const std::string why = contradiction_in(attempt.times); !why.empty()) {
    object["contradiction"] = why;
  }
  if (device.memory_gbps > 0) object["share_of_theory"] = mine.gbps / device.memory_gbps;
  if (result.peak.gbps > 0) object["share_of_read"] = mine.gbps / result.peak.gbps;
  return object;
}

}  // namespace

std::string text_of(const LadderResult& result, const DeviceIdentity& device) {
  std::vector<std::vector<std::string>> rows{
      {"step", "launch", "kernel", "95 %", "x", "system", "x", "GB/s", "theory", "read"}};
  for (const LadderRow& row : result.rows) rows.push_back(row_text(result, row, device));
  std::string text =
      fmt::format("{}\n\n{}\n", heading(result, device), screen_table(std::move(rows)));
  for (const LadderRow& row : result.rows) {
    if (row.attempts.size() > 1) text += attempts_text(result, row) + '\n';
  }
  return text + notes_text(result, device);
}

Json json_of(const LadderResult& result, const DeviceIdentity& device) {
  Json steps = Json::array();
  for (const LadderRow& row : result.rows) {
    Json step{{"step", row.step->name},
              {"idea", row.step->idea},
              {"sources", row.step->sources},
              {"page", row.step->page()}};
    if (!row.settings.empty()) {
      step["match"] = to_string(row.match);
      step["settings"] = json_of(row.settings);
    }
    for (const std::string& note : row.notes) step["notes"].push_back(note);
    const LadderAttempt* best = row.best();
    step.update(attempt_json(result, best != nullptr ? *best : row.attempts.front(), device));
    if (row.attempts.size() > 1) {
      for (const LadderAttempt& attempt : row.attempts) {
        step["variants"].push_back(attempt_json(result, attempt, device));
      }
    }
    steps.push_back(std::move(step));
  }
  Json document{{"problem", json_of(result.problem)}, {"device", json_of(device)}};
  if (device.memory_gbps > 0) document["theory_gigabytes_per_second"] = device.memory_gbps;
  if (result.peak.gbps > 0) {
    document["peak"] = {{"gigabytes_per_second", result.peak.gbps}, {"of", result.peak.of}};
  }
  document["steps"] = std::move(steps);
  return document;
}

std::string chart_of(const LadderResult& result, const DeviceIdentity& device) {
  BarChart chart{.title = heading(result, device),
                 .axis = "kernel time in us, each line ten times the one before",
                 .bars = {}};
  for (const LadderRow& row : result.rows) {
    const LadderAttempt* best = row.best();
    if (best == nullptr) continue;
    const LadderFigures figures = figures_of(result, *best);
    chart.bars.push_back(
        {step_name(row), figures.kernel_us,
         fmt::format("{}, {} GB/s", us_text(figures.kernel_us), three_digits(figures.gbps))});
  }
  return svg_of(chart);
}

}  // namespace redtune::cli
