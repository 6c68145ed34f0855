// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The front door of this room: finds a device, opens a store, tunes one problem after the other,
// keeps what it finds and tells an observer on the way. Whoever tunes needs no other header of the
// tuner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernel_templates/family/family.hpp"
#include "redtune/problem.hpp"
#include "tuner/compile/compile_pool.hpp"
#include "tuner/lease/lease.hpp"
#include "tuner/measure/peak.hpp"
#include "tuner/session/border_search.hpp"
#include "tuner/session/device_site.hpp"
#include "tuner/session/journal.hpp"
#include "tuner/session/open_store.hpp"
#include "tuner/session/run_log.hpp"
#include "tuner/session/stop.hpp"
#include "tuner/session/stopwatch.hpp"
#include "tuner/session/tune.hpp"

namespace redtune::tuner {

/// Throws UsageError when the input of a problem does not fit into what is free.
void require_memory(const Problem& problem, const DeviceIdentity& device, std::size_t free_bytes);
/// Likewise, into the device's memory, be it free or not.
void require_fit(const Problem& problem, const DeviceIdentity& device);

/// What a tuner works with.
struct TunerSetup {
  std::string device = "auto";              ///< one, as it is typed
  std::vector<std::string> device_worker;   ///< the command of a process that owns the device
  std::vector<std::string> compile_worker;  ///< likewise of one that compiles
  std::shared_ptr<Compilers> compilers;     ///< that work at a time, for this tuner and others
  std::optional<std::filesystem::path> store;
  bool only_looks = false;  ///< the store is read, and nothing is made: to ask, not to tune
  std::optional<std::filesystem::path> logs;  ///< a folder; every run has a file of its own there
};

/// What a setup's device means where it may be several: "hip:0,hip:2", "cuda:all" and "all" by
/// their names, one by one. Throws UsageError for what is no device.
[[nodiscard]] std::vector<std::string> devices_named(const TunerSetup& setup);

/// A problem to tune, and how.
struct TuneTask {
  Problem problem;
  std::string strategy = "auto";
  std::uint64_t seed = 1;
  std::string budget = "auto";
  Restriction only = {};          ///< configs with these values alone; nothing is published then
  std::string good_enough = {};   ///< "25us", "3000GB/s": so fast is enough; empty: nothing is
  std::string command_line = {};  ///< kept with the run
  bool is_fresh = false;          ///< known answers and runs that ended early are left alone
  bool is_recorded = false;       ///< every trial is wanted, and timed to its end
  bool starts_warm = true;        ///< with winners and trials of problems like this one
  bool accepts_noise = false;     ///< of the device's times; the host's are always accepted
  bool accepts_others = false;    ///< on the device; the result is not stored then
  bool waits = false;             ///< for a device that another tuner holds
};

/// The time of one execution that a task's good_enough means, in microseconds. Throws UsageError
/// for what is none.
[[nodiscard]] double good_enough_us(const std::string& text, const Problem& problem);

/// Throws UsageError for what cannot be done on any device: before one is touched.
void check_task(const TuneTask& task);

/// What a run came to.
struct Tuned {
  TuneResult result;
  Peak peak;                    ///< of the device, for this problem
  cache::RunId run{};           ///< in the store
  std::filesystem::path log{};  ///< of the run
  std::string log_problem{};    ///< why the log is not whole; empty: it is
  std::string run_problem{};    ///< why the store has not all of the run; empty: it has
  std::string why_not_kept{};   ///< why the result is in no file; empty: it is
};

/// Who watches: all that happens between the call and its result.
struct TunerObserver : TuneObserver {
  /// What begins, and takes seconds without a trial: "opening the device".
  std::function<void(std::string_view what)> on_stage = [](std::string_view) {};
  std::function<void(const std::string& line)> on_note = [](const auto&) {};
  std::function<void(const std::string& line)> on_warning = [](const auto&) {};
  /// See WorkerLog.
  WorkerLog on_worker = [](const auto&, const auto&) {};
};

/// What came of a result of elsewhere when it was timed here.
struct Proof {
  enum class Verdict {
    holds,
    slower,    ///< than the default, or than what it would replace
    fails,     ///< it does not compile, does not run, or gives a wrong result
    unproved,  ///< it cannot be timed here
  };
  Verdict verdict = Verdict::holds;
  std::string why{};  ///< one line, unless it holds
};

/// Who is behind by no more than this is as good, whatever its interval.
inline constexpr double most_behind = 1.02;

/// Whether a time / another's says that who came is slower: its median is beyond most_behind, and
/// its 95 % interval beyond 1.
[[nodiscard]] constexpr bool is_behind(const Interval& ratio) {
  return ratio.median > most_behind && ratio.low > 1;
}

class Tuner {
 public:
  /// Takes over SIGINT and SIGTERM, finds the device, opens the store. The device is not opened
  /// before something is tuned on it: who measures there is not disturbed.
  Tuner(TunerSetup setup, TunerObserver observer);

