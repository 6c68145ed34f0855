// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/tune_report.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "cli/names.hpp"
#include "cli/report/measured_text.hpp"
#include "tuner/text/counted.hpp"
#include "tuner/text/measured_json.hpp"
#include "tuner/text/table.hpp"

namespace redtune::cli {
namespace {

std::string statuses_text(const TuneResult& result) {
  std::string text;
  for (const auto& [status, count] : result.statuses) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, status);
  }
  return text;
}

std::string verdict(const TuneResult& result) {
  const Decision& decision = result.decision;
  if (result.leaves_standing) return "interrupted before it was beaten: the stored answer stays";
  if (decision.significant) {
    return fmt::format("{:.2f}x as fast as the default (95 % sure of {:.2f}x to {:.2f}x)",
                       decision.gain.median, decision.gain.low, decision.gain.high);
  }
  if (decision.fastest == 0) return "the default is the fastest found: kept";
  return fmt::format(
      "no significant gain over the default ({:.3f}x, 95 % between {:.3f}x and "
      "{:.3f}x): the default is kept",
      decision.gain.median, decision.gain.low, decision.gain.high);
}

std::string role(const TuneResult& result, std::size_t finalist) {
  const Decision& decision = result.decision;
  std::string text;
  const bool is_tie = std::ranges::find(decision.ties, finalist) != decision.ties.end();
  if (finalist == decision.winner)
    text = result.leaves_standing ? "" : "winner";
  else if (finalist == decision.fastest)
    text = decision.significant ? "fastest, ties" : "fastest, not significantly";
  else if (is_tie)
    text = "ties";
  if (finalist == 0) text += text.empty() ? "default" : ", default";
  return text;
}

}  // namespace

double gigabytes_per_second(const Problem& problem, double us) {
  return kernels::family_of(problem).bytes_moved(problem) / us / 1e3;
}

std::string text_of(const Progress& progress) {
  const auto us = [](const std::optional<double>& time) {
    return time ? fmt::format("{:.2f} us", *time) : std::string("-");
  };
  return fmt::format("{}, default {}, best {}", counted(progress.trials, "trial"),
                     us(progress.default_us), us(progress.best_us));
}

std::string text_of(const TuneResult& result, const Problem& problem, const Peak& peak) {
  const Decision& decision = result.decision;
  std::vector<std::vector<std::string>> rows{{"time us", "95 %", "GB/s", "", "config"}};
  for (std::size_t i = 0; i < result.finalists.size(); ++i) {
    const Interval& time = decision.times_us[i];
    rows.push_back({fmt::format("{:.2f}", time.median),
                    fmt::format("{:.2f}-{:.2f}", time.low, time.high),
                    speed_text(gigabytes_per_second(problem, time.median)), role(result, i),
                    to_string(result.finalists[i])});
  }
  const double gbps = gigabytes_per_second(problem, decision.times_us[decision.winner].median);
  return fmt::format(
      "tried {} of {} ({}){}\nfinal, {} against the default (chosen on the odd "
      "rounds, times of the even ones):\n{}{}\n{}{}\n{}",
      result.trials, counted(result.space_size, "config"), statuses_text(result),
      result.interrupted ? ", interrupted" : "", counted(result.rounds, "round"), table(rows),
      verdict(result), text_of(result.figures), text_of(result.calibration),
      peak.gbps > 0 && gbps > 0 ? fmt::format("{:.2f} GB/s are {}\n", gbps, share_text(gbps, peak))
                                : "");
}

Json json_of(const TuneResult& result, const Problem& problem, const Peak& peak) {
  const Decision& decision = result.decision;
  Json finalists = Json::array();
  for (std::size_t i = 0; i < result.finalists.size(); ++i) {
    finalists.push_back({{"settings", json_of(result.finalists[i])},
                         {"time_us", json_of(decision.times_us[i])},
                         {"role", role(result, i)}});
  }
  Json document{{"problem", json_of(problem)},
                {"winner", json_of(result.winner())},
                {"time_us", json_of(decision.times_us[decision.winner])},
                {"gigabytes_per_second",
                 gigabytes_per_second(problem, decision.times_us[decision.winner].median)},
                {"default", json_of(result.default_settings)},
                {"default_us", json_of(decision.times_us[0])},
                {"gain", json_of(decision.gain)},
                {"significant", decision.significant},
                {"was_standing", result.was_standing},
                {"leaves_standing", result.leaves_standing},
                {"rounds", result.rounds},
                {"figures", json_of(result.figures)},
                {"calibration", json_of(result.calibration)},
                {"trials", result.trials},
                {"space_size", result.space_size},
                {"statuses", result.statuses},
                {"interrupted", result.interrupted},
                {"disturbed_by", result.disturbance},
                {"finalists", finalists}};
  if (peak.gbps > 0) document["peak"] = json_of(peak);
  return document;
}

}  // namespace redtune::cli
