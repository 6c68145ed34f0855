// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The loop: ask a strategy, evaluate, tell it, until the budget is spent; then time the finalists
// against the default and decide.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernel_templates/family/family.hpp"
#include "redtune/error.hpp"
#include "redtune/limits.hpp"
#include "redtune/problem.hpp"
#include "redtune/settings.hpp"
#include "search/budget.hpp"
#include "search/point_queue.hpp"
#include "search/strategy.hpp"
#include "tuner/session/evaluator.hpp"
#include "tuner/session/restriction.hpp"

namespace redtune::tuner {

struct Groundwork;

struct TuneRequest {
  const kernels::Family* family = nullptr;
  Problem problem;
  Limits limits;
  std::string isa = {};  ///< of the device; empty: nothing is known of what suits it
  std::string strategy = "auto";
  std::uint64_t seed = 0;
  search::Budget budget;
  Restriction only = {};  ///< configs with these values alone; the default may be none of them
  std::optional<double> good_enough_us = {};  ///< a config that is so fast ends the search
  search::AskSizes asks{.batch = 8};  ///< a search that nobody guides asks for fewer at first
  /// Tried after the default and before the family's known shapes; invalid ones are left out.
  std::vector<Settings> start = {};
  /// Trials of problems like this one, for a strategy that learns.
  std::vector<search::SourceTask> sources = {};
  /// What was thought of before, of this problem or another; null: nothing was.
  std::shared_ptr<const Groundwork> groundwork = {};
  /// From the run that this one continues: not evaluated again.
  std::map<search::Point, Outcome> known = {};
  std::size_t next_sequence = 0;  ///< of the first trial that is not known
  /// Likewise, what was measured there and disqualified later.
  std::map<search::Point, Outcome> disqualified = {};
  std::optional<Settings> standing = {};    ///< the stored answer to this question, to be beaten
  const std::atomic<bool>* stop = nullptr;  ///< set by a signal: finish, confirm, return
};

/// search: proposed by the strategy, each config once. confirm: a config that was measured and
/// disqualified later.
enum class TrialPhase { search, confirm };

[[nodiscard]] std::string_view to_string(TrialPhase phase);

struct Trial {
  std::size_t sequence = 0;  ///< within its phase and run
  TrialPhase phase = TrialPhase::search;
  search::Point point;
  Settings settings;
  Evaluation evaluation;
  bool replayed = false;  ///< known from the run that this one continues
};

/// What a person watching wants to know after each step.
struct Progress {
  std::size_t trials = 0;
  std::size_t space_size = 0;
  std::optional<std::size_t> most_trials;  ///< that the budget allows
  std::size_t failed = 0;                  ///< of the trials; one given up as slow has not
  double share = 0;                        ///< of the budget that is spent, 0 to 1
  std::optional<double> seconds_left;      ///< likely, of the search; at first nobody knows
  std::optional<double> default_us;
  std::optional<double> best_us;
};

struct TuneObserver {
  std::function<void(const Trial&, const Progress&)> on_trial = [](const auto&, const auto&) {};
  std::function<void(std::size_t finalists)> on_final = [](std::size_t) {};
  /// Before it is compiled and measured.
  std::function<void(const Settings&, const Progress&)> on_candidate = [](const auto&,
                                                                          const auto&) {};
};

struct TuneResult {
  Restriction only;                 ///< of the search; such a result is not to be published
  Settings default_settings;        ///< what all are compared with, see reference_config()
  std::vector<Settings> finalists;  ///< the first is the default
  Decision decision;
  std::size_t rounds = 0;     ///< of the final
  Figures figures;            ///< of the winner
  Calibration calibration{};  ///< what the session began with
  std::string disturbance{};  ///< who else used the device; such a result is not to be published
  std::string readings{};     ///< of the device's sensors, as a JSON object
  std::size_t trials = 0;
  std::size_t space_size = 0;
  std::map<std::string, std::size_t> statuses;  ///< how many trials ended how
  bool interrupted = false;
  bool was_standing = false;  ///< the winner is the answer that was stored before
  bool had_standing = false;  ///< there is such an answer
  /// Nothing is faster than the default as far as that is known, but that is not far, since the run
  /// was interrupted. An answer that is stored stays.
  bool is_undecided = false;

  [[nodiscard]] const Settings& winner() const { return finalists[decision.winner]; }
  [[nodiscard]] bool leaves_standing() const { return is_undecided && had_standing; }
  /// In a few words, for people; empty: it is.
  [[nodiscard]] std::string why_not_published() const;
};

/// No configuration gave a right result that the others could be compared with.
class NothingValid : public Error {
 public:
  using Error::Error;
};

/// Throws NothingValid when not even the default gives a right result, Interrupted when a person
/// wants an end before it did, UntrustworthySession when the measurement makes no sense,
/// DeviceUnhealthy when the device does not go on.
[[nodiscard]] TuneResult tune(const TuneRequest& request, Evaluator& evaluator,
                              const TuneObserver& observer);

}  // namespace redtune::tuner