  [[nodiscard]] const FoundDevice& device() const { return site_.device(); }
  [[nodiscard]] const OpenStore& store() const { return store_; }

  /// The stored answer, where it is all that the task asks for. Throws UsageError when the input
  /// does not fit into the device's memory.
  [[nodiscard]] std::optional<cache::StoredBest> known(const TuneTask& task) const;

  /// The run that tune() would go on with: it ended early, or its kernel's file has got values
  /// since.
  [[nodiscard]] std::optional<cache::RunId> resumable(const TuneTask& task) const;

  /// Between the winners of tasks and their neighbours: what is to be measured, as far as both can
  /// run here.
  [[nodiscard]] BordersToMeasure borders_to_measure(std::span<const TuneTask> tasks) const;

  /// Keeps what the model of the device's trials expects of problems that were not tuned: of tasks
  /// and of the standard set: problems_to_predict(). How many predictions are new.
  std::size_t predict(std::span<const TuneTask> tasks);
  /// Whether some are kept of this device.
  [[nodiscard]] bool has_predictions() const;

  /// Times both at counts between theirs, as the final does, and publishes the border. Where a
  /// count is to be tuned between them, that is done first, and there are two borders: that of the
  /// larger two is told. how: with whose seed and budget, and what it accepts. Throws as tune(),
  /// Busy also for what a task would accept, and Interrupted when somebody wants an end: no border
  /// is kept then.
  [[nodiscard]] cache::StoredBorder measure_border(const Contestants& two, const TuneTask& how);

  /// Verifies a result of elsewhere here, and times it against the default and, if there is one,
  /// the answer that it would replace, side by side as the final does. Publishes nothing. Throws as
  /// measure_border().
  [[nodiscard]] Proof prove(const cache::StoredBest& arriving,
                            const std::optional<cache::StoredBest>& present, const TuneTask& how);

  /// Whether the device is leased, and nobody else tunes on it.
  [[nodiscard]] bool holds_device() const { return lease_.has_value(); }
  /// Ends what works on the device, and its lease: to be called by a thread that tuned before it
  /// ends, for its processes end with it. What is tuned later opens the device again.
  void leave_device();

  /// The device stays open, leased and probed for the next one. Throws as known(), UsageError when
  /// the input does not fit into what is free, Busy when others use the device, Stopped when
  /// somebody stopped it before there was a result, and as redtune::tuner::tune().
  /// next: what will be tuned after it, if anything: its search is thought of, and its first
  /// kernels are compiled, before this one has come to its end.
  [[nodiscard]] Tuned tune(const TuneTask& task, const TuneTask* next = nullptr);

 private:
  struct Run;

