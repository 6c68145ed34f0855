// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The trial log and the best results, in one SQLite file. For the tuner and the command line only:
// applications read snapshots (see snapshot.hpp).
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cache/keys/borders.hpp"
#include "cache/keys/predictions.hpp"
#include "cache/keys/records.hpp"
#include "cache/keys/shared_run.hpp"
#include "cache/snapshot/snapshot.hpp"

namespace redtune::cache {

enum class Check;

/// What can be said of a published result.
enum class Word { revoked, restored };

/// Which runs may be gone on with: those that ended early, or also one that came to its end.
enum class Ended { early, at_all };

/// What became of the answers of an older snapshot.
struct Restored {
  std::size_t restored = 0;             ///< that answer again
  std::size_t unchanged = 0;            ///< that answered anyway
  std::vector<std::int64_t> revoked{};  ///< results that were revoked since: they stay so
};

/// Several processes may use one file at once; a writer waits up to 30 s for the others. An object
/// is for one thread, and must not be used on the other side of a fork. Every call is one short
/// transaction: what a call has returned from survives the end of the process, and of the machine.
/// Calls throw IoError when the file cannot be read or written; earlier rows then stay.
class Store {
 public:
  /// Opens or creates a store file, its folder too. A damaged file is put aside, and what can be
  /// read of it goes into a new one; so does what the snapshot beside it knows and the store does
  /// not (see warnings). Throws UsageError for a file that is something else: it is left as it is.
  [[nodiscard]] static Store open(const std::filesystem::path& file);
  /// Likewise, and looks at every page, also of a store so large that opening would take long.
  [[nodiscard]] static Store mend(const std::filesystem::path& file);
  /// Throws what open would throw for a file that is no store or cannot be looked at; nothing for
  /// one that is missing.
  static void check_place(const std::filesystem::path& file);
  /// What a store holds now, in memory: changes stay there. The file is only read; it may be
  /// somebody else's, and lie where nothing can be written. Throws IoError for a file that is no
  /// store, is damaged, or too large.
  [[nodiscard]] static Store copy_of(const std::filesystem::path& file);
  /// Likewise with what its snapshot knows besides, and of a damaged one what can be read of it:
  /// the warnings say so. The store need not be there.
  [[nodiscard]] static Store look_at(const std::filesystem::path& file);
  /// Forgets everything at its end: for machines without a writable place.
  [[nodiscard]] static Store in_memory();

  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  [[nodiscard]] RunId begin(const RunStart& start);
  /// At most once a run. Throws UsageError for peaks that are no speed.
  void record(RunId run, const ReadPeaks& peaks);
  /// Takes back the config's intents in this run. Throws UsageError for a trial that breaks a rule:
  /// "ok" without positive times, or a sequence that the run's search has already.
  void record(RunId run, const Trial& trial);
  /// Says what comes next, before it is done.
  void intend(RunId run, std::span<const Intent> intents);
  /// Takes back the intents of this process; those of one that died before it stay.
  void finish(RunId run, RunState state, const std::string& note = {});

  /// A second time changes nothing: the first reason stays.
  void exclude(const Exclusion& exclusion);

  /// The newest run of the same question, strategy and seed that ended early: interrupted, failed,
  /// or its process is gone.
  [[nodiscard]] std::optional<RunId> resumable(const RunStart& start) const;
  /// Takes such a run over: it is running again, in this process, with this budget, version and
  /// command line. False when it does not wait any more, e.g. because another process was faster:
  /// of many that try, one gets true. Throws UsageError for a run of another question, strategy
  /// or seed.
  [[nodiscard]] bool resume(RunId run, const RunStart& start, Ended ended = Ended::early);
  /// Whether a run of this store came to its end that was the same search.
  [[nodiscard]] bool is_finished(RunId run, const RunStart& start) const;

  /// Adds a new generation and renews the snapshot beside the file. A snapshot that cannot be
  /// written is a warning: the result is in the store, and the next opening tries again.
  /// Throws UsageError for numbers that are no measurement, and for a contended one.
  void publish(RunId run, const Best& best);
  /// And ends the run, both or neither: whoever is killed leaves no result of a run that is to be
  /// gone on with.
  void publish_and_finish(RunId run, const Best& best, RunState state, const std::string& note);

  /// Likewise a border between two winners: from below's count to the larger one. Throws UsageError
  /// for one that does not lie between them.
  void publish(const Question& below, const Border& border);
  /// All that were ever measured or taken over, oldest first; bests() has those that hold.
  [[nodiscard]] std::vector<StoredBorder> borders() const;

  /// Keeps what is expected of problems that were not tuned, in the place of what was expected of
  /// them before, all or nothing, and renews the snapshot: how many are other than before.
  std::size_t publish(std::span<const StoredPrediction> predictions);
  [[nodiscard]] std::vector<StoredPrediction> predictions() const;
  [[nodiscard]] bool has_predictions(const DeviceClass& device_class) const;

