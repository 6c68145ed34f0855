// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/report/run_screen.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <sstream>
#include <utility>

#include "cli/names.hpp"
#include "cli/report/charts_of_run.hpp"
#include "cli/report/page_parts.hpp"
#include "cli/report/screen_text.hpp"
#include "cli/report/trial_rows.hpp"
#include "tuner/measure/peak.hpp"
#include "tuner/text/counted.hpp"
#include "tuner/text/printable.hpp"

namespace redtune::cli {
namespace {

constexpr std::size_t most_shown_trials = 10;
constexpr std::size_t most_shown_tunables = 8;
constexpr std::size_t most_shown_reasons = 6;
constexpr std::size_t most_shown_values = 6;

std::string range_text(const Interval& interval) {
  return fmt::format("{} to {}", us_text(interval.low), us_text(interval.high));
}

std::string head_text(const RunStory& story) {
  const cache::RunSummary& run = story.run;
  const DeviceIdentity& device = run.start.device;
  std::string text = wrapped(
      fmt::format("run {} {} ({}): {} on {} ({} {})", number_of_run(run.id), to_string(run.state),
                  run.started_at.substr(0, 19), describe(run.start.problem), device.name,
                  device.device_class.platform, device.device_class.isa),
      2);
  text +=
      wrapped(fmt::format("strategy  {}, seed {}, budget {}; {}", run.start.strategy,
                          run.start.seed, run.start.budget, counted(story.trials.size(), "trial")),
              10);
  return text;
}

std::string result_text(const RunStory& story, const std::vector<std::string>& answers) {
  if (!story.result) {
    const std::string why = story.run.note.empty() ? "none published" : story.run.note;
    return wrapped("result    " + why, 10);
  }
  const cache::Best& best = story.result->stored.best;
  std::string text = wrapped(
      fmt::format("result    {} us, {} GB/s, {}: {} the default ({} to {})",
                  three_digits(best.time_us.median),
                  best.gigabytes_per_second > 0 ? three_digits(best.gigabytes_per_second) : "-",
                  best.reason, x_times_text(best.gain.median), x_times_text(best.gain.low),
                  x_times_text(best.gain.high)),
      10);
  text += std::string(10, ' ') + wrapped(differences(best.settings, story.default_settings), 10);
  if (story.peak.gbps > 0 && best.gigabytes_per_second > 0) {
    text += std::string(10, ' ') + wrapped(share_text(best.gigabytes_per_second, story.peak), 10);
  }
  for (const std::string& line : answers) text += wrapped("answers   " + line, 10);
  return text;
}

std::string finalists_text(const RunStory& story) {
  if (story.finalists.empty()) return {};
  std::vector<std::vector<std::string>> rows{
      {"finalists", "95 %", "", "differs from the default in"}};
  std::vector<Emphasis> emphases{Emphasis::none};
  for (const Finalist* finalist : sorted_finalists(story)) {
    emphases.push_back(finalist->is_winner    ? Emphasis::winner
                       : finalist->is_default ? Emphasis::usual
                                              : Emphasis::none);
    std::string mark;
    const auto add = [&](bool is, const char* name) {
      if (is) mark += (mark.empty() ? "" : ", ") + std::string(name);
    };
    add(finalist->is_winner, "winner");
    add(finalist->is_fastest, "fastest");
    add(finalist->is_tie, "ties");
    add(finalist->is_default, "default");
    rows.push_back({us_text(finalist->time_us.median), range_text(finalist->time_us), mark,
                    finalist->is_default
                        ? std::string("-")
                        : differences(finalist->settings, story.default_settings)});
  }
  std::string text = "\n" + screen_table(std::move(rows), emphases);
  if (const std::string why = choice_of(story); !why.empty()) text += wrapped("winner: " + why, 2);
  return text;
}

std::string progress_text(const RunStory& story) {
  std::vector<ScreenPoint> points;
  for (const cache::StoredTrial& row : story.trials) {
    if (is_timed(row.trial)) points.push_back({row.trial.time_us->median, is_ok(row.trial)});
  }
  if (points.size() < 2) return {};
  const std::string chart = screen_chart(points, story.default_us, "default");
  return chart.empty() ? chart : "\nbest so far (#) of all trials with a time (.)\n" + chart;
}

/// "64 1.00x, 32 about 1.22x".
std::string values_text(const StripChart& strip) {
  std::vector<const StripRow*> rows;
  for (const StripRow& row : strip.rows) {
    if (row.best) rows.push_back(&row);
  }
  std::ranges::stable_sort(rows, {}, [](const StripRow* row) { return *row->best; });
  std::string text;
  for (std::size_t i = 0; i < std::min(rows.size(), most_shown_values); ++i) {
    const double ratio = *rows[i]->best / *rows.front()->best;
    text += fmt::format("{}{} {}{}", i == 0 ? "" : ", ", rows[i]->name,
                        rows[i]->is_rough ? "~" : "", x_times_text(ratio));
  }
  if (rows.size() > most_shown_values) {
    text += fmt::format(", {} more", rows.size() - most_shown_values);
  }
  return text;
}

std::string mattered_text(const RunStory& story) {
  const auto strips = cost_strips(story, tried_tunables(story).varied);
  if (strips.empty()) return {};
  std::vector<std::vector<std::string>> rows{
      {"what mattered", "best trial with each value, as times the best (~: given up)"}};
  for (std::size_t i = 0; i < std::min(strips.size(), most_shown_tunables); ++i) {
    rows.push_back({strips[i].chart.title, values_text(strips[i].chart)});
  }
  std::string text = "\n" + screen_table(std::move(rows));
  if (strips.size() > most_shown_tunables) {
    text += fmt::format("{} mattered less\n",
                        counted(strips.size() - most_shown_tunables, "other tunable"));
  }
  return text;
}

std::string reasons_text(const RunStory& story) {
  struct Reason {
    std::size_t count = 0;
    std::int64_t first = 0;
  };
  std::map<std::pair<std::string, std::string>, Reason> reasons;
  for (const cache::StoredTrial& row : story.trials) {
    if (!is_failure(row.trial)) continue;
    Reason& reason = reasons[{row.trial.status, first_line(row.trial.detail)}];
    if (reason.count++ == 0) reason.first = row.trial.sequence;
  }
  if (reasons.empty()) return {};
  using Row = std::pair<std::pair<std::string, std::string>, Reason>;
  std::vector<Row> sorted(reasons.begin(), reasons.end());
  std::ranges::stable_sort(sorted, std::greater{}, [](const Row& row) { return row.second.count; });
  std::vector<std::vector<std::string>> rows{{"failed", "status", "first", "reason"}};
  for (std::size_t i = 0; i < std::min(sorted.size(), most_shown_reasons); ++i) {
    const auto& [what, reason] = sorted[i];
    rows.push_back({std::to_string(reason.count), what.first, std::to_string(reason.first),
                    what.second.empty() ? "no reason was recorded" : what.second});
  }
  std::vector<Emphasis> emphases(rows.size(), Emphasis::failed);
  emphases.front() = Emphasis::none;
  std::string text = "\n" + screen_table(std::move(rows), emphases);
  if (sorted.size() > most_shown_reasons) {
    text += counted(sorted.size() - most_shown_reasons, "other reason") + "\n";
  }
  return text + fmt::format("redtune log {} --failed shows each with its log\n",
                            number_of_run(story.run.id));
}

std::string trials_text(const RunStory& story) {
  std::vector<const cache::StoredTrial*> timed;
  for (const cache::StoredTrial& row : story.trials) {
    if (is_timed(row.trial)) timed.push_back(&row);
  }
  std::ranges::stable_sort(timed, {}, [](const auto* row) {
    return std::pair(is_ok(row->trial) ? 0 : 1, row->trial.time_us->median);
  });
  std::vector<std::vector<std::string>> rows{
      {"trial", "time", "status", "differs from the default in"}};
  std::vector<Emphasis> emphases{Emphasis::none};
  for (std::size_t i = 0; i < std::min(timed.size(), most_shown_trials); ++i) {
    const cache::Trial& trial = timed[i]->trial;
    std::string status = trial.status;
    const bool wins = story.result && trial.settings == story.result->stored.best.settings;
    const bool is_usual = story.default_settings && trial.settings == *story.default_settings;
    if (wins) status += ", winner";
    if (is_usual) status += ", default";
    emphases.push_back(wins ? Emphasis::winner : is_usual ? Emphasis::usual : Emphasis::none);
    rows.push_back({std::to_string(trial.sequence), us_text(trial.time_us->median), status,
                    differences(trial.settings, story.default_settings)});
  }
  std::string text =
      wrapped(fmt::format("the fastest of {} (--json shows all, redtune report {} writes a page):",
                          counted(story.trials.size(), "trial"), number_of_run(story.run.id)));
  if (timed.empty()) return "\n" + text + "none was measured\n";
  text += screen_table(std::move(rows), emphases);
  if (!story.finalists.empty()) {
    text += wrapped(
        "Times of trials are scaled to the speed that the device had when calibrating, those of "
        "finalists are as they were measured: compare the former with each other only.");
  }
  return "\n" + text;
}

std::string conditions_text(const RunStory& story) {
  std::string text;
  for (const auto& [what, value] : story.conditions) {
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", what, value);
  }
  if (!text.empty()) text = "\n" + wrapped(text, 2);
  for (const std::string& warning : story.warnings) text += wrapped("warning: " + warning, 2);
  return text;
}

}  // namespace

std::string screen_of(const RunStory& story, const std::vector<std::string>& answers) {
  return head_text(story) + result_text(story, answers) + finalists_text(story) +
         progress_text(story) + mattered_text(story) + reasons_text(story) + trials_text(story) +
         conditions_text(story);
}

std::string failures_of(const RunStory& story) {
  std::string text;
  for (const cache::StoredTrial& row : story.trials) {
    if (!is_failure(row.trial)) continue;
    text += wrapped(fmt::format("trial {} {}: {}", row.trial.sequence, row.trial.status,
                                to_string(row.trial.settings)),
                    2);
    std::istringstream lines(row.trial.detail);
    // A compiler's log is several lines; none of them is to be taken for one of redtune's.
    for (std::string line; std::getline(lines, line);) {
      text += "  " + tuner::printable(line) + '\n';
    }
  }
  return text.empty() ? "no trial failed\n" : text;
}

}  // namespace redtune::cli
