// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/session/tune.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <iterator>
#include <memory>
#include <set>

#include "redtune/error.hpp"
#include "search/registry.hpp"

namespace redtune::tuner {
namespace {

using Clock = std::chrono::steady_clock;

/// Points of one ask: enough to share a compile, few enough to learn from.
constexpr std::size_t batch_size = 8;
/// Finalists beside the default, and what is near enough to the best to be one.
constexpr std::size_t most_finalists = 8;
constexpr double near_enough = 1.02;
/// The final: rounds within these bounds, as many as its time allows.
constexpr std::size_t least_rounds = 30;
constexpr std::size_t most_rounds = 40;
constexpr double final_seconds = 20;
constexpr double final_seconds_after_interrupt = 5;

class Interrupted : public Error {
 public:
  using Error::Error;
  [[nodiscard]] ExitCode exit_code() const noexcept override { return ExitCode::interrupted; }
};

/// A compiler's log is pages; the whole of it is in the run's log.
std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

class NothingValid : public Error {
 public:
  using Error::Error;
  [[nodiscard]] ExitCode exit_code() const noexcept override { return ExitCode::nothing_valid; }
};

class Session {
 public:
  Session(const TuneRequest& request, Evaluator& evaluator, const TuneObserver& observer)
      : request_(request),
        evaluator_(evaluator),
        observer_(observer),
        space_(request.family->space(request.problem, request.limits)),
        default_(request.family->point_of(
            request.family->default_settings(request.problem, request.limits))) {}

  TuneResult run() {
    search_until_spent();
    TuneResult result;
    result.default_settings = request_.family->settings_at(default_);
    result.space_size = space_.size();
    result.interrupted = stopped();
    decide_final(result);
    result.trials = trials_.size();
    for (const Trial& trial : trials_) {
      ++result.statuses[std::string(status_of(trial.evaluation.outcome))];
    }
    return result;
  }

 private:
  [[nodiscard]] bool stopped() const { return request_.stop != nullptr && *request_.stop; }

  [[nodiscard]] std::unique_ptr<search::Strategy> make_strategy() const {
    search::StrategyOptions options{.seed = request_.seed, .start = {default_}};
    const auto add = [&](const std::vector<Settings>& all) {
      for (const Settings& one : all) options.start.push_back(request_.family->point_of(one));
    };
    add(request_.start);
    add(request_.family->known_shapes(request_.problem, request_.limits));
    return search::make_strategy(request_.strategy, space_, options);
  }

  void search_until_spent() {
    const auto strategy = make_strategy();
    while (!request_.budget.spent(trials_.size(), Clock::now() - begin_) && !stopped()) {
      const std::size_t left = request_.budget.remaining_evaluations(trials_.size());
      const auto points = strategy->ask(std::min(batch_size, left));
      if (points.empty()) return;
      strategy->tell(try_out(points));
    }
  }

  std::vector<search::Observation> try_out(const std::vector<search::Point>& points) {
    std::vector<search::Point> unknown;
    for (const auto& point : points) {
      if (!request_.known.contains(point)) unknown.push_back(point);
    }
    const auto fresh = evaluator_.evaluate(unknown);
    std::vector<search::Observation> observations;
    std::size_t next = 0;
    for (const auto& point : points) {
      const auto known = request_.known.find(point);
      const bool is_known = known != request_.known.end();
      record({trials_.size(), point, request_.family->settings_at(point),
              is_known ? Evaluation{known->second} : fresh[next++], is_known});
      observations.push_back({point, cost_of(trials_.back().evaluation.outcome)});
    }
    return observations;
  }

  void record(Trial trial) {
    if (const auto* measured = std::get_if<Measured>(&trial.evaluation.outcome)) {
      const double us = measured->time_us.median;
      if (trial.point == default_) progress_.default_us = us;
      if (!progress_.best_us || us < *progress_.best_us) progress_.best_us = us;
    }
    trials_.push_back(std::move(trial));
    progress_.trials = trials_.size();
    progress_.space_size = space_.size();
    progress_.share = share_spent();
    observer_.on_trial(trials_.back(), progress_);
  }

