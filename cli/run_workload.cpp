// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/run_workload.hpp"

#include <algorithm>
#include <exception>
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <utility>

#include "cli/exit_code.hpp"
#include "cli/report/run_report.hpp"
#include "cli/say.hpp"
#include "device/compiler.hpp"
#include "tuner/compile/interrupted.hpp"
#include "tuner/text/printable.hpp"
#include "tuner/tune_all.hpp"

namespace redtune::cli {
namespace {

ExitCode code_of(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception& error) {
    return exit_code_of(error);
  }
}

/// Behind "ended before all was done"; a person who ended it knows why.
std::string why_ended(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Interrupted&) {
    return {};
  } catch (const std::exception& error) {
    if (exit_code_of(error) == ExitCode::device_unhealthy) return ": the device does not go on";
    return ": " + printable(device::first_line(error.what()));
  }
}

bool was_tried(const TaskEnd& end) {
  return std::holds_alternative<Tuned>(end.what) || std::holds_alternative<NotTuned>(end.what);
}

/// Behind that; nothing where nothing of it is kept.
std::string how_it_goes_on(const OpenStore& opened, const TuneTask& task) {
  if (!opened.problem.empty()) return {};
  return fmt::format("; the same command{} goes on from here",
                     task.is_fresh ? " without --fresh" : "");
}

/// One line for all problems; why a run ended is said by it.
void report_what_was_not_kept(const TunedAll& all, const OpenStore& opened) {
  const auto first = [&](std::string Tuned::*why) {
    for (const TaskEnd& end : all.ends) {
      const auto* tuned = std::get_if<Tuned>(&end.what);
      if (tuned != nullptr && !(tuned->*why).empty()) return tuned->*why;
    }
    return std::string();
  };
  const std::string log = first(&Tuned::log_problem);
  if (opened.problem.empty() && !log.empty()) spdlog::warn("{}", log);
  const bool is_end = all.ended_by != nullptr && code_of(all.ended_by) == ExitCode::io;
  const std::string why = first(&Tuned::why_not_kept);
  if (!why.empty() && !is_end) spdlog::error("not all results above were stored: {}", why);
}

/// Of the first thing that a person has to know.
ExitCode code_of(const TunedAll& all, const OpenStore& opened, const std::vector<TuneTask>& tasks) {
  if (all.ended_by != nullptr) return code_of(all.ended_by);
  if (!opened.problem.empty() || !opened.store.is_published()) return ExitCode::io;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (const auto* failed = std::get_if<NotTuned>(&all.ends[i].what))
      return code_of(failed->error);
    const auto* tuned = std::get_if<Tuned>(&all.ends[i].what);
    if (tuned == nullptr) continue;
    if (!tuned->why_not_kept.empty()) return ExitCode::io;
    if (!tuned->result.disturbance.empty() && !tasks[i].accepts_others) {
      return ExitCode::untrustworthy;
    }
  }
  for (const BorderEnd& end : all.borders) {
    const auto* failed = std::get_if<NotTuned>(&end.what);
    if (failed != nullptr && !tasks.front().accepts_others) return code_of(failed->error);
  }
  return ExitCode::done;
}

}  // namespace

void RunProgress::begin(std::vector<ListedItem> items) {
  items_ = std::move(items);
  left_ = TimeLeft(items_);
}

double RunProgress::share(double of_problem) const {
  if (!has_many()) return of_problem;
  double open = 0;
  double done = of_problem;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    if (!is_open(items_[i].state)) continue;
    open += 1;
    if (i < index_) done += 1;
  }
  return open > 0 ? std::min(done / open, 1.0) : 1;
}

std::string RunProgress::text(const std::string& more) const {
  if (!has_many()) return {};
  return fmt::format("{}/{} {}{}: ", index_ + 1, items_.size(),
                     describe(items_[index_].item.problem), more);
}

std::string RunProgress::name() const {
  return text({});
}

std::string RunProgress::name_and_time_left() const {
  const auto seconds = left_.seconds_from(index_);
  return text(seconds ? fmt::format(", about {} left", wall_time_text(*seconds)) : std::string());
}

int run_workload(const Options& options, Tuner& tuner, const std::vector<TuneTask>& tasks,
                 RunProgress& progress, ProgressLine& line) {
  const TaskObserver observer{
      .on_begin = [&](std::size_t index) { progress.begin_problem(index); },
      .on_end =
          [&](std::size_t index, const TaskEnd& end) {
            if (!was_tried(end)) return;
            line.clear();
            if (std::holds_alternative<Tuned>(end.what)) progress.end_tuned(end.took);
            spdlog::info("{}/{} {}", index + 1, tasks.size(), line_of(tasks[index], end));
          },
      .on_begin_border =
          [&](std::size_t index, std::size_t of, const Contestants& between) {
            line.show(1, fmt::format("border {}/{} {}", index + 1, of, describe(between)));
          },
      .on_end_border =
          [&](std::size_t index, std::size_t of, const BorderEnd& end) {
            line.clear();
            spdlog::info("border {}/{} {}", index + 1, of, line_of(end));
          },
      .on_predict = [&] { line.show(1, "predicting what is not tuned"); }};
  const TunedAll all = tune_all(tuner, tasks, observer);
  line.clear();
  if (options.has("json"))
    print_json(json_of(tasks, all));
  else
    fmt::print("{}", text_of(tasks, all));
  for (const std::string& warning : tuner.store().store.warnings()) spdlog::warn("{}", warning);
  const ExitCode code = code_of(all, tuner.store(), tasks);
  report_what_was_not_kept(all, tuner.store());
  if (all.ended_by != nullptr) {
    spdlog::error("ended before all was done{}{}", why_ended(all.ended_by),
                  how_it_goes_on(tuner.store(), tasks.front()));
  }
  return static_cast<int>(code);
}

}  // namespace redtune::cli
