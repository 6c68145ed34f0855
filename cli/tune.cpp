// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune tune: find the best configuration, keep it, say what was found.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "cache/files/paths.hpp"
#include "cli/commands.hpp"
#include "cli/known_answer.hpp"
#include "cli/names.hpp"
#include "cli/question.hpp"
#include "cli/recording.hpp"
#include "cli/say.hpp"
#include "cli/terminal.hpp"
#include "cli/tune_job.hpp"
#include "cli/tune_probe.hpp"
#include "cli/tune_report.hpp"
#include "redtune/error.hpp"
#include "runtime/binary_shelf.hpp"
#include "search/registry.hpp"
#include "tuner/lease/lease.hpp"
#include "tuner/measure/peak.hpp"
#include "tuner/session/bench_evaluator.hpp"
#include "tuner/session/device_site.hpp"
#include "tuner/session/journal.hpp"
#include "tuner/session/sources.hpp"
#include "tuner/session/stop.hpp"
#include "tuner/session/warm_start.hpp"
#include "tuner/text/counted.hpp"
#include "tuner/text/printable.hpp"

namespace redtune::cli {
namespace {

std::int64_t number(cache::RunId run) {
  return static_cast<std::int64_t>(run);
}

/// One run on its way.
struct Run {
  const Options& options;
  const Job& job;
  DeviceSite& site;
  Journal& journal;
  const Stop& stop;
  std::optional<Settings> standing;
  std::string others;                            ///< who used the device at the beginning
  std::vector<cache::StoredBest> winners;        ///< that the search begins with
  std::vector<search::SourceTask> sources = {};  ///< of problems like this one
};

EvaluatorSetup evaluator_setup(const Run& run) {
  const Job& job = run.job;
  const double bytes =
      static_cast<double>(job.problem.count) * static_cast<double>(size_of(job.problem.in));
  return {.family = job.family,
          .problem = job.problem,
          .limits = run.site.device().limits,
          .task = {.bytes = bytes,
                   .peak_bytes_per_us = 1e3 * most_gbps(job.problem, job.probe, job.cache_bytes()),
                   .seed = job.start.seed,
                   .in_full = run.options.has("record"),
                   .is_cold = job.problem.cache_mode == CacheMode::cold,
                   // A host always does other things as well; its result says how sure it is.
                   .accept_noise =
                       run.options.has("force-noisy") || run.site.device().platform == "host"},
          .ledger = &run.journal,
          .disturbance =
              [&run] {
                // Who was there at the beginning has disturbed, also when gone by now.
                return run.others.empty() ? run.site.others() : run.others;
              },
          .readings = [&run] { return run.site.readings().dump(); }};
}

TuneRequest request_of(const Run& run) {
  const Job& job = run.job;
  TuneRequest request{.family = job.family,
                      .problem = job.problem,
                      .limits = run.site.device().limits,
                      .isa = run.site.device().identity.device_class.isa,
                      .strategy = job.start.strategy,
                      .seed = job.start.seed,
                      .budget = job.budget,
                      .standing = run.standing,
                      .stop = &Stop::asked()};
  if (!search::find_strategy(request.strategy).learns) {  // then compilers can be kept busy
    request.batch = std::max(request.batch, 4 * static_cast<std::size_t>(job.jobs));
  }
  request.sources = run.sources;
  for (const cache::StoredBest& winner : run.winners) {
    request.start.push_back(winner.best.settings);
  }
  Known known = run.journal.known(*job.family);
  request.known = std::move(known.trials);
  if (run.options.has("record")) {  // what was given up before is timed to the end now
    std::erase_if(request.known,
                  [](const auto& one) { return std::holds_alternative<Slow>(one.second); });
  }
  // What was measured well and left out since, by another problem for one, is not measured again.
  const search::Point default_point =
      job.family->point_of(job.family->default_settings(job.problem, request.limits));
  for (auto& [point, outcome] : request.known) {
    if (point == default_point) continue;
    if (auto failure = run.journal.excluded(job.family->settings_at(point))) outcome = *failure;
  }
  request.found_out = std::move(known.found_out);
  request.next_sequence = known.next_sequence;
  if (run.journal.is_resumed()) {
    const std::size_t count = request.known.size();
    spdlog::info("continuing run {}: {} known", number(run.journal.run()),
                 counted(count, "trial") + (count == 1 ? " is" : " are"));
  }
  return request;
}

TuneResult search_and_confirm(const Run& run) {
  const auto& [options, job, site, journal, stop, standing, others, winners, sources] = run;
  const OpenedDevice& device = site.device();
  const cache::Binaries binaries(cache::binaries_folder());
  const CompilePool compiler({.platform = device.platform,
                              .arch = device.arch,
                              .text = job.family->device_text(job.problem),
                              .binaries = &binaries,
                              .toolchain = runtime::toolchain_text(device.identity),
                              .stop = stop.now()},
                             worker_command(), job.jobs);
  BenchEvaluator evaluator(
      evaluator_setup(run), compiler, [&] { return run.site.open(run.job.order()); }, stop.now());
  ProgressLine line;
  bool is_calibration_told = false;
  TuneObserver observer;
  observer.on_trial = [&](const Trial& trial, const Progress& progress) {
    if (const auto* found = evaluator.calibration(); found != nullptr && !is_calibration_told) {
      is_calibration_told = true;
      journal.record(*found);
      line.clear();
      for (const std::string& warning : found->warnings) spdlog::warn("{}", warning);
    }
    journal.record(trial);
    Stop::has_results();
    line.show(progress.share, text_of(progress));
  };
  observer.on_final = [&](std::size_t finalists) {
    line.clear();
    if (finalists > 1) spdlog::info("timing {} finalists against each other", finalists);
  };
  return tune(request_of(run), evaluator, observer);
}

/// What was not kept, or not published, is said last, and by the exit code, whatever the reason.
int report_problems(const OpenStore& opened, const Journal& journal, const RunLog& log) {
  for (const std::string& warning : opened.store.warnings()) spdlog::warn("{}", warning);
  // Who has no place for anything was told so.
  if (opened.problem.empty() && !log.problem().empty()) spdlog::warn("{}", log.problem());
  const std::string& why = opened.problem.empty() ? journal.problem() : opened.problem;
  if (!why.empty()) spdlog::error("the result above was not stored: {}", why);
  return static_cast<int>(why.empty() && opened.store.is_published() ? ExitCode::done
                                                                     : ExitCode::io);
}

/// Refuses a device that others use, unless that is accepted: who they are.
std::string require_alone(const Options& options, DeviceSite& site) {
  std::string others = site.others();
  if (others.empty()) return others;
  if (!options.has("allow-shared")) {
    throw Busy(fmt::format(
        "other processes use {}: {}; end them, or measure all the same with --allow-shared, "
        "which stores nothing",
        printable(site.device().identity.name), printable(others)));
  }
  spdlog::warn("other processes use the device: {}; the result will not be stored",
               printable(others));
  return others;
}

/// Winners to begin with and trials to be guided by; a cold run has neither. A run that has trials
/// goes on as it began, whatever it is told now.
void set_warm_start(Run& run, const cache::Store& store) {
  const kernels::Family& family = *run.job.family;
  const bool has_begun = !run.journal.known(family).tried.empty();
  if (run.options.has("no-warm-start") && !has_begun) return;
  auto winners = winners_for(store, run.journal, family, run.site.device().limits);
  if (!winners) return;
  run.winners = std::move(*winners);
  if (search::find_strategy(run.job.start.strategy).uses_sources) {
    run.sources = sources_for(store, run.journal, family);
  }
}

/// A run that no store keeps has no number that anybody could look up.
std::string name_of_run(const Journal& journal, const OpenStore& opened) {
  const bool is_kept = journal.has_run() && opened.problem.empty();
  return is_kept ? fmt::format("run {}", number(journal.run())) : "a run that is not kept";
}

/// The first lines, for people and in the log.
void announce(const Run& run, const OpenStore& opened) {
  const auto& [options, job, site, journal, stop, standing, others, winners, sources] = run;
  journal.record_start(winners);
  spdlog::info("{}: {} on {} ({}), {} with seed {}, budget {}", name_of_run(journal, opened),
               describe(job.problem), job.start.device.name, site.device().selection,
               job.start.strategy, job.start.seed, job.start.budget);
  if (const std::size_t count = journal.excluded_count(); count > 0) {
    spdlog::info("{} that failed before {} left out", counted(count, "config"),
                 count == 1 ? "is" : "are");
  }
  if (journal.is_resumed()) return;
  if (!standing) {
    const std::string why = why_tuned_anew(opened.store, job);
    if (!why.empty()) spdlog::info("{}", why);
  }
  if (!winners.empty()) spdlog::info("{}", describe(journal.question(), winners));
  if (!sources.empty()) spdlog::info("{}", describe(sources));
}

int report(const Run& run, const TuneResult& result, const OpenStore& opened, const RunLog& log) {
  const Job& job = run.job;
  std::optional<Recording> recording;
  if (run.options.has("record")) recording = write_recording(opened, run.journal, log);
  if (run.options.has("json")) {
    Json document = json_of(result, job.problem, job.peak());
    if (recording && recording->problem.empty()) document["recording"] = recording->file;
    print_json(document);
  } else {
    fmt::print("{}", text_of(result, job.problem, job.peak()));
  }
  if (log.problem().empty()) spdlog::info("log: {}", log.file().string());
  if (recording && recording->problem.empty()) {
    spdlog::info("recording of {}: {}", counted(recording->trials, "trial"), recording->file);
  }
  if (!result.disturbance.empty()) {
    spdlog::error("other processes used the device meanwhile: {}; the result is not stored",
                  printable(result.disturbance));
  }
  int code = report_problems(opened, run.journal, log);
  if (recording && !recording->problem.empty()) {
    spdlog::error("{}", recording->problem);
    code = static_cast<int>(ExitCode::io);
  }
  if (result.interrupted) return static_cast<int>(ExitCode::interrupted);
  const bool is_disturbed = !result.disturbance.empty() && !run.options.has("allow-shared");
  return code == 0 && is_disturbed ? static_cast<int>(ExitCode::untrustworthy) : code;
}

/// Runs, and closes the run's record however it ends.
TuneResult finish_run(const Run& run, Job& job) {
  Journal& journal = run.journal;
  const std::string how_to_go_on = run.options.has("fresh")
                                       ? "The same command without --fresh goes on from here"
                                       : "The same command goes on from here";
  try {
    job.probe = probe_for(job, run.site, journal);
    TuneResult result = search_and_confirm(run);
    journal.publish(result, job.problem);
    return result;
  } catch (const Stopped& stopped) {
    journal.fail(stopped.what(), cache::RunState::interrupted);
    throw Stopped(fmt::format("{}; nothing was published. {}", stopped.what(), how_to_go_on));
  } catch (const Error& error) {
    journal.fail(error.what(), error.exit_code() == ExitCode::interrupted
                                   ? cache::RunState::interrupted
                                   : cache::RunState::failed);
    throw;
  } catch (const std::exception& error) {
    journal.fail(error.what());
    throw;
  }
}

}  // namespace

int run_tune(const Options& options) {
  Job job = job_of(options);
  const Stop stop;
  std::optional<RunLog> log;  // not before there is something to log
  const auto on_worker = [&](const std::string& kind, const Json& fields) {
    spdlog::debug("{}: {}", kind, fields.dump(-1, ' ', false, Json::error_handler_t::replace));
    if (log) log->write(kind, fields);
  };
  DeviceSite site(
      {.words = device_worker_command(), .device = options.text("device"), .stop = stop.now()},
      on_worker);
  job.start.device = site.device().identity;
  require_memory(job.problem, job.start.device, static_cast<std::size_t>(site.device().free_bytes));
  OpenStore opened = open_store(options.text("cache"));
  if (is_answered(options, opened.store, job)) return 0;
  if (!opened.problem.empty()) spdlog::warn("results will not be kept: {}", opened.problem);
  const Lease lease = Lease::take(job.start.device.address, note_of_this_process());
  if (!lease.warning().empty()) spdlog::warn("{}", lease.warning());
  const std::string others = require_alone(options, site);
  if (job.problem.op == Op::custom) site.check_operator(job.order());
  const auto best = opened.store.best(cache::question_of(job.start));
  log.emplace(cache::logs_folder());
  Journal journal(opened.store, job.start, *log, options.has("fresh") ? Resume::no : Resume::yes);
  Run run{options, job, site, journal, stop, {}, others, {}};
  if (best) run.standing = best->best.settings;
  set_warm_start(run, opened.store);
  announce(run, opened);
  const TuneResult result = finish_run(run, job);
  return report(run, result, opened, *log);
}

}  // namespace redtune::cli
