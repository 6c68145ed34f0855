// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/report/run_report.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

#include "cli/tune_report.hpp"
#include "device/compiler.hpp"
#include "tuner/text/counted.hpp"
#include "tuner/text/table.hpp"

namespace redtune::cli {
namespace {

/// What is known of a problem now, however it came.
struct Answer {
  Interval time_us;
  Interval gain;
  double gbps = 0;
  double peak_gbps = 0;  ///< 0: unknown
  const Settings* settings = nullptr;
  std::string note;
};

std::string note_of(const Tuned& tuned) {
  if (!tuned.why_not_kept.empty()) return "not stored";
  if (!tuned.result.disturbance.empty()) return "not stored: other processes used the device";
  if (const std::string why = tuned.result.why_not_published(); !why.empty()) {
    return fmt::format("{}not published: {}", tuned.result.interrupted ? "interrupted, " : "", why);
  }
  if (tuned.result.interrupted) return "interrupted, confirmed briefly";
  return tuned.result.decision.significant ? "tuned" : "tuned: the default is kept";
}

Answer answer_of(const Problem& problem, const Tuned& tuned) {
  const Decision& decision = tuned.result.decision;
  const Interval& time = decision.times_us[decision.winner];
  return {.time_us = time,
          .gain = decision.gain,
          .gbps = gigabytes_per_second(problem, time.median),
          .peak_gbps = tuned.peak.gbps,
          .settings = &tuned.result.winner(),
          .note = note_of(tuned)};
}

Answer answer_of(const cache::StoredBest& known) {
  return {.time_us = known.best.time_us,
          .gain = known.best.gain,
          .gbps = known.best.gigabytes_per_second,
          .settings = &known.best.settings,
          .note = "known since " + known.at};
}

std::optional<Answer> answer_of(const Problem& problem, const TaskEnd& end) {
  if (const auto* tuned = std::get_if<Tuned>(&end.what)) return answer_of(problem, *tuned);
  if (const auto* known = std::get_if<cache::StoredBest>(&end.what)) return answer_of(*known);
  return std::nullopt;
}

std::string why_none(const TaskEnd& end) {
  const auto* failed = std::get_if<NotTuned>(&end.what);
  return failed == nullptr ? "not reached" : "failed: " + device::first_line(failed->why);
}

std::string seconds_of(const TaskEnd& end) {
  return std::holds_alternative<Tuned>(end.what) ? fmt::format("{:.1f}", end.took.count()) : "-";
}

std::vector<std::string> row_of(const TuneTask& task, const TaskEnd& end) {
  const auto answer = answer_of(task.problem, end);
  if (!answer) {
    return {describe(task.problem), "-", "-", "-", "-", "-", seconds_of(end), why_none(end)};
  }
  return {describe(task.problem),
          fmt::format("{:.2f}", answer->time_us.median),
          fmt::format("{:.2f}", answer->gain.median),
          fmt::format("{:.2f}-{:.2f}", answer->gain.low, answer->gain.high),
          fmt::format("{:.0f}", answer->gbps),
          answer->peak_gbps > 0 ? fmt::format("{:.0f} %", 100 * answer->gbps / answer->peak_gbps)
                                : std::string("-"),
          seconds_of(end),
          answer->note};
}

template <class What>
std::size_t count_of(const TunedAll& all) {
  std::size_t count = 0;
  for (const TaskEnd& end : all.ends) count += std::holds_alternative<What>(end.what) ? 1 : 0;
  return count;
}

template <class What>
std::size_t borders_of(const TunedAll& all) {
  return static_cast<std::size_t>(std::ranges::count_if(
      all.borders, [](const BorderEnd& end) { return std::holds_alternative<What>(end.what); }));
}

/// A line for each of several devices.
std::string devices_text(const TunedAll& all) {
  std::string text;
  if (all.devices.size() < 2) return text;
  for (const DeviceEnd& end : all.devices) {
    text += fmt::format("{}: {}{} in {:.1f} s", end.device, counted(end.tuned, "problem"),
                        end.borders > 0 ? " and " + counted(end.borders, "border") : "",
                        end.busy.count());
    text += end.left_by == nullptr ? "\n" : ", then it took no more\n";
  }
  return text;
}

Json devices_json(const TunedAll& all) {
  Json rows = Json::array();
  for (const DeviceEnd& end : all.devices) {
    rows.push_back({{"device", end.device},
                    {"tuned", end.tuned},
                    {"borders", end.borders},
                    {"busy_s", end.busy.count()},
                    {"took_no_more", end.left_by != nullptr}});
  }
  return rows;
}

std::string predicted_text(const TunedAll& all) {
  if (all.predicted == 0) return {};
  return fmt::format("{} predicted for problems that are not tuned\n",
                     counted(all.predicted, "config"));
}

/// A line of its own; empty where no border is to be told of.
std::string borders_text(const TunedAll& all) {
  if (all.borders.empty() && all.known_borders == 0) return {};
  return fmt::format("{} measured, {} known before, {} failed, {} not reached\n",
                     counted(borders_of<cache::StoredBorder>(all), "border"), all.known_borders,
                     borders_of<NotTuned>(all), borders_of<NotReached>(all));
}

/// The count that was tuned between them, of which the border is then.
std::optional<std::int64_t> tuned_between(const BorderEnd& end, const cache::StoredBorder& found) {
  const std::int64_t below = found.question.problem.count;
  return below == end.between.below.question.problem.count ? std::nullopt : std::optional(below);
}

Json borders_json(const TunedAll& all) {
  Json rows = Json::array();
  for (const BorderEnd& end : all.borders) {
    Json row{{"problem", json_of(end.between.below.question.problem)},
             {"above", end.between.above.question.problem.count}};
    if (!end.device.empty()) row["device"] = end.device;
    if (const auto* found = std::get_if<cache::StoredBorder>(&end.what)) {
      row["state"] = "measured";
      if (const auto tuned = tuned_between(end, *found)) row["tuned_between"] = *tuned;
      row["first"] = found->border.first;
      row["still_below"] = found->border.still_below;
      row["first_above"] = found->border.first_above;
    } else if (const auto* failed = std::get_if<NotTuned>(&end.what)) {
      row["state"] = "failed";
      row["why"] = failed->why;
    } else {
      row["state"] = "not_reached";
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

std::string describe(const Contestants& between) {
  return fmt::format("{} to {}", redtune::describe(between.below.question.problem),
                     between.above.question.problem.count);
}

std::string line_of(const BorderEnd& end) {
  if (const auto* failed = std::get_if<NotTuned>(&end.what)) {
    return fmt::format("{}: failed: {}", describe(end.between), device::first_line(failed->why));
  }
  const auto* found = std::get_if<cache::StoredBorder>(&end.what);
  if (found == nullptr) return fmt::format("{}: not reached", describe(end.between));
  const cache::Border& border = found->border;
  if (const auto tuned = tuned_between(end, *found)) {
    return fmt::format("{}: {} tuned between them, answers up to {}", describe(end.between), *tuned,
                       border.first - 1);
  }
  return fmt::format("{}: at {}, between {} and {}", describe(end.between), border.first,
                     border.still_below, border.first_above);
}

std::string line_of(const TuneTask& task, const TaskEnd& end) {
  const auto answer = answer_of(task.problem, end);
  if (!answer) return fmt::format("{}: {}", describe(task.problem), why_none(end));
  return fmt::format("{}: {:.2f} us, {:.2f}x as fast as the default, {}", describe(task.problem),
                     answer->time_us.median, answer->gain.median, answer->note);
}

std::string text_of(std::span<const TuneTask> tasks, const TunedAll& all) {
  std::vector<std::vector<std::string>> rows{
      {"problem", "time us", "gain", "95 %", "GB/s", "of peak", "seconds", ""}};
  for (std::size_t i = 0; i < tasks.size(); ++i) rows.push_back(row_of(tasks[i], all.ends[i]));
  if (all.devices.size() > 1) {
    rows[0].insert(rows[0].begin() + 1, "device");
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      const std::string& device = all.ends[i].device;
      rows[i + 1].insert(rows[i + 1].begin() + 1, device.empty() ? "-" : device);
    }
  }
  return fmt::format("{}{}: {} tuned, {} known before, {} failed, {} not reached\n{}", table(rows),
                     counted(tasks.size(), "problem"), count_of<Tuned>(all),
                     count_of<cache::StoredBest>(all), count_of<NotTuned>(all),
                     count_of<NotReached>(all),
                     borders_text(all) + predicted_text(all) + devices_text(all));
}

Json json_of(std::span<const TuneTask> tasks, const TunedAll& all) {
  Json problems = Json::array();
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const TaskEnd& end = all.ends[i];
    Json row{{"problem", json_of(tasks[i].problem)}};
    if (const auto answer = answer_of(tasks[i].problem, end)) {
      row["state"] = std::holds_alternative<Tuned>(end.what) ? "tuned" : "known";
      row["winner"] = json_of(*answer->settings);
      row["time_us"] = json_of(answer->time_us);
      row["gain"] = json_of(answer->gain);
      row["gigabytes_per_second"] = answer->gbps;
      if (answer->peak_gbps > 0) row["peak_gigabytes_per_second"] = answer->peak_gbps;
    } else {
      const bool has_failed = std::holds_alternative<NotTuned>(end.what);
      row["state"] = has_failed ? "failed" : "not_reached";
      if (has_failed) row["why"] = std::get<NotTuned>(end.what).why;
    }
    row["seconds"] = end.took.count();
    if (!end.device.empty()) row["device"] = end.device;
    if (const auto* tuned = std::get_if<Tuned>(&end.what)) {
      row["run"] = static_cast<std::int64_t>(tuned->run);
      row["stored"] = tuned->why_not_kept.empty() && tuned->result.why_not_published().empty();
    }
    problems.push_back(std::move(row));
  }
  return {{"problems", std::move(problems)},
          {"tuned", count_of<Tuned>(all)},
          {"known", count_of<cache::StoredBest>(all)},
          {"failed", count_of<NotTuned>(all)},
          {"not_reached", count_of<NotReached>(all)},
          {"predicted", all.predicted},
          {"borders", borders_json(all)},
          {"borders_measured", borders_of<cache::StoredBorder>(all)},
          {"borders_known", all.known_borders},
          {"borders_failed", borders_of<NotTuned>(all)},
          {"borders_not_reached", borders_of<NotReached>(all)},
          {"devices", devices_json(all)}};
}

}  // namespace redtune::cli
