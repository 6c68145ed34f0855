// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune tune: find the best configuration, keep it, say what was found.
#include <algorithm>
#include <atomic>
#include <csignal>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <spdlog/spdlog.h>

#include "cache/paths.hpp"
#include "cache/store.hpp"
#include "redtune/error.hpp"
#include "redtune/version.hpp"
#include "runtime/resolve.hpp"
#include "runtime/space_key.hpp"
#include "search/registry.hpp"
#include "tuner/cli/commands.hpp"
#include "tuner/cli/operator_source.hpp"
#include "tuner/cli/question.hpp"
#include "tuner/cli/terminal.hpp"
#include "tuner/measure/peak.hpp"
#include "tuner/report/tune_report.hpp"
#include "tuner/session/device_evaluator.hpp"
#include "tuner/session/journal.hpp"

namespace redtune::tuner::cli {
namespace {

std::atomic<bool> stop_requested = false;

/// First Ctrl-C: finish the trial, confirm, publish. The second one ends the program.
void on_interrupt(int) {
  stop_requested = true;
  std::signal(SIGINT, SIG_DFL);
}

/// The store, or one in memory and the reason.
struct OpenStore {
  cache::Store store;
  std::string problem;
};

OpenStore open_store(const std::string& option) {
  const auto path = cache::store_path(option);
  if (!path) return {cache::Store::in_memory(), "neither XDG_DATA_HOME nor HOME is set"};
  try {
    return {cache::Store::open(*path), {}};
  } catch (const IoError& error) {
    return {cache::Store::in_memory(), error.what()};
  }
}

/// The words this program was called with.
std::string command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string words{std::istreambuf_iterator<char>(file), {}};
  std::ranges::replace(words, '\0', ' ');
  return words.substr(0, words.find_last_not_of(' ') + 1);
}

/// Everything one run needs, from the options.
struct Job {
  Problem problem;
  OpenDevice opened;
  const kernels::Family* family = nullptr;
  std::unique_ptr<const OperatorProgram> custom;  // of a custom operator
  cache::RunStart start;
  search::Budget budget;
  int jobs = 1;
  Probe probe;

