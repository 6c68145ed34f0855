// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Evaluates configs: compile, verify, time by the protocol. Whatever a config does to the device or
// to the process that owns it costs that config one trial.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <future>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kernel_templates/family/family.hpp"
#include "redtune/limits.hpp"
#include "redtune/problem.hpp"
#include "tuner/compile/compile_pool.hpp"
#include "tuner/measure/protocol.hpp"
#include "tuner/session/evaluator.hpp"
#include "tuner/session/ledger.hpp"
#include "tuner/session/lost_workers.hpp"
#include "tuner/session/restriction.hpp"
#include "tuner/session/stopwatch.hpp"
#include "tuner/session/workbench.hpp"

namespace redtune::tuner {

struct EvaluatorSetup {
  const kernels::Family* family = nullptr;
  Problem problem;
  Limits limits;
  Restriction only = {};  ///< see TuneRequest
  MeasureTask task;
  Ledger* ledger = nullptr;    ///< null: nothing is written down
  Stopwatch* watch = nullptr;  ///< null: nobody asks where the time goes
  /// While others are measured: where compilers take nothing from the device.
  bool compiles_behind = false;
  /// How long a device that does not do the default right may rest before it is asked again.
  std::vector<Seconds> recovery = {Seconds(2), Seconds(10), Seconds(30)};
  /// Called once, by prepare_final(): starts what takes time and the final will need.
  std::function<void()> before_final = {};
  /// Called before each trial after that: ends what would disturb it.
  std::function<void()> back_to_search = {};
  /// Gets the bench of the search before the final opens one of its own.
  std::function<void(std::unique_ptr<Bench>)> search_is_done = [](auto) {};
  // See Evaluator:
  std::function<std::string()> disturbance = {};
  std::function<std::string()> readings = {};
};

class BenchEvaluator final : public Evaluator {
 public:
  BenchEvaluator(EvaluatorSetup setup, CompilePool compiler, Workbench::Open open, int stop = -1);

  void prepare(std::span<const search::Point> points) override;
  [[nodiscard]] std::vector<Evaluation> evaluate(std::span<const search::Point> points) override;
  void assume(const search::Point& point, const Outcome& outcome) override;
  [[nodiscard]] std::vector<Update> updates() override;
  void prepare_final(std::span<const search::Point> likely) override;
  [[nodiscard]] std::optional<Update> challenge(const search::Point& point) override;
  [[nodiscard]] std::variant<Rounds, Update> confirm(std::span<const search::Point> points,
                                                     const FinalLimits& limits) override;
  [[nodiscard]] Rounds displaced(std::span<const search::Point> points) override;
  [[nodiscard]] Figures figures(const search::Point& point) override;
  [[nodiscard]] FinalistTraits traits(const search::Point& point) const override;
  [[nodiscard]] const Calibration* calibration() const override;
  [[nodiscard]] std::string disturbance() override;
  [[nodiscard]] std::string readings() override;

  /// At the end: the bench, when nothing is wrong with it.
  [[nodiscard]] std::unique_ptr<Bench> release_bench() { return workbench_.release(); }

 private:
  /// A trial on its way: what has happened to it so far.
  struct TrialState {
    search::Point point;
    CandidateId id{};
    int attempts = 0;
    int faults = 0;  ///< the device or its process, ruined
    int stale_faults = 0;
    bool was_out_of_memory = false;
    bool was_not_ready = false;
    std::optional<std::string> was_wrong;
  };

  /// Units on their way, and whose they are.
  struct Compiling {
    std::vector<search::Point> owners;
    std::future<std::vector<UnitResult>> results;

    [[nodiscard]] bool has(const search::Point& point) const {
      return std::ranges::find(owners, point) != owners.end();
    }
  };

  [[nodiscard]] bool is_compiling(const search::Point& point) const;
  /// Waits for the compilers where a point is on its way, and for no others.
  void await_compiled(const search::Point& point);
  /// Brings the kernels that a floor is asked for to where workers find them.
  void prepare_floors(std::span<const search::Point> like);
  /// Compiled, and known to the workbench; else what became of it.
  [[nodiscard]] std::variant<CandidateId, Outcome> candidate(const search::Point& point);
  [[nodiscard]] CandidateId required_candidate(const search::Point& point);
  [[nodiscard]] Outcome judge(const search::Point& point, Evaluation& evaluation);
  /// Tries until there is an outcome.
  [[nodiscard]] Outcome run_to_outcome(TrialState& trial);
  /// What a mishap means; nothing: try again.
  [[nodiscard]] std::optional<Outcome> outcome_after(const BenchMishap& mishap, TrialState& trial);
  /// What a mishap outside of a trial means for who caused it.
  [[nodiscard]] Update update_after(const BenchMishap& mishap);
  [[nodiscard]] Outcome attempt(CandidateId id);
  void calibrate(CandidateId default_candidate);
  [[nodiscard]] Raced race(CandidateId id);
  void require_calibration();
  /// After a worker is gone: whether the default does it right at once. Throws DeviceUnhealthy when
  /// it does not after all the waiting either.
  [[nodiscard]] bool recover(const search::Point& culprit);
  [[nodiscard]] bool is_default_healthy();
  void verify_previous();
  /// What is known against a point; never anything against the default, without which there is
  /// nothing to compare with.
  [[nodiscard]] std::optional<Outcome> known_failure(const search::Point& point) const;
  [[nodiscard]] Outcome excluded(const search::Point& point, cache::ExclusionScope scope,
                                 Outcome outcome);
  [[nodiscard]] Settings settings_of(const search::Point& point) const {
    return setup_.family->settings_at(point);
  }

  EvaluatorSetup setup_;
  Ledger no_ledger_;
  Ledger& ledger_;
  Stopwatch own_watch_{Activity::rest};
  Stopwatch& watch_;
  CompilePool compiler_;
  Workbench workbench_;
  Protocol protocol_;
  search::Point default_;
  std::map<search::Point, UnitResult> compiled_;
  std::deque<Compiling> compiling_;  // behind what its threads use, so that it is gone first
  std::future<void> compiling_floors_;
  std::map<search::Point, double> compile_ms_;  // of those that were not on disk, until told
  std::map<search::Point, CandidateId> ids_;
  std::map<CandidateId, search::Point> points_;
  LostWorkers lost_workers_;
  std::optional<CandidateId> before_;  // the last one that was measured
  std::vector<Update> disqualified_;
  bool is_calibrated_ = false;
  double assumed_us_ = 0;  // the best of the run that is gone on with
};

}  // namespace redtune::tuner
