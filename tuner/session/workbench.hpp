// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// All candidates of a session, and the bench where they run: which is replaced when one of them
// ruins it, and to which each candidate is brought when it is needed.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tuner/measure/sampler.hpp"
#include "tuner/session/stopwatch.hpp"
#include "tuner/worker/bench.hpp"

namespace redtune::tuner {

class Workbench final : public Sampler {
 public:
  /// open: makes a fresh bench, e.g. in a new worker process. Waiting ends with Stopped when the
  /// descriptor stop becomes readable; -1: never.
  using Open = std::function<std::unique_ptr<Bench>()>;
  /// watch: outlives the workbench.
  Workbench(Open open, Stopwatch& watch, int stop = -1);

  [[nodiscard]] CandidateId add(Candidate candidate);
  [[nodiscard]] const Candidate& candidate(CandidateId id) const {
    return candidates_.at(static_cast<std::size_t>(id));
  }

  // Each throws BenchMishap; after one that the bench did not survive, the next call is to a fresh
  // one.
  /// Brings a candidate to the bench. The other calls do it themselves.
  void load(CandidateId id);
  [[nodiscard]] std::string why_wrong(CandidateId id);
  [[nodiscard]] std::string why_wrong_when_timed(CandidateId id);
  [[nodiscard]] std::string why_wrong_when_challenged(CandidateId id);
  [[nodiscard]] Sample sample(const BatchOrder& order) override;
  /// What no candidate is faster than, see Bench.
  [[nodiscard]] Floor floor(CandidateId like);
  [[nodiscard]] device::BatchTime empty_batch() override;
  [[nodiscard]] Seconds now() const override;
  void wait(Seconds seconds) override;

  /// The next call is to a fresh bench.
  void replace();
  /// The bench, when nothing is wrong with it; the next call is to a fresh one.
  [[nodiscard]] std::unique_ptr<Bench> release();
  /// How many benches there were; the first is 1.
  [[nodiscard]] int generation() const { return generation_; }
  /// Whose turn it was last; while a mishap is handled, who caused it.
  [[nodiscard]] std::optional<CandidateId> last_used() const { return last_used_; }
  /// And who had his turn before that one.
  [[nodiscard]] std::optional<CandidateId> used_before() const { return used_before_; }
  /// Called after each trial: replaces a bench that is worn out, by trials or by memory that does
  /// not come back.
  void end_trial();

 private:
  template <class Action>
  auto use(CandidateId id, Action&& action);
  /// Passes a mishap on; a bench that did not survive it is given up.
  template <class Action>
  auto survive(Action&& action);
  [[nodiscard]] Bench& bench();
  void open_bench();
  void make_room();

  Open open_;
  Stopwatch& watch_;
  int stop_;
  std::vector<Candidate> candidates_;
  std::unique_ptr<Bench> bench_;
  std::deque<CandidateId> loaded_;  // least recently used first, without the default
  std::optional<CandidateId> default_;
  bool is_default_loaded_ = false;
  std::optional<CandidateId> last_used_;
  std::optional<CandidateId> used_before_;
  int generation_ = 0;
  std::size_t trials_ = 0;                 // on this bench
  std::optional<std::size_t> first_free_;  // bytes, after this bench's first trial
};

}  // namespace redtune::tuner
