// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/run_workload.hpp"

#include <algorithm>
#include <exception>
#include <fmt/format.h>
#include <future>
#include <iterator>
#include <set>
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

std::string why_of(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception& error) {
    return printable(device::first_line(error.what()));
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

using BeginUntil = std::optional<std::chrono::steady_clock::time_point>;

/// What the tuners of all groups did, as if they were one.
TunedAll joined(std::vector<TunedAll> parts) {
  TunedAll all;
  for (TunedAll& part : parts) {
    std::ranges::move(part.ends, std::back_inserter(all.ends));
    std::ranges::move(part.borders, std::back_inserter(all.borders));
    std::ranges::move(part.devices, std::back_inserter(all.devices));
    all.known_borders += part.known_borders;
    all.predicted += part.predicted;
    if (all.ended_by == nullptr) all.ended_by = part.ended_by;
  }
  return all;
}

/// Each group in a thread of its own. Throws what kept one from beginning, once the others are
/// done; of a group beside others that is its end.
TunedAll tune_groups(const std::vector<DeviceGroup>& groups,
                     const std::vector<TaskObserver>& observers, BeginUntil until) {
  if (groups.size() == 1) return tune_all(groups[0].tuners, groups[0].tasks, observers[0], until);
  std::vector<std::future<TunedAll>> running;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    running.push_back(std::async(std::launch::async, [&, i] {
      return tune_all(groups[i].tuners, groups[i].tasks, observers[i], until);
    }));
  }
  std::vector<TunedAll> parts;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    try {
      parts.push_back(running[i].get());
    } catch (const std::exception&) {
      TunedAll& none = parts.emplace_back();
      none.ends.resize(groups[i].tasks.size());
      none.ended_by = std::current_exception();
      for (const Tuner* tuner : groups[i].tuners) {
        none.devices.push_back({.device = tuner->device().selection, .left_by = none.ended_by});
      }
    }
  }
  return joined(std::move(parts));
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
  for (const DeviceEnd& device : all.devices) {  // others did what a busy one did not
    if (device.left_by == nullptr) continue;
    if (const ExitCode code = code_of(device.left_by); code != ExitCode::busy) return code;
  }
  return ExitCode::done;
}

}  // namespace

void RunProgress::begin(std::vector<ListedItem> items, std::vector<std::string> devices) {
  items_ = std::move(items);
  is_done_.assign(items_.size(), false);
  left_ = TimeLeft(items_);
  at_.clear();
  for (std::string& device : devices) at_.push_back({std::move(device), std::nullopt, 0});
}

void RunProgress::begin_problem(std::size_t index, std::size_t device) {
  at_[device].index = index;
  at_[device].share = 0;
}

void RunProgress::begin_border(std::string name, std::size_t device) {
  at_[device].index.reset();
  at_[device].share = 0;
  at_[device].border = std::move(name);
}

void RunProgress::end_border(std::size_t device) {
  at_[device].border.clear();
}

void RunProgress::end_problem(std::size_t index, std::size_t device, bool is_done) {
  is_done_[index] = is_done;
  at_[device].share = 0;
  if (has_devices()) at_[device].index.reset();
}

void RunProgress::end_tuned(std::chrono::duration<double> took, std::size_t device) {
  const std::size_t index = at_[device].index.value_or(0);
  left_.add(index, took.count());
  end_problem(index, device, true);
}

double RunProgress::share_of_all() const {
  double open = 0;
  double done = 0;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    if (!is_open(items_[i].state)) continue;
    open += 1;
    if (is_done_[i]) done += 1;
  }
  for (const At& at : at_) done += at.share;
  return open > 0 ? std::min(done / open, 1.0) : 1;
}

double RunProgress::share(double of_problem, std::size_t device) {
  if (!has_many()) return of_problem;
  at_[device].share = at_[device].border.empty() ? of_problem : 0;
  return share_of_all();
}

std::string RunProgress::text(std::size_t device, const std::string& more) const {
  const At& at = at_[device];
  if (has_many() && !at.border.empty()) {
    return fmt::format("{}{}{}: ", at.device, at.device.empty() ? "" : " ", at.border);
  }
  if (!has_many() || !at.index) return {};
  return fmt::format("{}{}{}/{} {}{}: ", at.device, at.device.empty() ? "" : " ", *at.index + 1,
                     items_.size(), describe(items_[*at.index].item.problem), more);
}

std::string RunProgress::name(std::size_t device) const {
  return text(device, {});
}

std::string RunProgress::name_and_time_left() const {
  const auto seconds = at_[0].index ? left_.seconds_from(*at_[0].index) : std::optional<double>();
  return text(0,
              seconds ? fmt::format(", about {} left", wall_time_text(*seconds)) : std::string());
}

std::string RunProgress::all_devices() const {
  const auto seconds = left_.seconds_of([&](std::size_t index) { return !is_done_[index]; });
  std::string line = fmt::format("{}/{} done", std::ranges::count(is_done_, true), items_.size());
  if (seconds) {
    line +=
        fmt::format(", about {} left", wall_time_text(*seconds / static_cast<double>(at_.size())));
  }
  for (const At& at : at_) {
    if (at.index)
      line += fmt::format("; {} {}", at.device, describe(items_[*at.index].item.problem));
    if (!at.border.empty()) line += fmt::format("; {} {}", at.device, at.border);
  }
  return line;
}