  /// Takes a result back, or takes that back: with it the one before it answers again, or none.
  /// Renews the snapshot. Throws UsageError for a result that there is not, or that is so already.
  void mark(std::int64_t generation, Word word, const std::string& reason);
  /// Lets the answers of an older snapshot answer again, each as a new result, all or nothing;
  /// other questions keep theirs. Renews the snapshot. origin: where those came from that are not
  /// known.
  Restored restore(const Snapshot& snapshot, const std::string& origin);
  /// How many of a snapshot's answers are not what answers now.
  [[nodiscard]] std::size_t differing(const Snapshot& snapshot) const;
  /// Every result there ever was, newest first.
  [[nodiscard]] std::vector<PastResult> history() const;

  /// All runs, oldest first, with their trials and with results that are not revoked.
  [[nodiscard]] std::vector<SharedRun> share() const;
  /// One of them; nothing when there is none of this number.
  [[nodiscard]] std::optional<SharedRun> share(RunId id) const;
  /// Takes over what is not known, all or nothing. A result answers when it is newer than what
  /// answers here. To runs of this store's own nothing is added. origin: where the runs came from,
  /// not empty. A border is taken over unless the same or a newer one is here.
  /// One that is revoked on arrival is kept, so that it is known from then on.
  Adopted adopt(std::span<const SharedRun> runs, const std::string& origin,
                std::span<const StoredBorder> borders = {});
  /// Whether adopt() would let a result of a run answer.
  [[nodiscard]] bool is_news(const SharedRun& run, const SharedResult& result) const;

  /// The newest generation of exactly this question that is not revoked.
  [[nodiscard]] std::optional<StoredBest> best(const Question& question) const;
  /// Likewise of every question, as the snapshot holds them, and the borders between them.
  [[nodiscard]] Snapshot results() const;
  /// And all predictions, of which there are many more: thousands to read.
  [[nodiscard]] Snapshot bests() const;

  /// Newest first.
  [[nodiscard]] std::vector<RunSummary> runs() const;
  [[nodiscard]] std::optional<RunSummary> run(RunId id) const;
  /// Of those of this store that are done and were never gone on with, on such a device; newest
  /// first.
  [[nodiscard]] std::vector<RunTime> run_times(const DeviceClass& device_class) const;
  /// What was recorded of a run's device; and the newest of any run on such a device.
  [[nodiscard]] std::optional<ReadPeaks> peaks(RunId run) const;
  [[nodiscard]] std::optional<ReadPeaks> newest_peaks(const DeviceClass& device_class) const;
  // Rows of trials and best results whose hash is wrong are skipped: a warning counts them.
  /// In the order in which they were recorded.
  [[nodiscard]] std::vector<Trial> trials(RunId run) const;

  /// All that apply to a question, oldest first, and told as of this question.
  [[nodiscard]] std::vector<Exclusion> exclusions(const Question& question) const;
  /// All there are, oldest first.
  [[nodiscard]] std::vector<StoredExclusion> exclusions() const;
  /// Its config may be tried again. Throws UsageError when there is none with this id.
  void lift_exclusion(std::int64_t id);

  /// Trials of runs that have recorded nothing since a time (UTC, ISO 8601): how many there are.
  [[nodiscard]] std::size_t trials_before(const std::string& time) const;
  /// Removes them, and gives their space back. Runs and results stay.
  void forget_trials_before(const std::string& time);

  /// What processes that are gone left undone in runs of a question, oldest first.
  [[nodiscard]] std::vector<OpenIntent> open_intents(const Question& question) const;

  /// Nothing for a store in memory.
  [[nodiscard]] std::optional<std::filesystem::path> file() const;
  /// Whether applications see what is in the store: the snapshot could be written.
  [[nodiscard]] bool is_published() const;
  /// One sentence each: what went wrong without stopping anything. The caller shows them.
  [[nodiscard]] std::vector<std::string> warnings() const;

 private:
  struct Impl;
  explicit Store(std::unique_ptr<Impl> impl);
  [[nodiscard]] static Store open(const std::filesystem::path& file, Check check);
  void renew_snapshot();
  std::size_t carry_over(const Snapshot& found, const std::filesystem::path& snapshot);
  RunId adopt_run(const SharedRun& run, const std::string& origin);
  Adopted adopt_rows(std::span<const SharedRun> runs, const std::string& origin);
  void adopt_predictions(std::span<const StoredPrediction> predictions,
                         std::span<const StoredPrediction> own);
  std::size_t adopt_borders(std::span<const StoredBorder> borders, const std::string& origin);
  void add_trial(RunId run, const Trial& trial);
  void add_intents(RunId run, std::span<const Intent> intents);
  std::size_t add_missing(RunId id, const SharedRun& run);
  [[nodiscard]] SharedRun share(RunSummary run, std::vector<SharedResult> results) const;

  std::unique_ptr<Impl> impl_;
};

// Of a store that is only read, where it is: its size does not matter.
[[nodiscard]] std::optional<ReadPeaks> newest_peaks(const std::filesystem::path& file,
                                                    const DeviceClass& device_class);
[[nodiscard]] std::size_t trials_before(const std::filesystem::path& file, const std::string& time);

}  // namespace redtune::cache
