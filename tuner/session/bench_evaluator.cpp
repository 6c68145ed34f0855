// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/session/bench_evaluator.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <set>
#include <utility>

#include "redtune/error.hpp"
#include "tuner/compile/config_programs.hpp"
#include "tuner/measure/untrustworthy.hpp"

namespace redtune::tuner {
namespace {

using cache::ExclusionScope;
using cache::IntentStage;

/// Of the times of an earlier run, those that may matter again.
constexpr double near_the_best = 1.05;

double milliseconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
      .count();
}

}  // namespace

BenchEvaluator::BenchEvaluator(EvaluatorSetup setup, CompilePool compiler, Workbench::Open open,
                               int stop)
    : setup_(std::move(setup)),
      ledger_(setup_.ledger != nullptr ? *setup_.ledger : no_ledger_),
      watch_(setup_.watch != nullptr ? *setup_.watch : own_watch_),
      compiler_(std::move(compiler)),
      workbench_(std::move(open), watch_, stop),
      protocol_(workbench_, setup_.task),
      default_(setup_.family->point_of(
          reference_config(*setup_.family, setup_.problem, setup_.limits, setup_.only))) {}

void BenchEvaluator::prepare(std::span<const search::Point> points) {
  const auto span = watch_.during(Activity::rest);
  std::vector<search::Point> owners;
  std::vector<Settings> intents;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (compiled_.contains(points[i]) || is_compiling(points[i])) continue;
    if (known_failure(points[i])) continue;
    owners.push_back(points[i]);
    intents.push_back(settings_of(points[i]));
  }
  if (owners.empty()) return;
  ledger_.intend(intents, IntentStage::compile);
  const auto when = setup_.compiles_behind ? std::launch::async : std::launch::deferred;
  const search::Point any = owners.front();
  auto programs = programs_of(*setup_.family, setup_.problem, setup_.limits, intents);
  compiling_.push_back({std::move(owners), std::async(when, [this, programs = std::move(programs)] {
                          return compile_all(compiler_, programs);
                        })});
  if (!setup_.compiles_behind) await_compiled(any);
}

void BenchEvaluator::prepare_floors(std::span<const search::Point> like) {
  if (!setup_.compiles_behind || compiling_floors_.valid()) return;
  std::set<std::string> names;
  for (const search::Point& point : like) {
    for (const kernels::FloorKernel& kernel :
         setup_.family->floor_kernels(settings_of(point), setup_.problem, setup_.limits)) {
      names.insert(kernel.name);
    }
  }
  std::vector<CompileUnit> units;
  for (const std::string& name : names) units.push_back({name});
  compiling_floors_ = std::async(
      std::launch::async, [this, units = std::move(units)] { (void)compiler_.compile(units); });
}

bool BenchEvaluator::is_compiling(const search::Point& point) const {
  return std::ranges::any_of(compiling_, [&](const Compiling& some) { return some.has(point); });
}

void BenchEvaluator::await_compiled(const search::Point& point) {
  const auto found =
      std::ranges::find_if(compiling_, [&](const Compiling& some) { return some.has(point); });
  if (found == compiling_.end()) return;
  const auto span = watch_.during(Activity::compile);
  Compiling some = std::move(*found);
  compiling_.erase(found);
  std::vector<UnitResult> results = some.results.get();
  for (std::size_t u = 0; u < results.size(); ++u) {
    if (const auto* unit = std::get_if<CompiledUnit>(&results[u])) {
      compile_ms_[some.owners[u]] = unit->milliseconds;
    }
    compiled_.insert_or_assign(some.owners[u], std::move(results[u]));
  }
}

std::variant<CandidateId, Outcome> BenchEvaluator::candidate(const search::Point& point) {
  if (const auto known = ids_.find(point); known != ids_.end()) return known->second;
  if (auto failure = known_failure(point)) return *failure;
  await_compiled(point);
  const UnitResult& result = compiled_.at(point);
  if (const auto* failure = std::get_if<device::CompileFailure>(&result)) {
    return CompileFailed{failure->log};
  }
  if (const auto* crash = std::get_if<CompileCrash>(&result)) {
    return excluded(point, ExclusionScope::toolchain, Crashed{crash->why});
  }
  const CandidateId id =
      workbench_.add({settings_of(point), std::get<CompiledUnit>(result), point == default_});
  ids_.emplace(point, id);
  points_.emplace(id, point);
  return id;
}

