// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/tuner.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <thread>
#include <utility>
#include <variant>

#include "cache/files/paths.hpp"
#include "cache/keys/key.hpp"
#include "redtune/error.hpp"
#include "redtune/version.hpp"
#include "runtime/compiled_unit_cache.hpp"
#include "runtime/protocol_version.hpp"
#include "runtime/space_key.hpp"
#include "search/budget.hpp"
#include "search/registry.hpp"
#include "tuner/lease/lease_note.hpp"
#include "tuner/session/added_values.hpp"
#include "tuner/session/bench_evaluator.hpp"
#include "tuner/session/groundwork.hpp"
#include "tuner/session/sources.hpp"
#include "tuner/session/warm_start.hpp"
#include "tuner/text/counted.hpp"
#include "tuner/text/printable.hpp"
#include "tuner/workload/order.hpp"

namespace redtune::tuner {
namespace {

/// Smaller inputs are all launch: no bandwidth of theirs comes near a peak.
constexpr std::size_t least_probed_bytes = 1 << 20;

/// Of the device's memory: a larger input leaves a second worker no room beside its copies, and a
/// second bench none beside copies, outputs and challenges. One that rests is a third.
constexpr std::size_t parts_for_two_workers = 8;
constexpr std::size_t parts_for_two_benches = 32;
constexpr std::size_t parts_for_three_benches = 64;

/// How much of a search is over when the worker of its final is started.
constexpr double share_before_next_worker = 0.6;

}  // namespace

/// One run on its way.
struct Tuner::Run {
  /// Where it is kept, and what it may go on with.
  struct Kept {
    cache::Store& store;
    RunLog& log;
    std::optional<cache::RunId> finished;
  };

  const TuneTask& task;
  const TuneTask* next;
  const kernels::Family& family;
  cache::RunStart start;
  std::string others;  ///< who used the device at the beginning
  Journal journal;
  std::optional<Settings> standing = {};
  std::vector<Settings> first = {};              ///< of values that its file has got since
  std::vector<cache::StoredBest> winners = {};   ///< that the search begins with
  std::vector<search::SourceTask> sources = {};  ///< of problems like this one
  SharedGroundwork groundwork = {};              ///< of the search
  Probe probe = {};

