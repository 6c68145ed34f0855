// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Where a tuning run is kept while it goes on: the store, and the run's own log. A disk that fills
// up costs the record, never the run.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "cache/store.hpp"
#include "tuner/measure/probe.hpp"
#include "tuner/report/run_log.hpp"
#include "tuner/session/tune.hpp"

namespace redtune::tuner {

class Journal {
 public:
  Journal(cache::Store& store, const cache::RunStart& start, RunLog& log);

  void record(const Probe& probe);
  void record(const Trial& trial);
  /// Publishes the winner and closes the run.
  void publish(const TuneResult& result, const Problem& problem);
  /// Closes a run that found nothing.
  void fail(const std::string& why);

  [[nodiscard]] cache::RunId run() const { return run_; }
  /// The first thing that could not be written; empty: all is kept.
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  template <class Action>
  void attempt(Action&& action);

  cache::Store& store_;
  RunLog& log_;
  cache::RunId run_{};
  std::string problem_;
};

/// What an earlier, interrupted run of the same question found out, for TuneRequest::known.
[[nodiscard]] std::map<search::Point, Outcome> known_outcomes(const cache::Store& store,
                                                              const cache::RunStart& start,
                                                              const kernels::Family& family);

}  // namespace redtune::tuner