std::optional<Outcome> BenchEvaluator::known_failure(const search::Point& point) const {
  if (point == default_) return std::nullopt;
  return ledger_.excluded(settings_of(point));
}

CandidateId BenchEvaluator::required_candidate(const search::Point& point) {
  prepare({&point, 1});
  const auto found = candidate(point);
  if (const auto* id = std::get_if<CandidateId>(&found)) return *id;
  throw DeviceError(fmt::format("a config that was measured before does not compile any more: {}",
                                detail_of(std::get<Outcome>(found))));
}

std::vector<Evaluation> BenchEvaluator::evaluate(std::span<const search::Point> points) {
  const auto span = watch_.during(Activity::rest);
  if (!setup_.before_final && setup_.back_to_search) setup_.back_to_search();
  prepare(points);
  std::vector<Evaluation> evaluations;
  for (const search::Point& point : points) {
    await_compiled(point);
    const auto begin = std::chrono::steady_clock::now();
    Evaluation evaluation;
    evaluation.outcome = judge(point, evaluation);
    evaluation.compile_ms = std::exchange(compile_ms_[point], 0);
    evaluation.wall_ms = milliseconds_since(begin);
    evaluations.push_back(std::move(evaluation));
    if (point == default_ && !cost_of(evaluations.back().outcome)) break;
  }
  return evaluations;
}

Outcome BenchEvaluator::judge(const search::Point& point, Evaluation& evaluation) {
  const Settings settings = settings_of(point);
  const auto found = candidate(point);
  if (const auto* failure = std::get_if<Outcome>(&found)) return *failure;
  if (point != default_) require_calibration();
  ledger_.intend({&settings, 1}, IntentStage::launch);
  TrialState trial{.point = point, .id = std::get<CandidateId>(found)};
  Outcome outcome = run_to_outcome(trial);
  evaluation.attempts = trial.attempts;
  evaluation.worker = workbench_.generation();
  try {
    workbench_.end_trial();
  } catch (const BenchMishap& mishap) {
    // Broken when it was done: nobody else was at work.
    if (auto later = outcome_after(mishap, trial)) outcome = std::move(*later);
  }
  if (cost_of(outcome)) {
    before_ = trial.id;
  } else if (is_calibrated_) {
    protocol_.forget(trial.id);
  }
  if (trial.faults == 0) lost_workers_.survived(settings);
  return outcome;
}

Outcome BenchEvaluator::run_to_outcome(TrialState& trial) {
  while (true) {
    ++trial.attempts;
    try {
      Outcome outcome = attempt(trial.id);
      const auto* wrong = std::get_if<WrongResult>(&outcome);
      if (wrong == nullptr && trial.was_wrong) return Flaky{*trial.was_wrong};
      if (wrong == nullptr || trial.was_wrong) return outcome;
      // Perhaps somebody before has damaged the inputs, or the device: a fresh start tells.
      trial.was_wrong = wrong->why;
      workbench_.replace();
    } catch (const BenchMishap& mishap) {
      if (auto outcome = outcome_after(mishap, trial)) return std::move(*outcome);
    } catch (const ImplausibleSample& time) {
      return Implausible{time.what()};
    }
  }
}

Outcome BenchEvaluator::attempt(CandidateId id) {
  workbench_.load(id);
  std::string why = workbench_.why_wrong(id);
  if (!why.empty()) return WrongResult{std::move(why)};
  if (!is_calibrated_) calibrate(id);
  const Raced raced = race(id);
  // What was timed must have been right as well.
  why = workbench_.why_wrong_when_timed(id);
  if (!why.empty()) return WrongResult{std::move(why)};
  if (raced.is_hopeless) return Slow{raced.time_us.median};
  return Measured{raced.time_us, raced.samples};
}

void BenchEvaluator::calibrate(CandidateId id) {
  const auto span = watch_.during(Activity::calibrate);
  (void)protocol_.calibrate(id);
  is_calibrated_ = true;
}

Raced BenchEvaluator::race(CandidateId id) {
  const auto span = watch_.during(Activity::measure);
  return protocol_.race(id);
}

void BenchEvaluator::require_calibration() {
  if (is_calibrated_) return;
  const CandidateId id = required_candidate(default_);
  try {
    const std::string why = workbench_.why_wrong(id);
    if (!why.empty()) {
      throw DeviceUnhealthy(
          fmt::format("the default configuration was right before and is wrong now: {}", why));
    }
    calibrate(id);
  } catch (const BenchMishap& mishap) {
    throw DeviceUnhealthy(
        fmt::format("the default configuration ran before and does not now: {}", mishap.what()));
  }
}

