// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune tune: find the best configuration, keep it, say what was found.
#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <iterator>
#include <mutex>
#include <optional>
#include <spdlog/spdlog.h>
#include <string>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/own_kernel.hpp"
#include "cli/question.hpp"
#include "cli/recording.hpp"
#include "cli/report/workload_list.hpp"
#include "cli/run_workload.hpp"
#include "cli/say.hpp"
#include "cli/terminal.hpp"
#include "cli/tune_events.hpp"
#include "cli/tune_plan.hpp"
#include "cli/tune_report.hpp"
#include "cli/wanted_list.hpp"
#include "cli/workload_options.hpp"
#include "redtune/error.hpp"
#include "tuner/measure/peak.hpp"
#include "tuner/text/counted.hpp"
#include "tuner/text/printable.hpp"

namespace redtune::cli {
namespace {

/// Shows on a terminal what a tuner does, by one line that changes and others that stay. Where
/// there are many problems, notes on each are for the curious. device: its place among all.
TunerObserver shown_on(Screen& screen, std::size_t device) {
  ProgressLine& line = screen.line;
  RunProgress& run = screen.run;
  const auto note = [&line, &run, device](const std::string& text) {
    if (run.has_many()) return spdlog::debug("{}{}", run.name(device), text);
    line.clear();
    spdlog::info("{}", text);
  };
  const auto begin = [&line, &run, device](const std::string& what) {
    if (run.has_devices()) return line.show(run.share(0, device), run.all_devices());
    line.begin(run.name_and_time_left() + what);
  };
  const auto show = [&line, &run, device](double share, const std::string& what) {
    const double of_all = run.share(share, device);
    if (run.has_devices()) return line.show(of_all, run.all_devices());
    line.show(of_all, run.name_and_time_left() + what);
  };
  TunerObserver observer;
  observer.on_stage = [begin](std::string_view what) { begin(std::string(what)); };
  observer.on_trial = [show](const Trial&, const Progress& progress) {
    show(progress.share, text_of(progress));
  };
  observer.on_candidate = [show](const Settings& settings, const Progress& progress) {
    if (progress.trials == 0) return;  // it calibrates first, and says so
    show(progress.share, fmt::format("{}; {}", text_of(progress), printable(to_string(settings))));
  };
  observer.on_final = [&line, begin, note](std::size_t finalists) {
    line.clear();
    if (finalists > 1) note(fmt::format("timing {} finalists against each other", finalists));
    begin(fmt::format("timing {} against each other, in most cases for less than 20 s",
                      counted(finalists, "finalist")));
  };
  observer.on_note = note;
  observer.on_warning = [&line, &run, device](const std::string& warning) {
    line.clear();
    spdlog::warn("{}{}", run.name(device), warning);
  };
  observer.on_worker = [](const std::string& kind, const Json& fields) {
    spdlog::debug("{}: {}", kind, fields.dump(-1, ' ', false, Json::error_handler_t::replace));
  };
  return observer;
}

/// One call at a time, of all observers with this mutex.
TunerObserver locked(const TunerObserver& observer, std::mutex& mutex) {
  const auto with = [&mutex](const auto& call) {
    return [&mutex, call](const auto&... arguments) {
      const std::lock_guard lock(mutex);
      call(arguments...);
    };
  };
  TunerObserver one_at_a_time;
  one_at_a_time.on_trial = with(observer.on_trial);
  one_at_a_time.on_final = with(observer.on_final);
  one_at_a_time.on_candidate = with(observer.on_candidate);
  one_at_a_time.on_stage = with(observer.on_stage);
  one_at_a_time.on_note = with(observer.on_note);
  one_at_a_time.on_warning = with(observer.on_warning);
  one_at_a_time.on_worker = with(observer.on_worker);
  return one_at_a_time;
}

/// What was not kept, or not published, is said last, and by the exit code, whatever the reason.
int report_problems(const OpenStore& opened, const Tuned& tuned) {
  for (const std::string& warning : opened.store.warnings()) spdlog::warn("{}", warning);
  // Who has no place for anything was told so.
  if (opened.problem.empty() && !tuned.log_problem.empty()) spdlog::warn("{}", tuned.log_problem);
  if (!tuned.why_not_kept.empty()) {
    spdlog::error("the result above was not stored: {}", tuned.why_not_kept);
  }
  const bool is_kept = tuned.why_not_kept.empty() && opened.store.is_published();
  return static_cast<int>(is_kept ? ExitCode::done : ExitCode::io);
}

int report(const Options& options, const OpenStore& opened, const TuneTask& task,
           const Tuned& tuned) {
  const TuneResult& result = tuned.result;
  std::optional<Recording> recording;
  if (task.is_recorded) recording = write_recording(opened.store, tuned);
  const bool is_recorded = recording && recording->problem.empty();
  if (options.has("json")) {
    Json document = json_of(result, task.problem, tuned.peak);
    if (is_recorded) document["recording"] = recording->file;
    print_json(document);
  } else {
    fmt::print("{}", text_of(result, task.problem, tuned.peak));
  }
  if (const std::string why = result.why_not_published();
      !why.empty() && result.disturbance.empty()) {
    spdlog::info("not published ({}): programs get what they got before", why);
  }
  if (tuned.log_problem.empty()) spdlog::info("log: {}", tuned.log.string());
  if (is_recorded) {
    spdlog::info("recording of {}: {}", counted(recording->trials, "trial"), recording->file);
  }
  if (!result.disturbance.empty()) {
    spdlog::error("other processes used the device meanwhile: {}; the result is not stored",
                  printable(result.disturbance));
  }
  int code = report_problems(opened, tuned);
  if (recording && !is_recorded) {
    spdlog::error("{}", recording->problem);
    code = static_cast<int>(ExitCode::io);
  }
  if (result.interrupted) return static_cast<int>(ExitCode::interrupted);
  const bool is_disturbed = !result.disturbance.empty() && !task.accepts_others;
  return code == 0 && is_disturbed ? static_cast<int>(ExitCode::untrustworthy) : code;
}

void show_known(const Options& options, const Tuner& tuner, const Problem& problem,
                const cache::StoredBest& known) {
  const cache::Best& best = known.best;
  if (options.has("json")) {
    print_json({{"known", true},
                {"problem", json_of(problem)},
                {"winner", json_of(best.settings)},
                {"time_us", json_of(best.time_us)},
                {"gain", json_of(best.gain)},
                {"tuned_at", known.at}});
    return;
  }
  say("{} was tuned on {} at {}: {:.2f} us, {} GB/s, {:.2f}x as fast as the default\n  {}\n"
      "use --fresh to tune it again\n",
      describe(problem), tuner.device().identity.name, known.at, best.time_us.median,
      speed_text(best.gigabytes_per_second), best.gain.median, to_string(best.settings));
}

ItemState state_of(const Tuner& tuner, const TuneTask& task) {
  try {
    require_fit(task.problem, tuner.device().identity);
  } catch (const UsageError&) {
    return DoesNotFit{};
  }
  if (const auto known = tuner.known(task)) return KnownSince{known->at};
  if (const auto run = tuner.resumable(task)) return GoesOn{*run};
  return ToTune{};
}

std::vector<ListedItem> listed(const Options& options, const Tuner& tuner, Workload workload) {
  for (WorkloadItem& item : workload.items) {
    if (item.budget.empty()) item.budget = budget_of(options);
  }
  const auto past = tuner.store().store.run_times(tuner.device().identity.device_class);
  const auto state = [&](const WorkloadItem& item) {
    return state_of(tuner, task_of(options, item));
  };
  return list_of(workload.items, state, past);
}

WorkloadList workload_list(const Options& options, const Tuner& tuner, const Workload& workload) {
  const std::size_t borders =
      workload.items.size() == 1 || options.has("set")
          ? 0
          : tuner.borders_to_measure(tasks_of(options, workload)).missing.size();
  return {workload.name, tuner.device().identity.name, listed(options, tuner, workload), borders};
}

/// A list for each class of devices; of several in an array.
int list_workloads(const Options& options, const std::vector<WorkloadList>& lists) {
  if (!options.has("json")) {
    for (const WorkloadList& list : lists) fmt::print("{}", text_of(list));
    return 0;
  }
  if (lists.size() == 1) {
    print_json(json_of(lists.front()));
    return 0;
  }
  Json all = Json::array();
  for (const WorkloadList& list : lists) all.push_back(json_of(list));
  print_json({{"lists", std::move(all)}});
  return 0;
}

int tune_one(const Options& options, Tuner& tuner, const WorkloadItem& item, ProgressLine& line) {
  const TuneTask task = task_of(options, item);
  if (const auto known = tuner.known(task)) {
    show_known(options, tuner, task.problem, *known);
    return 0;
  }
  const Tuned tuned = tuner.tune(task);
  line.clear();
  return report(options, tuner.store(), task, tuned);
}

bool are_empty(const std::vector<Workload>& workloads) {
  return std::ranges::all_of(workloads, [](const Workload& one) { return one.items.empty(); });
}

int say_nothing_is_wanted(const Options& options) {
  if (options.has("json"))
    print_json({{"problems", Json::array()}});
  else
    say("nothing is wanted of these devices: all that was asked for is tuned\n");
  return 0;
}

}  // namespace

int run_tune(const Options& options) {
  // A wrong name is refused before the minutes of work.
  Asked asked{.kernel = kernel_file(options), .named = std::nullopt};
  if (options.has("wanted") && !asked.kernel.empty()) {
    throw UsageError("--wanted and FILE both say what is to be tuned; leave one of them out");
  }
  if (asked.kernel.empty()) {
    asked.named = named_workload(options);
  } else {
    (void)kernels::read_description(asked.kernel);
  }
  check_task(task_of(options, {}));
  Screen screen;
  TuneEvents events(options.text("events"));
  const TunedDevices devices(options, [&](std::size_t place, const std::string& name) {
    return locked(events.told_by(shown_on(screen, place), name), screen.mutex);
  });
  Plan plan = plan_of(options, asked, devices);
  std::vector<WorkloadList> lists;
  if (options.has("wanted") && are_empty(plan.workloads) && !options.has("list")) {
    return say_nothing_is_wanted(options);
  }
  const bool is_one = devices.all().size() == 1 && plan.workloads.front().items.size() == 1;
  if (is_one && !options.has("list")) {
    return tune_one(options, *devices.all().front(), plan.workloads.front().items.front(),
                    screen.line);
  }
  for (std::size_t i = 0; i < plan.groups.size(); ++i) {
    lists.push_back(workload_list(options, *plan.groups[i].tuners.front(), plan.workloads[i]));
  }
  if (options.has("list")) return list_workloads(options, lists);
  if (options.has("record")) {
    throw UsageError("--record is for one problem at a time, on one device");
  }
  std::vector<ListedItem> items;
  for (WorkloadList& list : lists) std::ranges::move(list.items, std::back_inserter(items));
  screen.run.begin(std::move(items),
                   devices.all().size() == 1 ? std::vector<std::string>{""} : devices.names());
  return run_workload(options, plan.groups, screen, seconds_for_wanted(options));
}

}  // namespace redtune::cli
