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
#include <memory>
#include <mutex>
#include <optional>
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
#include "cli/wanted_list.hpp"
#include "cli/workload_options.hpp"
#include "redtune/error.hpp"
#include "search/replay/gzip.hpp"
#include "tuner/compile/compile_pool.hpp"
#include "tuner/lease/lease.hpp"
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
          .accepts_others = options.has("allow-shared"),
          .waits = options.has("wait")};
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
          .compilers = std::make_shared<Compilers>(jobs_of(options)),
          .store = cache::store_path(options.text("cache")),
          .only_looks = options.has("list"),
          .logs = cache::logs_folder()};
}

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

/// What is to be tuned, as far as the command line says so without a device.
struct Asked {
  std::string kernel;  ///< its file; empty: none
  std::optional<Workload> named;
};

/// All devices that are tuned on, and where one of their tuners shows what it does.
class TunedDevices {
 public:
  TunedDevices(const Options& options, Screen& screen, TuneEvents& events) {
    const TunerSetup asked = setup_of(options);
    const std::vector<std::string> names = devices_named(asked);
    is_all_ = options.text("device").ends_with("all");
    for (const std::string& name : names) {
      TunerSetup setup = asked;
      setup.device = name;
      // Nothing is told before it is known which device it is.
      auto tuner = std::make_unique<Tuner>(
          std::move(setup),
          locked(events.told_by(shown_on(screen, tuners_.size()), name), screen.mutex));
      if (!is_part_of_another(*tuner)) tuners_.push_back(std::move(tuner));
    }
  }

  [[nodiscard]] const std::vector<std::unique_ptr<Tuner>>& all() const { return tuners_; }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& tuner : tuners_) names.push_back(tuner->device().selection);
    return names;
  }

 private:
  /// Partitions of a GPU share its memory and its power, and the host's variants its processor: of
  /// all devices one of them is tuned on, and no list may name two.
  [[nodiscard]] bool is_part_of_another(const Tuner& tuner) const {
    const std::string device = leased_device(tuner.device().identity.address);
    for (const auto& other : tuners_) {
      if (leased_device(other->device().identity.address) != device) continue;
      const std::string text =
          fmt::format("{} and {} are parts of one device, and would disturb each other",
                      other->device().selection, tuner.device().selection);
      if (!is_all_) throw UsageError(text + "; name one of them");
      spdlog::info("{}: {} is left out", text, tuner.device().selection);
      return true;
    }
    return false;
  }

  std::vector<std::unique_ptr<Tuner>> tuners_;
  bool is_all_ = false;
};

/// What is tuned on a class of devices, told by one of them.
Workload workload_for(const Options& options, const Asked& asked, const FoundDevice& device) {
  if (options.has("wanted")) return wanted_workload(options, device.identity);
  return asked.kernel.empty() ? workload_on(device.identity.device_class, options, asked.named)
                              : kernel_workload(options, device.platform, device.limits);
}

/// The devices of each class and what is to be tuned on them, in the order of --device.
struct Plan {
  std::vector<DeviceGroup> groups;
  std::vector<Workload> workloads;  ///< of each group
};

Plan plan_of(const Options& options, const Asked& asked, const TunedDevices& devices) {
  Plan plan;
  for (std::size_t place = 0; place < devices.all().size(); ++place) {
    Tuner& tuner = *devices.all()[place];
    const auto group = std::ranges::find_if(plan.groups, [&](const DeviceGroup& one) {
      const DeviceIdentity& first = one.tuners.front()->device().identity;
      return first.device_class == tuner.device().identity.device_class &&
             first.toolchain == tuner.device().identity.toolchain;
    });
    if (group != plan.groups.end()) {
      group->tuners.push_back(&tuner);
      group->places.push_back(place);
      continue;
    }
    Workload& workload = plan.workloads.emplace_back(workload_for(options, asked, tuner.device()));
    for (const WorkloadItem& item : workload.items) {
      require_known(set_values(options), kernels::family_of(item.problem));
    }
    plan.groups.push_back({{&tuner}, {place}, tasks_of(options, workload)});
    if (plan.groups.size() > 1 || workload.left_out.empty()) continue;
    spdlog::info("left out, for they do not go together: {}", workload.left_out);
  }
  return plan;
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
  const TunedDevices devices(options, screen, events);
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