  [[nodiscard]] cache::RunStart start_of(const TuneTask& task) const;
  /// Nothing where it cannot run here.
  [[nodiscard]] std::optional<cache::StoredBest> stored_answer(const cache::RunStart& start) const;
  /// Likewise, of a task whose result may be published: what is faster replaces it.
  [[nodiscard]] std::optional<cache::StoredBest> answer_to_beat(const TuneTask& task) const;
  /// Values that a kernel's file has got since the answer was found, and the run that found it,
  /// where it can be gone on with.
  struct Grown {
    Settings added;
    std::optional<cache::RunId> run;
  };
  [[nodiscard]] Grown grown_since(const std::optional<cache::StoredBest>& best,
                                  const TuneTask& task) const;
  /// One line when what the store knows was measured by an earlier protocol; else nothing.
  [[nodiscard]] std::string why_tuned_anew(const cache::RunStart& start) const;
  void take_lease(const TuneTask& task);
  [[nodiscard]] std::string others_accepted_by(const TuneTask& task);
  [[nodiscard]] static bool is_probed(const Problem& problem);
  void probe(Run& run);
  void set_warm_start(Run& run) const;
  void announce(const Run& run) const;
  /// Compilers take nothing from a device that is no processor of this machine.
  [[nodiscard]] bool compiles_behind() const { return device().platform != "host"; }
  /// Of a task alone, whatever the store knows.
  [[nodiscard]] TuneRequest request_for(const TuneTask& task) const;
  [[nodiscard]] TuneRequest request_of(const Run& run) const;
  [[nodiscard]] CompilePool compilers_for(const Problem& problem,
                                          const cache::Binaries& binaries) const;
  [[nodiscard]] MeasureTask measuring(const TuneTask& task, const Probe& probe) const;
  void require_nobody_else();
  /// Leases and opens the device for what takes no others beside it.
  void make_ready_alone(const TuneTask& task);
  [[nodiscard]] std::optional<cache::StoredBest> tune_between(const Contestants& two,
                                                              const TuneTask& how);
  [[nodiscard]] Faster faster_at(const Contestants& two, const TuneTask& task);
  void make_room_for(const Problem& problem, const DeviceIdentity& device);
  [[nodiscard]] bool is_part_of_memory(const Problem& problem, std::size_t parts) const;
  void prepare_final(const Run& run);
  void compile_for_next(const Run& run);
  /// A run whose search has ended, and whose final begins.
  struct Ending {
    cache::RunId run{};
    cache::StoredBest fastest;  ///< that its search knows
  };
  [[nodiscard]] std::optional<Ending> ending_of(const Run& run) const;
  [[nodiscard]] TuneRequest request_ahead(const TuneTask& task, const Ending* ending) const;
  enum class When { now, later };
  void compile_first_of(const TuneTask& task, When when, const Ending* ending = nullptr);
  /// What the search asks for next, once it is certain that there will be one.
  void compile_further();
  /// Waits for what nobody else will wait for any more: it is compiled to its end, and no longer
  /// lets others go before it.
  void drop_first_kernels();
  using Compiling = std::vector<std::shared_future<void>>;
  void await(Compiling& kernels);
  using SharedGroundwork = std::shared_ptr<const Groundwork>;
  /// What was thought of ahead; null: nothing was.
  [[nodiscard]] SharedGroundwork take_groundwork();
  [[nodiscard]] TuneResult search_and_confirm(Run& run);
  [[nodiscard]] TuneResult run_to_end(Run& run);
  [[nodiscard]] TuneResult finish(Run& run);

  Stopwatch watch_{Activity::start_up};
  TunerSetup setup_;
  TunerObserver observer_;
  Stop stop_;
  std::optional<RunLog> log_;   // not before there is something to log
  std::optional<Lease> lease_;  // before the site: its worker ends while nobody else may begin
  DeviceSite site_;
  OpenStore store_;
  struct FirstKernels {
    std::optional<Problem> of;  ///< this problem or the next
    Compiling support = {};     ///< for measuring
    Compiling first = {};       ///< what its search tries first
    Compiling further = {};     ///< what else it asks for at first
    std::function<void()> further_work = {};
    std::shared_ptr<Compilers::Later> later = {};  ///< until it is its turn
    std::shared_future<SharedGroundwork> groundwork = {};
  } first_kernels_;
  Compiling still_compiling_;   // of this problem's, what its search has not tried yet
  std::optional<Probe> probe_;  // how fast the device can read does not depend on the problem
  struct {
    bool clock = false;
    std::set<CacheMode> lengths;
  } checked_;                   // what calibrations have found of the device itself
  bool is_store_told_ = false;  // that it keeps nothing
};

}  // namespace redtune::tuner