  [[nodiscard]] std::int64_t cache_bytes() const {
    return start.device.device_class.last_level_cache_bytes;
  }
  [[nodiscard]] Peak peak() const { return peak_for(problem, peaks_of(probe), cache_bytes()); }
};

Job job_of(const Options& options) {
  Job job;
  job.budget = search::parse_budget(options.text("budget"));
  job.jobs = jobs_of(options);
  job.problem = problem_of(options);
  job.family = &runtime::family_of(job.problem);
  job.start = {.family = std::string(job.family->name()),
               .space_key = runtime::space_key(*job.family),
               .problem = job.problem,
               .strategy = options.text("strategy"),
               .seed = options.number("seed"),
               .budget = options.text("budget"),
               .program_version = version,
               .command_line = command_line()};
  // A wrong name must be refused before the minutes of work, and before the device is touched.
  const search::Space nowhere({});
  (void)search::make_strategy(job.start.strategy, nowhere, {});
  job.opened = open_device(options);
  job.start.device = job.opened.device->identity();
  require_memory(job.problem, *job.opened.device);
  return job;
}

bool is_known(const Options& options, const cache::Store& store, const Job& job) {
  if (options.has("fresh")) return false;
  const auto best = store.best(cache::question_of(job.start));
  if (!best) return false;
  // What an interrupted run published is the best it saw; its search is still to be finished.
  const auto run = store.run(best->run);
  if (run && run->state == cache::RunState::interrupted) return false;
  if (options.has("json")) {
    print_json({{"known", true},
                {"problem", json_of(job.problem)},
                {"winner", json_of(best->best.settings)},
                {"time_us", json_of(best->best.time_us)},
                {"gain", json_of(best->best.gain)},
                {"tuned_at", best->at}});
  } else {
    fmt::print(
        "{} is known on {} since {}: {:.2f} us, {:.2f} GB/s, {:.2f}x as fast as the default\n  {}\n"
        "use --fresh to tune it again\n",
        describe(job.problem), job.start.device.name, best->at, best->best.time_us.median,
        best->best.gigabytes_per_second, best->best.gain.median, to_string(best->best.settings));
  }
  return true;
}

/// Smaller inputs are all launch: no bandwidth of theirs comes near a peak.
constexpr std::size_t least_probed_bytes = 1 << 20;

/// What the device can read at best. A device that cannot be probed can still be tuned.
Probe probe_for(const Job& job, Journal& journal) {
  const auto count = static_cast<std::size_t>(job.problem.count);
  if (count * size_of(job.problem.in) < least_probed_bytes) return {};
  try {
    Probe found = probe(*job.opened.selection.platform, *job.opened.device, ProbeLevel::quick);
    journal.record(found);
    spdlog::info("this device reads {:.2f} GB/s from memory, {:.2f} GB/s from its cache",
                 found.read.gbps, found.cached_read.gbps);
    return found;
  } catch (const Error& error) {
    spdlog::warn("how fast this device can read is not known: {}", error.what());
    return {};
  }
}

std::string progress_text(const Progress& progress) {
  const auto us = [](const std::optional<double>& time) {
    return time ? fmt::format("{:.2f} us", *time) : std::string("-");
  };
  return fmt::format("{} trials, default {}, best {}", progress.trials, us(progress.default_us),
                     us(progress.best_us));
}

TuneResult search_and_confirm(const Options& options, const Job& job, const cache::Store& store,
                              Journal& journal) {
  TuneRequest request{.family = job.family,
                      .problem = job.problem,
                      .limits = job.opened.device->limits(),
                      .strategy = job.start.strategy,
                      .seed = job.start.seed,
                      .budget = job.budget,
                      .stop = &stop_requested};
  if (!options.has("fresh")) request.known = known_outcomes(store, job.start, *job.family);
  if (!request.known.empty()) {
    spdlog::info("continuing an interrupted run: {} trials are known", request.known.size());
  }
  device::Platform& platform = *job.opened.selection.platform;
  DeviceEvaluator evaluator(
      {job.opened.device.get(), job.family, job.problem, job.start.seed,
       1e3 * most_gbps(job.problem, job.probe, job.cache_bytes()), job.custom.get()},
      CompilePool(
          {&platform.compiler(), std::string(platform.name()),
           platform.arch_of(job.opened.device->identity()), job.family->device_text(job.problem)},
          worker_command(), job.jobs));
  ProgressLine line;
  TuneObserver observer;
  observer.on_trial = [&](const Trial& trial, const Progress& progress) {
    journal.record(trial);
    line.show(progress.share, progress_text(progress));
  };
  observer.on_final = [&](std::size_t finalists) {
    line.clear();
    spdlog::info("timing {} finalists against each other", finalists);
  };
  return tune(request, evaluator, observer);
}

/// What could not be kept is said after the result, so that it is not overlooked.
int report_problems(const OpenStore& opened, const Journal& journal, const RunLog& log,
                    const Options& options) {
  for (const std::string& warning : opened.store.warnings()) spdlog::warn("{}", warning);
  if (!opened.problem.empty()) {
    // Somebody who named a place wants it used; who named none was warned at the start.
    if (!cache::named_store(options.text("cache"))) return 0;
    spdlog::error("the result above was not stored: {}", opened.problem);
    return static_cast<int>(ExitCode::usage);
  }
  if (!log.problem().empty()) spdlog::warn("{}", log.problem());
  if (!journal.problem().empty()) {
    spdlog::error("the result above was not stored: {}", journal.problem());
    return static_cast<int>(ExitCode::io);
  }
  return 0;
}

}  // namespace

int run_tune(const Options& options) {
  Job job = job_of(options);
  OpenStore opened = open_store(options.text("cache"));
  if (!opened.problem.empty()) spdlog::warn("results will not be kept: {}", opened.problem);
  if (is_known(options, opened.store, job)) return 0;
  job.custom = checked_operator(job.opened, *job.family, job.problem);
  RunLog log(cache::logs_folder());
  Journal journal(opened.store, job.start, log);
  spdlog::info("run {}: {} on {} ({}), {} with seed {}, budget {}",
               static_cast<std::int64_t>(journal.run()), describe(job.problem),
               job.start.device.name, job.opened.selection.text(), job.start.strategy,
               job.start.seed, job.start.budget);
  std::signal(SIGINT, on_interrupt);
  try {
    job.probe = probe_for(job, journal);
    const TuneResult result = search_and_confirm(options, job, opened.store, journal);
    journal.publish(result, job.problem);
    if (options.has("json"))
      print_json(json_of(result, job.problem, job.peak()));
    else
      fmt::print("{}", text_of(result, job.problem, job.peak()));
    if (log.problem().empty()) spdlog::info("log: {}", log.file().string());
    const int code = report_problems(opened, journal, log, options);
    return result.interrupted ? static_cast<int>(ExitCode::interrupted) : code;
  } catch (const Error& error) {
    journal.fail(error.what());
    throw;
  }
}

}  // namespace redtune::tuner::cli
