// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Where a tuning run is kept while it goes on: the store, and the run's own log. A disk that fills
// up costs the record, never the run.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cache/store/store.hpp"
#include "tuner/measure/probe.hpp"
#include "tuner/session/ledger.hpp"
#include "tuner/session/run_log.hpp"
#include "tuner/session/stopwatch.hpp"
#include "tuner/session/tune.hpp"

namespace redtune::tuner {

/// Whether a run that ended early is gone on with.
enum class Resume { yes, no };

/// What is known before a run begins.
struct Known {
  std::map<search::Point, Outcome> trials;        ///< of the run that is gone on with
  std::vector<search::Point> tried;               ///< in order; the default each time
  std::map<search::Point, Outcome> disqualified;  ///< likewise, see TuneRequest
  std::size_t next_sequence = 0;                  ///< of a trial of its search
};

class Journal final : public Ledger {
 public:
  /// Begins a run, or goes on with the newest one of the same question, strategy and seed that
  /// ended early. Each of the arguments outlives the journal. finished: else with this one, though
  /// it came to its end.
  Journal(cache::Store& store, const cache::RunStart& start, RunLog& log, Resume resume,
          std::optional<cache::RunId> finished = {});

  /// What the run is about, and the stored winners it begins with: the first line of its log.
  void record_start(std::span<const cache::StoredBest> winners);
  void record(const Probe& probe);
  void record(const Calibration& calibration);
  /// How many problems guide the search, and of how many was learned before it began.
  void record_guides(std::size_t sources, std::size_t learned_ahead);
  void record(const Trial& trial);
  /// Where the time of this session went; last.
  void record(const TimeSpent& spent);
  /// Publishes the winner, unless TuneResult::why_not_published() says why not, and closes the run.
  void publish(const TuneResult& result, const Problem& problem);
  /// Closes a run that came to no result. interrupted: a person has stopped it.
  void fail(const std::string& why, cache::RunState state = cache::RunState::failed);

  void intend(std::span<const Settings> all, cache::IntentStage stage) override;
  [[nodiscard]] std::optional<Outcome> excluded(const Settings& settings) const override;
  void exclude(const Settings& settings, cache::ExclusionScope scope,
               const Outcome& outcome) override;

  [[nodiscard]] cache::RunId run() const { return run_; }
  /// Whether the store could begin one; else it has no number.
  [[nodiscard]] bool has_run() const { return run_ != cache::RunId{}; }
  [[nodiscard]] cache::Question question() const { return cache::question_of(start_); }
  [[nodiscard]] bool is_resumed() const { return is_resumed_; }
  /// Points of family that the run has trials of; settings that it does not know are left out.
  [[nodiscard]] Known known(const kernels::Family& family) const;
  [[nodiscard]] std::size_t excluded_count() const { return excluded_.size(); }
  /// The first thing that could not be written; empty: all is kept.
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  template <class Action>
  void attempt(Action&& action);
  void begin(Resume resume, std::optional<cache::RunId> finished);
  void close(cache::RunState state, const std::string& note);
  void heed_exclusions();
  void heed_intents();

  cache::Store& store_;
  const cache::RunStart& start_;
  RunLog& log_;
  cache::RunId run_{};
  bool is_resumed_ = false;
  std::map<Settings, Outcome> excluded_;
  std::string problem_;
};

}  // namespace redtune::tuner