namespace {

/// What a group tells, with the places of its problems and devices among those of all.
TaskObserver shown_on(Screen& screen, const DeviceGroup& group, std::size_t first) {
  const auto device_of = [&group](std::size_t device) {
    return group.tuners[device]->device().selection;
  };
  // "cuda:1 " where there are several.
  const auto mark = [&screen](const std::string& device) {
    return screen.run.has_devices() && !device.empty() ? device + " " : std::string();
  };
  TaskObserver observer;
  observer.on_begin = [&, first](std::size_t device, std::size_t index) {
    const std::lock_guard lock(screen.mutex);
    screen.run.begin_problem(first + index, group.places[device]);
  };
  observer.on_end = [&, first, mark](std::size_t device, std::size_t index, const TaskEnd& end) {
    const std::lock_guard lock(screen.mutex);
    const std::size_t place = group.places[device];
    if (std::holds_alternative<Tuned>(end.what)) {
      screen.run.end_tuned(end.took, place);
    } else {
      screen.run.end_problem(first + index, place, !std::holds_alternative<NotReached>(end.what));
    }
    if (!was_tried(end)) return;
    screen.line.clear();
    spdlog::info("{}{}/{} {}", mark(end.device), index + 1, group.tasks.size(),
                 line_of(group.tasks[index], end));
  };
  observer.on_begin_border = [&, mark, device_of](std::size_t device, std::size_t index,
                                                  std::size_t of, const Contestants& between) {
    const std::lock_guard lock(screen.mutex);
    const std::string name = fmt::format("border {}/{} {}", index + 1, of, describe(between));
    screen.run.begin_border(name, group.places[device]);
    screen.line.show(1, mark(device_of(device)) + name);
  };
  observer.on_end_border = [&, mark](std::size_t device, std::size_t index, std::size_t of,
                                     const BorderEnd& end) {
    const std::lock_guard lock(screen.mutex);
    screen.run.end_border(group.places[device]);
    if (std::holds_alternative<NotReached>(end.what)) return;
    screen.line.clear();
    spdlog::info("{}border {}/{} {}", mark(end.device), index + 1, of, line_of(end));
  };
  observer.on_predict = [&] {
    const std::lock_guard lock(screen.mutex);
    screen.line.show(1, "predicting what is not tuned");
  };
  observer.on_leave = [&, device_of](std::size_t device, const std::exception_ptr& why) {
    const std::lock_guard lock(screen.mutex);
    screen.line.clear();
    const bool is_busy = code_of(why) == ExitCode::busy;
    const std::string text = fmt::format("{} takes no more, the other devices go on: {}",
                                         device_of(device), why_of(why));
    is_busy ? spdlog::warn("{}", text) : spdlog::error("{}", text);
  };
  observer.on_wait = [&, device_of](std::size_t device, const std::string& why) {
    const std::lock_guard lock(screen.mutex);
    screen.line.clear();
    spdlog::info("{} waits: {}", device_of(device), printable(why));
  };
  return observer;
}

/// Said once, whichever tuner met it.
void report_warnings(const std::vector<DeviceGroup>& groups) {
  std::set<std::string> said;
  for (const DeviceGroup& group : groups) {
    for (const Tuner* tuner : group.tuners) {
      for (const std::string& warning : tuner->store().store.warnings()) {
        if (said.insert(warning).second) spdlog::warn("{}", warning);
      }
    }
  }
}

/// Of a store that has a problem, where one of them has.
const OpenStore& store_of(const std::vector<DeviceGroup>& groups) {
  const OpenStore* worst = &groups.front().tuners.front()->store();
  for (const DeviceGroup& group : groups) {
    for (const Tuner* tuner : group.tuners) {
      if (!tuner->store().store.is_published()) worst = &tuner->store();
    }
  }
  return *worst;
}

}  // namespace

int run_workload(const Options& options, std::vector<DeviceGroup>& groups, Screen& screen,
                 std::optional<double> seconds) {
  BeginUntil until;
  if (seconds) {
    until = std::chrono::steady_clock::now() +
            std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                std::chrono::duration<double>(*seconds));
  }
  std::vector<TaskObserver> observers;
  std::vector<TuneTask> tasks;
  for (const DeviceGroup& group : groups) {
    observers.push_back(shown_on(screen, group, tasks.size()));
    tasks.insert(tasks.end(), group.tasks.begin(), group.tasks.end());
  }
  const TunedAll all = tune_groups(groups, observers, until);
  screen.line.clear();
  if (options.has("json"))
    print_json(json_of(tasks, all));
  else
    fmt::print("{}", text_of(tasks, all));
  report_warnings(groups);
  const OpenStore& opened = store_of(groups);
  const ExitCode code = code_of(all, opened, tasks);
  report_what_was_not_kept(all, opened);
  if (all.ended_by != nullptr) {
    spdlog::error("ended before all was done{}{}", why_ended(all.ended_by),
                  how_it_goes_on(opened, tasks.front()));
  }
  return static_cast<int>(code);
}

}  // namespace redtune::cli
