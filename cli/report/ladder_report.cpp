// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/report/ladder_report.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "cli/names.hpp"
#include "cli/plot/charts.hpp"
#include "tuner/text/printable.hpp"
#include "tuner/text/table.hpp"

namespace redtune::cli {
namespace {

using kernels::LadderEnd;

constexpr const char* unknown = "-";

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
  return of > 0 ? fmt::format("{:.1f}", 100 * gbps / of) : unknown;
}

std::string gbps_text(double gbps) {
  return gbps < 100 ? fmt::format("{:.3g}", gbps) : fmt::format("{:.0f}", gbps);
}

std::string duration_text(double us) {
  if (us < 1e3) return fmt::format("{:.3g} us", us);
  return us < 1e6 ? fmt::format("{:.3g} ms", us / 1e3) : fmt::format("{:.3g} s", us / 1e6);
}

std::string times_text(double factor) {
  return factor < 9.995 ? fmt::format("{:.2f}", factor) : fmt::format("{:.1f}", factor);
}

std::string step_name(const LadderRow& row) {
  const LadderAttempt* best = row.best();
  if (row.attempts.size() < 2 || best == nullptr) return std::string(row.step->name);
  return fmt::format("{} ({})", row.step->name, best->variant.label);
}

std::vector<std::string> row_text(const LadderResult& result, const LadderRow& row,
                                  const DeviceIdentity& device) {
  const LadderAttempt* best = row.best();
  if (best == nullptr) return {step_name(row), "failed"};
  const LadderFigures mine = figures_of(result, *best);
  const LadderFigures first = figures_of(result, *first_of(result));
  return {step_name(row),
          std::to_string(best->launches),
          fmt::format("{:.2f}", mine.kernel_us),
          times_text(first.kernel_us / mine.kernel_us),
          fmt::format("{:.3f}", mine.system_us / 1e3),
          times_text(first.system_us / mine.system_us),
          gbps_text(mine.gbps),
          share(mine.gbps, device.memory_gbps),
          share(mine.gbps, result.peak.gbps)};
}

/// The launch shapes of a step that tried several.
std::string attempts_text(const LadderResult& result, const LadderRow& row) {
  std::vector<std::vector<std::string>> rows{{std::string(row.step->name), "kernel us", "GB/s"}};
  for (const LadderAttempt& attempt : row.attempts) {
    if (!attempt.failure.empty()) continue;
    const LadderFigures figures = figures_of(result, attempt);
    rows.push_back({std::string(attempt.variant.label), fmt::format("{:.2f}", figures.kernel_us),
                    gbps_text(figures.gbps)});
  }
  return table(rows);
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
    for (const std::string& note : row.notes) text += note + '\n';
    for (const LadderAttempt& attempt : row.attempts) {
      if (attempt.failure.empty()) continue;
      text += fmt::format("failed  {} {}: {}\n", row.step->name, attempt.variant.label,
                          attempt.failure);
    }
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
  if (device.memory_gbps > 0) object["share_of_theory"] = mine.gbps / device.memory_gbps;
  if (result.peak.gbps > 0) object["share_of_read"] = mine.gbps / result.peak.gbps;
  return object;
}

}  // namespace

std::string text_of(const LadderResult& result, const DeviceIdentity& device) {
  std::vector<std::vector<std::string>> rows{{"step", "launches", "kernel us", "kernel x",
                                              "system ms", "system x", "GB/s", "% theory",
                                              "% read"}};
  for (const LadderRow& row : result.rows) rows.push_back(row_text(result, row, device));
  std::string text = fmt::format("{}\n\n{}\n", heading(result, device), table(rows));
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
         fmt::format("{}, {} GB/s", duration_text(figures.kernel_us), gbps_text(figures.gbps))});
  }
  return svg_of(chart);
}

}  // namespace redtune::cli
