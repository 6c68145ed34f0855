// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/tune_report.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <utility>

#include "cli/names.hpp"
#include "cli/report/measured_text.hpp"
#include "cli/report/run_story.hpp"
#include "cli/report/screen_text.hpp"
#include "cli/report/workload_list.hpp"
#include "tuner/text/counted.hpp"
#include "tuner/text/measured_json.hpp"

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
  const bool is_whole = result.only.empty();
  const std::string_view reference = is_whole ? "the default" : "what it is compared with";
  if (result.is_undecided) {
    const std::string why =
        decision.open_gain > least_gain
            ? fmt::format("{} may take up to {:.2f} times as long as the best", reference,
                          decision.open_gain)
            : fmt::format("it ended before {} met {}", reference,
                          result.had_standing ? "the stored answer" : "another config");
    return fmt::format("nothing was told apart: {}; {}", why,
                       result.had_standing ? "the stored answer stays" : "nothing is published");
  }
  if (decision.significant) {
    return fmt::format("{:.2f}x as fast as {} (95 % sure of {:.2f}x to {:.2f}x)",
                       decision.gain.median, reference, decision.gain.low, decision.gain.high);
  }
  if (decision.passed_over) {
    return fmt::format(
        "{} takes {:.3f} times as long as who would have won otherwise, and off the alignment of "
        "vectors {:.2f} times{}",
        reference, decision.gain.median,
        decision.displaced_us[0] / decision.displaced_us[*decision.passed_over],
        is_whole ? ": kept" : "");
  }
  if (decision.fastest == 0) {
    return fmt::format("{} is the fastest found{}", reference, is_whole ? ": kept" : "");
  }
  return fmt::format("no significant gain over {} ({:.3f}x, 95 % between {:.3f}x and {:.3f}x){}",
                     reference, decision.gain.median, decision.gain.low, decision.gain.high,
                     is_whole ? ": the default is kept" : "");
}

std::string role(const TuneResult& result, std::size_t finalist) {
  const Decision& decision = result.decision;
  std::string text;
  const bool is_tie = std::ranges::find(decision.ties, finalist) != decision.ties.end();
  if (finalist == decision.winner)
    text = result.is_undecided ? "" : "winner";
  else if (finalist == decision.passed_over)
    text = "slow off the alignment of vectors";
  else if (finalist == decision.fastest)
    text = decision.passed_over   ? "fastest"
           : decision.significant ? "fastest, ties"
                                  : "fastest, not significantly";
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
  std::string text = progress.most_trials
                         ? fmt::format("{} of {} trials", progress.trials, *progress.most_trials)
                         : counted(progress.trials, "trial");
  if (progress.failed > 0) text += fmt::format(", {} failed", progress.failed);
  if (progress.seconds_left) {
    text += fmt::format(", about {} left", wall_time_text(*progress.seconds_left));
  }
  if (progress.default_us) text += fmt::format(", default {}", us_text(*progress.default_us));
  if (!progress.best_us) return text;
  text += fmt::format(", best {}", us_text(*progress.best_us));
  if (progress.default_us && *progress.best_us > 0) {
    text += fmt::format(" ({})", x_times_text(*progress.default_us / *progress.best_us));
  }
  return text;
}

namespace {

/// The default first, then the fastest; what all would repeat stands above them.
std::string finalists_table(const TuneResult& result, const Problem& problem) {
  const Decision& decision = result.decision;
  std::vector<std::size_t> order(result.finalists.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(
      order, {}, [&](std::size_t i) { return std::pair(i != 0, decision.times_us[i].median); });
  std::vector<std::vector<std::string>> rows{
      {"time", "95 %", "GB/s", "", "differs from the default in"}};
  std::vector<Emphasis> emphases{Emphasis::none};
  for (const std::size_t i : order) {
    const Interval& time = decision.times_us[i];
    const double gbps = gigabytes_per_second(problem, time.median);
    rows.push_back({us_text(time.median),
                    fmt::format("{} to {}", us_text(time.low), us_text(time.high)),
                    gbps > 0 ? three_digits(gbps) : "-", role(result, i),
                    i == 0 ? "-" : differences(result.finalists[i], result.default_settings)});
    const bool wins = i == decision.winner && !result.is_undecided;
    emphases.push_back(wins ? Emphasis::winner : i == 0 ? Emphasis::usual : Emphasis::none);
  }
  const std::string what =
      result.only.empty() ? "default" : "default, or what is nearest to it among these";
  return wrapped(fmt::format("{}: {}", what, to_string(result.default_settings)), 2) +
         screen_table(std::move(rows), emphases);
}

/// A line of its own where a reader would ask; else empty.
std::string why_not_the_fastest(const TuneResult& result) {
  const Decision& decision = result.decision;
  if (!decision.significant || decision.winner == decision.fastest) {
    return {};
  }
  if (decision.passed_over) {
    return wrapped(
        fmt::format(
            "one element off the alignment of vectors the winner takes {:.2f} times as long "
            "as who would have won otherwise",
            decision.displaced_us[decision.winner] / decision.displaced_us[*decision.passed_over]),
        2);
  }
  return wrapped(
      "the winner cannot be told from the fastest: of those that tie, the answer that was stored "
      "before is kept, else the one that needs fewest registers and least shared memory wins",
      2);
}

}  // namespace

std::string text_of(const TuneResult& result, const Problem& problem, const Peak& peak) {
  const Decision& decision = result.decision;
  const double gbps = gigabytes_per_second(problem, decision.times_us[decision.winner].median);
  return fmt::format(
      "tried {} of {}{} ({}){}\n{}{}{}\n{}{}{}\n{}", result.trials,
      counted(result.space_size, "config"),
      result.only.empty() ? "" : " with " + to_string(result.only), statuses_text(result),
      result.interrupted ? ", interrupted" : "",
      wrapped(fmt::format("final, {} against the default (chosen on the odd rounds, times of the "
                          "even ones):",
                          counted(result.rounds, "round"))),
      finalists_table(result, problem), verdict(result), why_not_the_fastest(result),
      text_of(result.figures), text_of(result.calibration),
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
                {"only", to_string(result.only)},
                {"default", json_of(result.default_settings)},
                {"default_us", json_of(decision.times_us[0])},
                {"gain", json_of(decision.gain)},
                {"significant", decision.significant},
                {"was_standing", result.was_standing},
                {"leaves_standing", result.leaves_standing()},
                {"not_published", result.why_not_published()},
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
