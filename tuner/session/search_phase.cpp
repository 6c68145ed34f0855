// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/session/search_phase.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <set>
#include <utility>

#include "device/compiler.hpp"
#include "redtune/error.hpp"
#include "tuner/compile/interrupted.hpp"
#include "tuner/measure/untrustworthy.hpp"
#include "tuner/session/asks.hpp"
#include "tuner/session/groundwork.hpp"

namespace redtune::tuner {
namespace {

/// How much longer than the fastest: who was given up against it took surely more.
constexpr double worth_another_race = 1.02;

}  // namespace

SearchPhase::SearchPhase(const TuneRequest& request, Evaluator& evaluator,
                         const TuneObserver& observer)
    : request_(request),
      evaluator_(evaluator),
      observer_(observer),
      space_(space_of(request)),
      default_(request.family->point_of(
          reference_config(*request.family, request.problem, request.limits, request.only))),
      settled_(!request.sources.empty(), request.budget.is_brief),
      next_sequence_(std::max(request.next_sequence, request.known.size())),
      confirmed_(request.disqualified.size()) {}

std::map<std::string, std::size_t> SearchPhase::statuses() const {
  std::map<std::string, std::size_t> statuses;
  for (const Trial& trial : trials_) {
    ++statuses[std::string(status_of(trial.evaluation.outcome))];
  }
  return statuses;
}

void SearchPhase::run() {
  Asks asks(request_, *space_);
  while (goes_on()) {
    const auto asked = asks.ask();
    for (const auto& some : compiled_together(asked, request_.asks.batch)) prepare(some);
    const auto points = asks.next();
    if (points.empty()) break;
    for (std::size_t i = 0; i < points.size() && goes_on(); i += usual_batch) {
      asks.tell(try_out(std::span(points).subspan(i, std::min(usual_batch, points.size() - i))));
      take_updates();
    }
    if (disqualified_.contains(default_)) break;
    if (!times_.contains(default_)) break;  // there is nothing to compare with
  }
  take_in_known();
  for (const auto& [point, outcome] : request_.disqualified) {
    if (point != default_) disqualify(point);  // see try_out()
  }
  try_stored_answer();
  take_updates();
  race_again();
}

bool SearchPhase::goes_on() const {
  if (request_.budget.until_settled && settled_.share() >= 1) return false;
  if (is_good_enough()) return false;
  return !request_.budget.spent(searched_, Clock::now() - begin_) && !stopped();
}

bool SearchPhase::is_good_enough() const {
  return request_.good_enough_us && fastest_us() <= *request_.good_enough_us;
}

void SearchPhase::prepare(std::span<const search::Point> points) {
  std::vector<search::Point> unknown;
  for (const auto& point : points) {
    if (!request_.known.contains(point)) unknown.push_back(point);
  }
  evaluator_.prepare(unknown);
}

/// What the run that this one continues has measured and this strategy did not come back to, as
/// with another budget: it was paid for.
void SearchPhase::take_in_known() {
  if (!times_.contains(default_)) return;
  std::set<search::Point> tried;
  for (const Trial& trial : trials_) tried.insert(trial.point);
  for (const auto& [point, outcome] : request_.known) {
    if (!tried.contains(point) && space_->contains(point)) (void)try_out({&point, 1});
  }
}

/// However small the budget, what is stored is not replaced by what it was not compared with. Last,
/// so that a strategy proposes the same whether something is stored or not: runs are gone on with.
void SearchPhase::try_stored_answer() {
  if (!request_.standing || stopped() || !times_.contains(default_)) return;
  const search::Point point = request_.family->point_of(*request_.standing);
  const bool is_tried =
      std::ranges::any_of(trials_, [&](const Trial& trial) { return trial.point == point; });
  if (is_tried || !space_->contains(point)) return;
  prepare({&point, 1});
  (void)try_out({&point, 1});
}

std::vector<search::Observation> SearchPhase::try_out(std::span<const search::Point> points) {
  std::vector<search::Observation> observations;
  for (const auto& point : points) {
    const auto known = request_.known.find(point);
    // The default gets another chance in each session: without it there is nothing to compare with.
    const bool is_known =
        known != request_.known.end() && (point != default_ || cost_of(known->second));
    // Nobody is raced against who cannot win.
    const bool may_win = point == default_ || !request_.disqualified.contains(point);
    if (is_known && may_win) evaluator_.assume(point, known->second);
    if (!is_known) observer_.on_candidate(request_.family->settings_at(point), progress_);
    // One by one: what is recorded is not lost, whatever the next one does.
    Evaluation evaluation =
        is_known ? Evaluation{known->second} : std::move(evaluator_.evaluate({&point, 1}).front());
    const std::size_t place = searched_++;
    record({.sequence = is_known ? place : next_sequence_++,
            .point = point,
            .settings = request_.family->settings_at(point),
            .evaluation = std::move(evaluation),
            .replayed = is_known});
    const Outcome& outcome = trials_.back().evaluation.outcome;
    if (const auto* slow = std::get_if<Slow>(&outcome)) given_up_[point] = slow->time_us;
    const auto cost = cost_of(outcome);
    settled_.add(cost);
    observations.push_back({point, cost});
    if (point == default_ && !cost) break;  // there is nothing to compare the others with
    if (stopped() || is_good_enough()) break;
  }
  return observations;
}

void SearchPhase::race_again() {
  while (!stopped() && times_.contains(default_)) {
    const auto next =
        std::ranges::min_element(given_up_, {}, [](const auto& one) { return one.second; });
    if (next == given_up_.end() || next->second >= worth_another_race * fastest_us()) return;
    const search::Point point = next->first;
    given_up_.erase(next);
    record({.sequence = next_sequence_++,
            .point = point,
            .settings = request_.family->settings_at(point),
            .evaluation = std::move(evaluator_.evaluate({&point, 1}).front())});
    take_updates();
  }
}

double SearchPhase::fastest_us() const {
  double us = std::numeric_limits<double>::infinity();
  for (const auto& [point, time] : times_) us = std::min(us, time.median);
  return us;
}

void SearchPhase::record(Trial trial) {
  if (const auto* measured = std::get_if<Measured>(&trial.evaluation.outcome)) {
    times_[trial.point] = measured->time_us;
    const double us = measured->time_us.median;
    if (trial.point == default_) progress_.default_us = us;
    if (!progress_.best_us || us < *progress_.best_us) progress_.best_us = us;
  } else if (const auto us = cost_of(trial.evaluation.outcome); us && trial.point == default_) {
    times_[default_] = {*us, *us, *us};  // however slow, it is what is to be beaten
  }
  trials_.push_back(std::move(trial));
  if (!cost_of(trials_.back().evaluation.outcome)) ++progress_.failed;
  progress_.trials = searched_;
  progress_.most_trials = request_.budget.evaluations;
  progress_.space_size = space_->size();
  progress_.share = share_spent();
  progress_.seconds_left = seconds_left();
  observer_.on_trial(trials_.back(), progress_);
}

/// What was timed again has a new time, which no strategy hears of; what is disqualified cannot
/// win.
void SearchPhase::take_updates() {
  for (const Update& update : evaluator_.updates()) {
    if (const auto* again = std::get_if<Measured>(&update.outcome)) {
      times_[update.point] = again->time_us;
    } else {
      disqualify(update);
    }
  }
}

void SearchPhase::disqualify(const search::Point& point) {
  disqualified_.insert(point);
  given_up_.erase(point);
  times_.erase(point);
}

void SearchPhase::disqualify(const Update& update) {
  disqualify(update.point);
  record({.sequence = confirmed_++,
          .phase = TrialPhase::confirm,
          .point = update.point,
          .settings = request_.family->settings_at(update.point),
          .evaluation = Evaluation{update.outcome}});
}

double SearchPhase::share_spent() const {
  const search::Budget& budget = request_.budget;
  const auto trials = static_cast<double>(searched_);
  double share = trials / static_cast<double>(std::max<std::size_t>(1, space_->size()));
  if (budget.evaluations) {
    share = std::max(share, trials / static_cast<double>(*budget.evaluations));
  }
  if (budget.time) {
    share = std::max(share, std::chrono::duration<double>(Clock::now() - begin_) / *budget.time);
  }
  if (budget.until_settled) share = std::max(share, settled_.share());
  return std::min(1.0, share);
}

/// As long as it took for the share so far. What a former session found took no time here.
std::optional<double> SearchPhase::seconds_left() const {
  constexpr double least_share = 0.05;
  const double share = progress_.share;
  if (share < least_share || !request_.known.empty()) return std::nullopt;
  const double spent = std::chrono::duration<double>(Clock::now() - begin_).count();
  return spent * (1 - share) / share;
}

void SearchPhase::require_valid_default() const {
  for (const Trial& trial : trials_) {
    if (trial.point != default_) continue;
    const Outcome& outcome = trial.evaluation.outcome;
    if (cost_of(outcome) && !disqualified_.contains(default_)) return;
    if (cost_of(outcome)) continue;  // what disqualified it stands further down
    if (std::holds_alternative<Implausible>(outcome)) {
      throw UntrustworthySession(
          fmt::format("the times of the default configuration cannot be believed: {}. End what "
                      "else runs on this machine and try again; if that does not help, the "
                      "driver's timers are wrong",
                      device::first_line(detail_of(outcome))));
    }
    if (request_.problem.op == Op::custom && std::holds_alternative<TimedOut>(outcome)) {
      throw UsageError(fmt::format(
          "{}: the operator did not return in the default configuration: {}; its functions must "
          "return for every value",
          request_.problem.custom.name, device::first_line(detail_of(outcome))));
    }
    throw NothingValid(fmt::format("the default configuration itself failed ({}): {}",
                                   status_of(outcome), device::first_line(detail_of(outcome))));
  }
  if (stopped()) throw Interrupted("interrupted before the default configuration was measured");
  throw NothingValid("the budget ended before the default configuration was tried; raise --budget");
}

}  // namespace redtune::tuner