void BenchEvaluator::assume(const search::Point& point, const Outcome& outcome) {
  const auto* measured = std::get_if<Measured>(&outcome);
  if (measured == nullptr || known_failure(point)) return;
  // Whoever was not near the best never will be.
  if (assumed_us_ > 0 && measured->time_us.median > near_the_best * assumed_us_) return;
  assumed_us_ =
      assumed_us_ > 0 ? std::min(assumed_us_, measured->time_us.median) : measured->time_us.median;
  require_calibration();
  protocol_.assume(required_candidate(point), measured->time_us);
}

std::vector<Update> BenchEvaluator::updates() {
  std::vector<Update> all = std::exchange(disqualified_, {});
  if (!is_calibrated_) return all;
  try {
    const auto span = watch_.during(Activity::measure);
    for (const Retimed& again : protocol_.refresh()) {
      all.push_back({points_.at(again.candidate), Measured{again.time_us, 0}});
    }
  } catch (const BenchMishap& mishap) {
    all.push_back(update_after(mishap));
  } catch (const ImplausibleSample&) {
    // It was measured well before; the next time will tell.
  }
  return all;
}

/// Floors first: what else is compiled meanwhile is needed later.
void BenchEvaluator::prepare_final(std::span<const search::Point> likely) {
  prepare_floors(likely);
  if (const auto prepare = std::exchange(setup_.before_final, {})) prepare();
}

std::optional<Update> BenchEvaluator::challenge(const search::Point& point) {
  try {
    const CandidateId id = required_candidate(point);
    std::string why = workbench_.why_wrong_when_challenged(id);
    if (why.empty()) return std::nullopt;
    if (is_calibrated_) protocol_.forget(id);
    return Update{point, WrongResult{std::move(why)}};
  } catch (const BenchMishap& mishap) {
    return update_after(mishap);
  }
}

std::variant<Rounds, Update> BenchEvaluator::confirm(std::span<const search::Point> points,
                                                     const FinalLimits& limits) {
  const auto rest = watch_.during(Activity::rest);
  std::vector<CandidateId> ids;
  for (const search::Point& point : points) ids.push_back(required_candidate(point));
  // What the search left behind does not matter in the final.
  setup_.search_is_done(workbench_.release());
  require_calibration();
  try {
    const auto span = watch_.during(Activity::final);
    Rounds rounds = protocol_.confirm(ids, limits);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      std::string why = workbench_.why_wrong(ids[i]);
      if (!why.empty()) return Update{points[i], WrongResult{std::move(why)}};
    }
    return rounds;
  } catch (const BenchMishap& mishap) {
    return update_after(mishap);
  }
}

Rounds BenchEvaluator::displaced(std::span<const search::Point> points) {
  std::vector<CandidateId> ids;
  for (const search::Point& point : points) ids.push_back(required_candidate(point));
  const auto span = watch_.during(Activity::final);
  return protocol_.displaced(ids);
}

Figures BenchEvaluator::figures(const search::Point& point) {
  const CandidateId id = required_candidate(point);
  const auto span = watch_.during(Activity::final);
  Figures figures = protocol_.figures(id);
  if (compiling_floors_.valid()) compiling_floors_.get();
  figures.floor = workbench_.floor(id);
  return figures;
}

FinalistTraits BenchEvaluator::traits(const search::Point& point) const {
  FinalistTraits traits;
  const auto known = ids_.find(point);
  if (known == ids_.end()) return traits;
  for (const auto& kernel : workbench_.candidate(known->second).unit.kernels) {
    const auto& used = kernel.resources;
    traits.registers = std::max(traits.registers, used.vector_registers.value_or(0));
    traits.shared_bytes = std::max(traits.shared_bytes, used.shared_bytes.value_or(0));
  }
  return traits;
}

const Calibration* BenchEvaluator::calibration() const {
  return is_calibrated_ ? &protocol_.calibration() : nullptr;
}

std::string BenchEvaluator::disturbance() {
  return setup_.disturbance ? setup_.disturbance() : std::string();
}

std::string BenchEvaluator::readings() {
  return setup_.readings ? setup_.readings() : std::string();
}

}  // namespace redtune::tuner
