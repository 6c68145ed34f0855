// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune tune: find the best configuration, keep it, say what was found.
#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <map>
#include <spdlog/spdlog.h>
#include <string>
#include <tuple>

#include "cache/exchange/t4.hpp"
#include "cache/files/files.hpp"
#include "cache/files/paths.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/names.hpp"
#include "cli/own_kernel.hpp"
#include "cli/question.hpp"
#include "cli/report/workload_list.hpp"
#include "cli/run_workload.hpp"
#include "cli/say.hpp"
#include "cli/set_option.hpp"
#include "cli/terminal.hpp"
#include "cli/tune_events.hpp"
#include "cli/tune_report.hpp"
#include "cli/workload_options.hpp"
#include "redtune/error.hpp"
#include "search/replay/gzip.hpp"
#include "tuner/measure/peak.hpp"
#include "tuner/text/counted.hpp"
#include "tuner/text/printable.hpp"
#include "tuner/tuner.hpp"

namespace redtune::cli {
namespace {

/// Of --record: all trials of a run as a packed T4 file, for redtune simulate and others.
struct Recording {
  std::string file;        ///< beside the run's log, named like it
  std::size_t trials = 0;  ///< those of earlier sessions of the run, too
  std::string problem;     ///< why it was not written; empty: it was
};

/// A run that was gone on with has what it gave up as slow twice: first as it looked then.
void drop_superseded(std::vector<cache::StoredTrial>& trials) {
  std::map<std::tuple<std::string, Settings>, std::int64_t> last;
  for (const auto& [trial, at] : trials) {
    auto& sequence = last[{trial.phase, trial.settings}];
    sequence = std::max(sequence, trial.sequence);
  }
  std::erase_if(trials, [&](const cache::StoredTrial& one) {
    return one.trial.sequence < last.at({one.trial.phase, one.trial.settings});
  });
}

/// Where else the trials are; empty: nowhere.
std::string advice(const Tuned& tuned) {
  if (!tuned.why_not_kept.empty()) return {};
  return fmt::format(". Its trials are in the store: redtune cache export --format t4 --run {}",
                     static_cast<std::int64_t>(tuned.run));
}

/// Of each config the last that the run's search has of it.
Recording write_recording(const cache::Store& store, const Tuned& tuned) {
  Recording recording;
  try {
    for (const std::string& problem : {tuned.run_problem, tuned.log_problem}) {
      if (!problem.empty()) throw IoError(problem);
    }
    auto run = store.share(tuned.run);
    if (!run) throw IoError("the store no longer has it");
    drop_superseded(run->trials);
    const auto file = std::filesystem::path(tuned.log).replace_extension(".t4.json.gz");
    cache::replace_file(file, search::packed(cache::t4_text(*run)));
    recording = {.file = file.string(), .trials = run->trials.size(), .problem = {}};
  } catch (const Error& error) {
    recording.problem = fmt::format("the run was not recorded: {}{}", error.what(), advice(tuned));
  }
  return recording;
}

/// The words this program was called with.
std::string command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string words{std::istreambuf_iterator<char>(file), {}};
  std::ranges::replace(words, '\0', ' ');
  return words.substr(0, words.find_last_not_of(' ') + 1);
}

TuneTask task_of(const Options& options, const WorkloadItem& item) {
  return {.problem = item.problem,
          .strategy = options.text("strategy"),
          .seed = options.number("seed"),
          .budget = item.budget.empty() ? budget_of(options) : item.budget,
          .only = set_values(options),
          .good_enough = options.text("good-enough"),
          .command_line = command_line(),
          .is_fresh = options.has("fresh"),
          .is_recorded = options.has("record"),
          .starts_warm = !options.has("no-warm-start"),
          .accepts_noise = options.has("force-noisy"),
          .accepts_others = options.has("allow-shared")};
}

std::vector<TuneTask> tasks_of(const Options& options, const Workload& workload) {
  std::vector<TuneTask> tasks;
  for (const WorkloadItem& item : workload.items) tasks.push_back(task_of(options, item));
  return tasks;
}

TunerSetup setup_of(const Options& options) {
  return {.device = options.text("device"),
          .device_worker = device_worker_command(),
          .compile_worker = worker_command(),
          .jobs = jobs_of(options),
          .store = cache::store_path(options.text("cache")),
          .waits = options.has("wait"),
          .only_looks = options.has("list"),
          .logs = cache::logs_folder()};
}

/// Shows on a terminal what a tuner does, by one line that changes and others that stay. Where
/// there are many problems, notes on each are for the curious.
TunerObserver shown_on(ProgressLine& line, const RunProgress& run) {
  const auto note = [&line, &run](const std::string& text) {
    if (run.has_many()) return spdlog::debug("{}", text);
    line.clear();
    spdlog::info("{}", text);
  };
  TunerObserver observer;
  observer.on_stage = [&line, &run](std::string_view what) {
    line.begin(run.name_and_time_left() + std::string(what));
  };
  observer.on_trial = [&line, &run](const Trial&, const Progress& progress) {
    line.show(run.share(progress.share), run.name_and_time_left() + text_of(progress));
  };
  observer.on_candidate = [&line, &run](const Settings& settings, const Progress& progress) {
    if (progress.trials == 0) return;  // it calibrates first, and says so
    line.show(run.share(progress.share),
              fmt::format("{}{}; {}", run.name_and_time_left(), text_of(progress),
                          printable(to_string(settings))));
  };
  observer.on_final = [&line, &run, note](std::size_t finalists) {
    line.clear();
    if (finalists > 1) note(fmt::format("timing {} finalists against each other", finalists));
    line.begin(fmt::format("{}timing {} against each other, in most cases for less than 20 s",
                           run.name_and_time_left(), counted(finalists, "finalist")));
  };
  observer.on_note = note;
  observer.on_warning = [&line, &run](const std::string& warning) {
    line.clear();
    spdlog::warn("{}{}", run.name(), warning);
  };
  observer.on_worker = [](const std::string& kind, const Json& fields) {
    spdlog::debug("{}: {}", kind, fields.dump(-1, ' ', false, Json::error_handler_t::replace));
  };
  return observer;
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

int list_workload(const Options& options, const Tuner& tuner, const Workload& workload) {
  const std::size_t borders =
      workload.items.size() == 1 || options.has("set")
          ? 0
          : tuner.borders_to_measure(tasks_of(options, workload)).missing.size();
  const WorkloadList list{workload.name, tuner.device().identity.name,
                          listed(options, tuner, workload), borders};
  if (options.has("json"))
    print_json(json_of(list));
  else
    fmt::print("{}", text_of(list));
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

}  // namespace

int run_tune(const Options& options) {
  // A wrong name is refused before the minutes of work.
  const std::string kernel = kernel_file(options);
  if (!kernel.empty()) (void)kernels::read_description(kernel);
  const auto named = kernel.empty() ? named_workload(options) : std::nullopt;
  check_task(task_of(options, {}));
  ProgressLine line;
  RunProgress progress;
  TuneEvents events(options.text("events"));
  Tuner tuner(setup_of(options), events.told_by(shown_on(line, progress)));
  const FoundDevice& device = tuner.device();
  const Workload workload = kernel.empty()
                                ? workload_on(device.identity.device_class, options, named)
                                : kernel_workload(options, device.platform, device.limits);
  for (const WorkloadItem& item : workload.items) {
    require_known(set_values(options), kernels::family_of(item.problem));
  }
  if (!workload.left_out.empty()) {
    spdlog::info("left out, for they do not go together: {}", workload.left_out);
  }
  if (options.has("list")) return list_workload(options, tuner, workload);
  if (workload.items.size() != 1) {
    if (options.has("record")) throw UsageError("--record is for one problem at a time");
    progress.begin(listed(options, tuner, workload));
    return run_workload(options, tuner, tasks_of(options, workload), progress, line);
  }
  return tune_one(options, tuner, workload.items.front(), line);
}

}  // namespace redtune::cli