  Run(const TuneTask& order, const TuneTask* after, const cache::RunStart& what, std::string who,
      const Kept& kept)
      : task(order),
        next(after),
        family(kernels::family_of(order.problem)),
        start(what),
        others(std::move(who)),
        journal(kept.store, start, kept.log, order.is_fresh ? Resume::no : Resume::yes,
                kept.finished) {}
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  [[nodiscard]] std::int64_t cache_bytes() const {
    return start.device.device_class.last_level_cache_bytes;
  }
  [[nodiscard]] BenchOrder order() const { return bench_order(family, task.problem, start.seed); }
};

std::vector<std::string> devices_named(const TunerSetup& setup) {
  return devices_named(WorkerCommand{.words = setup.device_worker, .device = setup.device});
}

Tuner::Tuner(TunerSetup setup, TunerObserver observer)
    : setup_(std::move(setup)),
      observer_(std::move(observer)),
      site_({.words = setup_.device_worker, .device = setup_.device, .stop = stop_.now()},
            [this](const std::string& kind, const Json& fields) {
              observer_.on_worker(kind, fields);
              if (log_) log_->write(kind, fields);
            }),
      store_(setup_.only_looks ? look_at_store(setup_.store) : open_store(setup_.store)) {}

/// The lease is held until the tuner is gone.
void Tuner::take_lease(const TuneTask& task) {
  if (lease_) return;
  constexpr auto pause = std::chrono::seconds(1);
  for (bool is_told = false; !lease_; is_told = true) {
    try {
      lease_.emplace(Lease::take(device().identity.address, note_of_this_process()));
    } catch (const Busy& busy) {
      if (!task.waits) throw;
      if (Stop::asked()) throw Interrupted("interrupted while it waited for the device");
      if (!is_told) observer_.on_note(fmt::format("waiting: {}", busy.what()));
      std::this_thread::sleep_for(pause);
    }
  }
  if (!lease_->warning().empty()) observer_.on_warning(lease_->warning());
}

void Tuner::leave_device() {
  drop_first_kernels();
  still_compiling_.clear();
  site_.leave();
  lease_.reset();
}

/// Refuses a device that others use, unless that is accepted: who they are.
std::string Tuner::others_accepted_by(const TuneTask& task) {
  std::string others = site_.others();
  if (others.empty()) return others;
  if (!task.accepts_others) {
    throw Busy(fmt::format(
        "other processes use {}: {}; end them, or measure all the same with --allow-shared, "
        "which stores nothing",
        printable(device().identity.name), printable(others)));
  }
  observer_.on_warning(fmt::format(
      "other processes use the device: {}; the result will not be stored", printable(others)));
  return others;
}

bool Tuner::is_probed(const Problem& problem) {
  return kernels::family_of(problem).bytes_held(problem) >= least_probed_bytes;
}

/// How fast the device can read, into the journal too; nothing for an input of less than 1 MiB, and
/// with a warning where it cannot be told: such a device can still be tuned.
void Tuner::probe(Run& run) {
  if (!is_probed(run.task.problem)) return;
  const auto span = watch_.during(Activity::probe);
  try {
    if (!probe_) {
      observer_.on_stage("measuring how fast the device reads");
      probe_ = site_.probe();
      observer_.on_note(
          fmt::format("this device reads {:.2f} GB/s from memory, {:.2f} GB/s from its cache",
                      probe_->read.gbps, probe_->cached_read.gbps));
    }
    run.probe = *probe_;
    if (run.probe.read.gbps > 0) run.journal.record(run.probe);
  } catch (const BenchMishap& mishap) {
    throw DeviceUnhealthy(fmt::format("the device's memory cannot be read: {}", mishap.what()));
  } catch (const Stopped&) {
    throw;
  } catch (const Error& error) {
    probe_.emplace();  // nor is it for other problems
    observer_.on_warning(
        fmt::format("how fast this device can read is not known: {}", error.what()));
  }
}

/// Winners to begin with and trials to be guided by; a cold run has neither. A run that has trials
/// goes on as it began, whatever it is told now.
void Tuner::set_warm_start(Run& run) const {
  const bool has_begun = !run.journal.known(run.family).tried.empty();
  if (!run.task.starts_warm && !has_begun) return;
  auto winners = winners_for(store_.store, run.journal, run.family, device().limits);
  if (!winners) return;
  run.winners = std::move(*winners);
  if (search::find_strategy(run.task.strategy).uses_sources) {
    run.sources = sources_for(store_.store, run.journal, run.family);
  }
}

/// The first lines, for people and in the log.
void Tuner::announce(const Run& run) const {
  const Journal& journal = run.journal;
  const bool is_kept = journal.has_run() && store_.problem.empty();
  const auto number = static_cast<std::int64_t>(journal.run());
  observer_.on_note(fmt::format("{}: {} on {} ({}), {} with seed {}, budget {}",
                                is_kept ? fmt::format("run {}", number) : "a run that is not kept",
                                describe(run.task.problem), run.start.device.name,
                                device().selection, run.start.strategy, run.task.seed,
                                run.task.budget));
  if (const std::size_t count = journal.excluded_count(); count > 0) {
    observer_.on_note(fmt::format("{} that failed before {} left out", counted(count, "config"),
                                  count == 1 ? "is" : "are"));
  }
  if (journal.is_resumed()) return;
  if (!run.standing && run.task.only.empty()) {
    const std::string why = why_tuned_anew(run.start);
    if (!why.empty()) observer_.on_note(why);
  }
  if (!run.winners.empty()) observer_.on_note(describe(journal.question(), run.winners));
  if (!run.sources.empty()) observer_.on_note(describe(run.sources));
}

TuneRequest Tuner::request_of(const Run& run) const {
  TuneRequest request = request_for(run.task);
  request.standing = run.standing;
  request.sources = run.sources;
  request.groundwork = run.groundwork;
  request.groundwork = groundwork_of(request);
  request.start = run.first;
  for (const cache::StoredBest& winner : run.winners) {
    request.start.push_back(winner.best.settings);
  }
  Known known = run.journal.known(run.family);
  request.known = std::move(known.trials);
  if (run.task.is_recorded) {  // what was given up before is timed to the end now
    std::erase_if(request.known,
                  [](const auto& one) { return std::holds_alternative<Slow>(one.second); });
  }
  // What was measured well and left out since, by another problem for one, is not measured again.
  const search::Point default_point = run.family.point_of(
      reference_config(run.family, run.task.problem, request.limits, run.task.only));
  for (auto& [point, outcome] : request.known) {
    if (point == default_point) continue;
    if (auto failure = run.journal.excluded(run.family.settings_at(point))) outcome = *failure;
  }
  request.disqualified = std::move(known.disqualified);
  request.next_sequence = known.next_sequence;
  if (run.journal.is_resumed()) {
    const std::size_t count = request.known.size();
    observer_.on_note(fmt::format("continuing run {}: {} {} known",
                                  static_cast<std::int64_t>(run.journal.run()),
                                  counted(count, "trial"), count == 1 ? "is" : "are"));
  }
  return request;
}

/// Whether its input takes no more than one of so many parts of the device's memory.
bool Tuner::is_part_of_memory(const Problem& problem, std::size_t parts) const {
  return kernels::family_of(problem).bytes_held(problem) <= site_.free_bytes() / parts;
}

/// The device is opened. Throws UsageError when the input does not fit into what is free.
void Tuner::make_room_for(const Problem& problem, const DeviceIdentity& device) {
  site_.make_ready();
  if (!is_part_of_memory(problem, parts_for_two_benches)) site_.let_nobody_rest();
  require_memory(problem, device, site_.free_bytes());
}

/// What takes time and is needed next, while nobody is timed.
void Tuner::prepare_final(const Run& run) {
  if (is_part_of_memory(run.task.problem, parts_for_two_workers)) {
    const BenchOrder order = run.order();
    const bool are_two = is_part_of_memory(run.task.problem, parts_for_two_benches);
    site_.start_ahead(are_two ? &order : nullptr);
  }
  compile_for_next(run);
}

void Tuner::compile_for_next(const Run& run) {
  if (run.next == nullptr || Stop::asked()) return;
  std::optional<Ending> ending;
  try {
    ending = ending_of(run);
  } catch (const Error&) {
    // A store that cannot be read tells less, and costs this run nothing here.
  }
  compile_first_of(*run.next, When::later, ending ? &*ending : nullptr);
}

std::optional<Tuner::Ending> Tuner::ending_of(const Run& run) const {
  if (!run.journal.has_run()) return std::nullopt;
  Ending ending{run.journal.run(), {.question = run.journal.question()}};
  std::optional<double> fastest_us;
  for (const cache::Trial& trial : store_.store.trials(ending.run)) {
    if (!trial.time_us || (fastest_us && trial.time_us->median >= *fastest_us)) continue;
    fastest_us = trial.time_us->median;
    ending.fastest.best.settings = trial.settings;
  }
  return fastest_us ? std::optional(std::move(ending)) : std::nullopt;
}

TuneResult Tuner::search_and_confirm(Run& run) {
  const cache::Binaries binaries(cache::binaries_folder());
  BenchEvaluator evaluator(
      {.family = &run.family,
       .problem = run.task.problem,
       .limits = device().limits,
       .only = run.task.only,
       .task = measuring(run.task, run.probe),
       .ledger = &run.journal,
       .watch = &watch_,
       .compiles_behind = compiles_behind(),
       .before_final = [&] { prepare_final(run); },
       .back_to_search = [&] { site_.stop_ahead(); },
       .search_is_done =
           [&](std::unique_ptr<Bench> bench) {
             if (is_part_of_memory(run.task.problem, parts_for_three_benches)) {
               site_.rest(std::move(bench));
             }
           },
       // Who was there at the beginning has disturbed, also when gone by now.
       .disturbance = [&] { return run.others.empty() ? site_.others() : run.others; },
       .readings = [&] { return site_.readings().dump(); }},
      compilers_for(run.task.problem, binaries), [&] { return site_.open(run.order()); },
      stop_.now());
  bool is_calibration_told = false;
  bool is_next_foreseen = run.next == nullptr;
  bool is_next_worker_asked = !compiles_behind();
  TuneObserver observer = observer_;
  observer.on_trial = [&](const Trial& trial, const Progress& progress) {
    const auto rest = watch_.during(Activity::rest);
    if (const auto* found = evaluator.calibration(); found != nullptr && !is_calibration_told) {
      is_calibration_told = true;
      checked_.clock = checked_.clock || found->clock_agrees;
      if (found->lengths_agree) checked_.lengths.insert(run.task.problem.cache_mode);
      run.journal.record(*found);
      for (const std::string& warning : found->warnings) observer_.on_warning(warning);
    }
    run.journal.record(trial);
    stop_.has_results();
    if (!is_next_foreseen &&
        progress.share >= share_before_next(run.task.problem, run.next->problem)) {
      is_next_foreseen = true;
      compile_for_next(run);
    }
    if (!is_next_worker_asked && progress.share >= share_before_next_worker) {
      is_next_worker_asked = true;
      site_.find_ahead();
    }
    observer_.on_trial(trial, progress);
  };
  // What neither the evaluator nor the observer takes is thought.
  const auto span = watch_.during(Activity::choose);
  const TuneRequest request = request_of(run);
  const search::Prior* const prior = request.groundwork->prior.get();
  run.journal.record_guides(request.sources.size(), prior != nullptr ? prior->taken_over() : 0);
  TuneResult result = redtune::tuner::tune(request, evaluator, observer);
  site_.take_back(evaluator.release_bench());
  // Before the evaluator goes, which waits for what is still compiled.
  const auto rest = watch_.during(Activity::rest);
  run.journal.publish(result, run.task.problem);
  return result;
}

/// Runs, and closes the run's record however it ends.
TuneResult Tuner::run_to_end(Run& run) {
  const auto span = watch_.during(Activity::rest);
  try {
    observer_.on_stage("compiling the first kernels");
    await(first_kernels_.support);
    probe(run);
    // An operator of a person's takes as long as its elements tell, which nobody waits for here.
    if (run.task.problem.op != Op::custom) site_.set_up_ahead(run.order());
    await(first_kernels_.first);
    run.groundwork = take_groundwork();
    still_compiling_ = std::exchange(first_kernels_, {}).further;
    observer_.on_stage("calibrating: the default timed against itself");
    return search_and_confirm(run);
  } catch (const Stopped& stopped) {
    run.journal.fail(stopped.what(), cache::RunState::interrupted);
    throw Stopped(fmt::format("{}; nothing was published. The same command{} goes on from here",
                              stopped.what(), run.task.is_fresh ? " without --fresh" : ""));
  } catch (const Interrupted& interrupted) {
    run.journal.fail(interrupted.what(), cache::RunState::interrupted);
    throw;
  } catch (const std::exception& error) {
    run.journal.fail(error.what());
    throw;
  }
}

/// And says where the time went since the tuner was made, or since the problem before.
TuneResult Tuner::finish(Run& run) {
  try {
    TuneResult result = run_to_end(run);
    run.journal.record(watch_.spent());
    return result;
  } catch (...) {
    run.journal.record(watch_.spent());
    throw;
  }
}

Tuned Tuner::tune(const TuneTask& task, const TuneTask* next) {
  const auto lap = watch_.lap();  // also of a problem that never comes to its end
  if (Stop::asked()) throw Interrupted("interrupted before it began");
  const cache::RunStart start = start_of(task);
  require_fit(task.problem, start.device);
  (void)reference_config(kernels::family_of(task.problem), task.problem, device().limits,
                         task.only);
  if (!store_.problem.empty() && !std::exchange(is_store_told_, true)) {
    observer_.on_warning(fmt::format("results will not be kept: {}", store_.problem));
  }
  take_lease(task);
  stop_.begin_problem();
  observer_.on_stage("opening the device");
  site_.open_ahead();
  if (first_kernels_.of != task.problem) compile_first_of(task, When::now);
  if (first_kernels_.later) first_kernels_.later->is_now();
  make_room_for(task.problem, start.device);
  const std::string others = others_accepted_by(task);
  compile_further();
  if (task.problem.op == Op::custom) {
    site_.check_operator({start.family, task.problem, task.seed, {}});
  }
  const auto best = answer_to_beat(task);
  RunLog& log = log_.emplace(setup_.logs);
  const Grown grown = grown_since(best, task);
  Run run(task, next, start, others, {store_.store, log, grown.run});
  if (best) {
    run.standing = best->best.settings;
    run.first = first_configs_with(grown.added, run.family, task.problem, device().limits,
                                   best->best.settings);
  }
  if (!grown.added.empty()) {
    observer_.on_note(
        fmt::format("values were added since it was tuned: {}", to_string(grown.added)));
  }
  set_warm_start(run);
  run.journal.record_start(run.winners);
  announce(run);
  Tuned tuned{.result = finish(run),
              .peak = peak_for(task.problem, peaks_of(run.probe), run.cache_bytes())};
  tuned.run = run.journal.run();
  tuned.log = log.file();
  tuned.log_problem = log.problem();
  tuned.run_problem = run.journal.problem();
  tuned.why_not_kept = store_.problem.empty() ? run.journal.problem() : store_.problem;
  return tuned;
}

}  // namespace redtune::tuner
