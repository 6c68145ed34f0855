// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/run_workload.hpp"

#include <exception>
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <utility>

#include "cli/exit_code.hpp"
#include "cli/report/run_report.hpp"
#include "cli/report/workload_list.hpp"
#include "cli/say.hpp"
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

void RunProgress::begin(std::size_t problems) {
  problems_ = problems;
}

void RunProgress::begin_problem(std::size_t index, std::string name) {
  index_ = index;
  name_ = std::move(name);
}

void RunProgress::end_tuned(std::chrono::duration<double> took) {
  ++tuned_;
  took_ += took;
}

double RunProgress::share(double of_problem) const {
  return (static_cast<double>(index_) + of_problem) / static_cast<double>(problems_);
}

std::string RunProgress::prefix() const {
  if (!has_many()) return {};
  std::string left;
  if (tuned_ > 0) {
    const double each = took_.count() / static_cast<double>(tuned_);
    left = fmt::format(", about {} left",
                       wall_time_text(each * static_cast<double>(problems_ - index_)));
  }
  return fmt::format("{}/{} {}{}: ", index_ + 1, problems_, name_, left);
}

int run_workload(const Options& options, Tuner& tuner, const std::vector<TuneTask>& tasks,
                 RunProgress& progress, ProgressLine& line) {
  progress.begin(tasks.size());
  const TaskObserver observer{
      .on_begin =
          [&](std::size_t index) { progress.begin_problem(index, describe(tasks[index].problem)); },
      .on_end =
          [&](std::size_t index, const TaskEnd& end) {
            if (std::holds_alternative<cache::StoredBest>(end.what)) return;
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
  if (all.ended_by != nullptr) {
    spdlog::error("ended before all was done{}; the same command{} goes on from here",
                  code == ExitCode::device_unhealthy ? ": the device does not go on" : "",
                  tasks.front().is_fresh ? " without --fresh" : "");
  }
  return static_cast<int>(code);
}

}  // namespace redtune::cli