  [[nodiscard]] double share_spent() const {
    const auto& [evaluations, time] = request_.budget;
    const auto trials = static_cast<double>(trials_.size());
    double share = trials / static_cast<double>(std::max<std::size_t>(1, space_.size()));
    if (evaluations) share = std::max(share, trials / static_cast<double>(*evaluations));
    if (time) share = std::max(share, std::chrono::duration<double>(Clock::now() - begin_) / *time);
    return std::min(1.0, share);
  }

  /// The measured trials that may win, best first, the default before all.
  [[nodiscard]] std::vector<search::Point> choose_finalists() const {
    std::vector<std::pair<double, search::Point>> measured;
    for (const Trial& trial : trials_) {
      if (!std::holds_alternative<Measured>(trial.evaluation.outcome)) continue;
      if (trial.point != default_ && !disqualified_.contains(trial.point)) {
        measured.emplace_back(*cost_of(trial.evaluation.outcome), trial.point);
      }
    }
    std::ranges::sort(measured);
    std::vector<search::Point> finalists{default_};
    for (const auto& [us, point] : measured) {
      const bool is_near = us <= measured.front().first * near_enough;
      if (finalists.size() <= most_finalists && (is_near || finalists.size() <= 3)) {
        finalists.push_back(point);
      }
    }
    return finalists;
  }

  /// Finalists that are right on inputs made to find mistakes as well. Who is not is recorded once
  /// more, as a wrong result, and others move up.
  [[nodiscard]] std::vector<search::Point> challenge_finalists() {
    std::set<search::Point> passed;
    while (true) {
      const auto finalists = choose_finalists();
      std::vector<search::Point> fresh;
      std::ranges::copy_if(finalists, std::back_inserter(fresh),
                           [&](const auto& point) { return !passed.contains(point); });
      if (fresh.empty()) return finalists;
      const auto failures = evaluator_.challenge(fresh);
      for (std::size_t i = 0; i < fresh.size(); ++i) {
        if (failures[i]) {
          disqualified_.insert(fresh[i]);
          record({trials_.size(), fresh[i], request_.family->settings_at(fresh[i]),
                  Evaluation{*failures[i]}});
        } else {
          passed.insert(fresh[i]);
        }
      }
      require_valid_default();
    }
  }

  void decide_final(TuneResult& result) {
    require_valid_default();
    const auto finalists = challenge_finalists();
    for (const auto& point : finalists) {
      result.finalists.push_back(request_.family->settings_at(point));
    }
    observer_.on_final(finalists.size());
    // One round tells how long a round takes; what follows is the final.
    const auto begin = Clock::now();
    (void)evaluator_.time_rounds(finalists, 1);
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    const double available = stopped() ? final_seconds_after_interrupt : final_seconds;
    const auto rounds = static_cast<std::size_t>(available / std::max(seconds, 1e-3));
    result.decision =
        decide(evaluator_.time_rounds(finalists, std::clamp(rounds, least_rounds, most_rounds)));
    const search::Point& winner = finalists[result.decision.winner];
    result.stream_us = evaluator_.stream_times({&winner, 1}).front();
  }

  void require_valid_default() const {
    for (const Trial& trial : trials_) {
      if (trial.point != default_) continue;
      const Outcome& outcome = trial.evaluation.outcome;
      if (cost_of(outcome) && !disqualified_.contains(default_)) return;
      if (cost_of(outcome)) continue;  // what disqualified it stands further down
      throw NothingValid(fmt::format("the default configuration itself failed ({}): {}",
                                     status_of(outcome), first_line(detail_of(outcome))));
    }
    if (stopped()) throw Interrupted("interrupted before the default configuration was measured");
    throw NothingValid(
        "the budget ended before the default configuration was tried; raise --budget");
  }

  const TuneRequest& request_;
  Evaluator& evaluator_;
  const TuneObserver& observer_;
  search::Space space_;
  search::Point default_;
  Clock::time_point begin_ = Clock::now();
  std::vector<Trial> trials_;
  Progress progress_;
  std::set<search::Point> disqualified_;  // measured, but wrong on other inputs
};

}  // namespace

TuneResult tune(const TuneRequest& request, Evaluator& evaluator, const TuneObserver& observer) {
  return Session(request, evaluator, observer).run();
}

}  // namespace redtune::tuner
