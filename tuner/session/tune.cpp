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
#include "tuner/measure/finalists.hpp"
#include "tuner/measure/inert.hpp"
#include "tuner/measure/untrustworthy.hpp"

namespace redtune::tuner {
namespace {

using Clock = std::chrono::steady_clock;

/// Points of one ask: enough to share a compile, few enough to learn from.
constexpr std::size_t batch_size = 8;
/// The final of a run that is interrupted.
constexpr Seconds brief_final{10};
constexpr std::size_t rounds_of_brief_final = 12;

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
    result.trials = searched_;
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
    while (!request_.budget.spent(searched_, Clock::now() - begin_) && !stopped()) {
      const std::size_t left = request_.budget.remaining_evaluations(searched_);
      const auto points = strategy->ask(std::min(batch_size, left));
      if (points.empty()) break;
      strategy->tell(try_out(points));
      take_updates();
      if (disqualified_.contains(default_)) break;
      if (!times_.contains(default_)) break;  // there is nothing to compare with
    }
    for (const auto& [point, outcome] : request_.found_out) disqualify(point);
    try_the_standing();
  }

  /// However small the budget, what is stored is not replaced by what it was not compared with. Last,
  /// so that a strategy proposes the same whether something is stored or not: runs are gone on with.
  void try_the_standing() {
    if (!request_.standing || stopped() || !times_.contains(default_)) return;
    const search::Point point = request_.family->point_of(*request_.standing);
    const bool is_tried =
        std::ranges::any_of(trials_, [&](const Trial& trial) { return trial.point == point; });
    if (!is_tried && space_.contains(point)) (void)try_out({point});
  }

  std::vector<search::Observation> try_out(const std::vector<search::Point>& points) {
    std::vector<search::Point> unknown;
    for (const auto& point : points) {
      if (!request_.known.contains(point)) unknown.push_back(point);
    }
    evaluator_.prepare(unknown);
    std::vector<search::Observation> observations;
    for (const auto& point : points) {
      const auto known = request_.known.find(point);
      const bool is_known = known != request_.known.end();
      if (is_known) evaluator_.assume(point, known->second);
      // One by one: what is recorded is not lost, whatever the next one does.
      auto fresh =
          is_known ? std::vector{Evaluation{known->second}} : evaluator_.evaluate({&point, 1});
      // With another budget a strategy may not come back to all that is known.
      const std::size_t place = searched_++;
      record({.sequence = is_known ? place : next_sequence_++,
              .point = point,
              .settings = request_.family->settings_at(point),
              .evaluation = std::move(fresh.front()),
              .replayed = is_known});
      const auto cost = cost_of(trials_.back().evaluation.outcome);
      observations.push_back({point, cost});
      if (point == default_ && !cost) break;  // there is nothing to compare the others with
      if (stopped()) break;
    }
    return observations;
  }

  void record(Trial trial) {
    if (const auto* measured = std::get_if<Measured>(&trial.evaluation.outcome)) {
      times_[trial.point] = measured->time_us;
      const double us = measured->time_us.median;
      if (trial.point == default_) progress_.default_us = us;
      if (!progress_.best_us || us < *progress_.best_us) progress_.best_us = us;
    } else if (const auto us = cost_of(trial.evaluation.outcome); us && trial.point == default_) {
      times_[default_] = {*us, *us, *us};  // however slow, it is what is to be beaten
    }
    trials_.push_back(std::move(trial));
    progress_.trials = searched_;
    progress_.space_size = space_.size();
    progress_.share = share_spent();
    observer_.on_trial(trials_.back(), progress_);
  }

  /// What was timed again has a new time, which no strategy hears of; what was found out cannot
  /// win.
  void take_updates() {
    for (const Update& update : evaluator_.updates()) {
      if (const auto* again = std::get_if<Measured>(&update.outcome)) {
        times_[update.point] = again->time_us;
      } else {
        find_out(update);
      }
    }
  }

  void disqualify(const search::Point& point) {
    disqualified_.insert(point);
    times_.erase(point);
  }

  void find_out(const Update& update) {
    disqualify(update.point);
    record({.sequence = confirmed_++,
            .phase = TrialPhase::confirm,
            .point = update.point,
            .settings = request_.family->settings_at(update.point),
            .evaluation = Evaluation{update.outcome}});
  }

  [[nodiscard]] double share_spent() const {
    const auto& [evaluations, time] = request_.budget;
    const auto trials = static_cast<double>(searched_);
    double share = trials / static_cast<double>(std::max<std::size_t>(1, space_.size()));
    if (evaluations) share = std::max(share, trials / static_cast<double>(*evaluations));
    if (time) share = std::max(share, std::chrono::duration<double>(Clock::now() - begin_) / *time);
    return std::min(1.0, share);
  }

