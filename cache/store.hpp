// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The trial log and the best results, in one SQLite file. For the tuner and the command line only:
// applications read snapshots (see snapshot.hpp).
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cache/records.hpp"
#include "cache/snapshot.hpp"

namespace redtune::cache {

/// Several processes may use one file at once; a writer waits up to 30 s for the others. An object
/// is for one thread, and must not be used on the other side of a fork. Every call is one short
/// transaction: what a call has returned from survives the end of the process.
/// Calls throw IoError when the file cannot be read or written; earlier rows then stay.
class Store {
 public:
  /// Opens or creates a store file, its folder too. A damaged file is set aside (see warnings).
  [[nodiscard]] static Store open(const std::filesystem::path& file);
  /// Forgets everything at its end: for machines without a writable place.
  [[nodiscard]] static Store in_memory();

  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  [[nodiscard]] RunId begin(const RunStart& start);
  /// At most once a run. Throws UsageError for peaks that are no speed.
  void record(RunId run, const ReadPeaks& peaks);
  /// Throws UsageError for a trial that breaks a rule, e.g. "ok" without positive times.
  void record(RunId run, const Trial& trial);
  void finish(RunId run, RunState state, const std::string& note = {});

  /// Adds a new generation and renews the snapshot beside the file. A snapshot that cannot be
  /// written is a warning: the result is in the store, and the next opening tries again.
  /// Throws UsageError for numbers that are no measurement.
  void publish(RunId run, const Best& best);

  /// The newest generation of exactly this question.
  [[nodiscard]] std::optional<StoredBest> best(const Question& question) const;
  /// The newest generation of every question, as the snapshot holds them.
  [[nodiscard]] Snapshot bests() const;

  /// Newest first.
  [[nodiscard]] std::vector<RunSummary> runs() const;
  [[nodiscard]] std::optional<RunSummary> run(RunId id) const;
  /// What was recorded of a run's device; and the newest of any run on such a device.
  [[nodiscard]] std::optional<ReadPeaks> peaks(RunId run) const;
  [[nodiscard]] std::optional<ReadPeaks> newest_peaks(const DeviceClass& device_class) const;
  /// In the order in which they were recorded.
  [[nodiscard]] std::vector<Trial> trials(RunId run) const;

  /// What earlier runs of the same question that ended early (interrupted or failed) found in their
  /// search phase, for resuming: each config once, its newest trial, oldest first. With a seed: of
  /// runs with that seed only.
  [[nodiscard]] std::vector<Trial> known_trials(const Question& question,
                                                std::optional<std::uint64_t> seed = {}) const;

  /// Nothing for a store in memory.
  [[nodiscard]] std::optional<std::filesystem::path> file() const;
  /// One sentence each: what went wrong without stopping anything. The caller shows them.
  [[nodiscard]] std::vector<std::string> warnings() const;

 private:
  struct Impl;
  explicit Store(std::unique_ptr<Impl> impl);
  void renew_snapshot();

  std::unique_ptr<Impl> impl_;
};

}  // namespace redtune::cache