  /// The measured points that may win, the default before all.
  [[nodiscard]] std::vector<search::Point> finalists() const {
    std::vector<search::Point> points;
    std::vector<TimedCandidate> timed;
    FinalistRules rules;
    if (const Calibration* found = evaluator_.calibration()) rules.noise_floor = found->noise_floor;
    const auto standing = request_.standing
                              ? std::optional(request_.family->point_of(*request_.standing))
                              : std::nullopt;
    for (const auto& [point, time] : times_) {
      const CandidateId id{points.size()};
      points.push_back(point);
      timed.push_back({id, time});
      if (point == default_) rules.default_candidate = id;
      if (point == standing) rules.standing = id;
    }
    std::vector<search::Point> chosen;
    for (const CandidateId id : choose_finalists(timed, rules)) {
      chosen.push_back(points[static_cast<std::size_t>(id)]);
    }
    return chosen;
  }

  /// Finalists that are right on inputs made to find mistakes as well. Who is not is out, and
  /// others move up.
  [[nodiscard]] std::vector<search::Point> challenged_finalists() {
    while (true) {
      const auto chosen = finalists();
      std::vector<search::Point> fresh;
      std::ranges::copy_if(chosen, std::back_inserter(fresh),
                           [&](const auto& point) { return !passed_.contains(point); });
      if (fresh.empty()) return chosen;
      const auto failures = evaluator_.challenge(fresh);
      for (std::size_t i = 0; i < fresh.size(); ++i) {
        if (failures[i])
          find_out({fresh[i], *failures[i]});
        else
          passed_.insert(fresh[i]);
      }
      require_valid_default();
    }
  }

  void require_reaction() const {
    std::vector<double> times;
    for (const auto& [point, time] : times_) times.push_back(time.median);
    const std::string why = why_inert(times);
    if (!why.empty()) throw Untrustworthy(why);
  }

  [[nodiscard]] FinalLimits limits() const {
    FinalLimits limits{.stop = request_.stop};
    if (stopped()) {
      limits = {.least_rounds = 2, .most_rounds = rounds_of_brief_final, .most_time = brief_final};
    }
    return limits;
  }

  void decide_final(TuneResult& result) {
    require_valid_default();
    require_reaction();
    while (true) {
      const auto chosen = challenged_finalists();
      observer_.on_final(chosen.size());
      const auto found = evaluator_.confirm(chosen, limits());
      if (const auto* update = std::get_if<Update>(&found)) {
        find_out(*update);
        require_valid_default();
        continue;
      }
      conclude(chosen, std::get<Rounds>(found), result);
      return;
    }
  }

  void conclude(const std::vector<search::Point>& chosen, const Rounds& rounds,
                TuneResult& result) {
    std::vector<FinalistTraits> traits;
    for (const search::Point& point : chosen) {
      result.finalists.push_back(request_.family->settings_at(point));
      traits.push_back(evaluator_.traits(point));
      traits.back().is_standing = request_.standing == result.finalists.back();
      traits.back().rank = space_.rank(point).value_or(space_.size());
    }
    result.rounds = rounds.size();
    result.decision = decide(rounds, traits);
    result.was_standing = traits[result.decision.winner].is_standing;
    result.interrupted = stopped();
    if (const Calibration* found = evaluator_.calibration()) result.calibration = *found;
    // What is still asked of the device is not worth the result.
    const search::Point& winner = chosen[result.decision.winner];
    unless_it_fails([&] { result.disturbance = evaluator_.disturbance(); });
    unless_it_fails([&] { result.stream_us = evaluator_.stream_us(winner); });
    unless_it_fails([&] { result.readings = evaluator_.readings(); });
    const bool is_answered = request_.standing.has_value() && !result.was_standing;
    result.leaves_standing = is_answered && result.interrupted && !result.decision.significant;
  }

  /// A person who wants an end is heard all the same.
  template <class Action>
  static void unless_it_fails(const Action& action) {
    try {
      action();
    } catch (const Error& error) {
      if (error.exit_code() == ExitCode::interrupted) throw;
    }
  }

  void require_valid_default() const {
    for (const Trial& trial : trials_) {
      if (trial.point != default_) continue;
      const Outcome& outcome = trial.evaluation.outcome;
      if (cost_of(outcome) && !disqualified_.contains(default_)) return;
      if (cost_of(outcome)) continue;  // what it was found out by stands further down
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
  std::size_t searched_ = 0;
  std::size_t next_sequence_ = std::max(request_.next_sequence, request_.known.size());
  std::size_t confirmed_ = request_.found_out.size();
  Progress progress_;
  std::map<search::Point, Interval> times_;  // of what may win, as timed last
  std::set<search::Point> disqualified_;     // measured, but found out
  std::set<search::Point> passed_;           // the challenge
};

}  // namespace

std::string_view to_string(TrialPhase phase) {
  return phase == TrialPhase::search ? "search" : "confirm";
}

TuneResult tune(const TuneRequest& request, Evaluator& evaluator, const TuneObserver& observer) {
  return Session(request, evaluator, observer).run();
}

}  // namespace redtune::tuner
