// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/in_context/measure.hpp"

#include <fmt/format.h>
#include <functional>
#include <numeric>
#include <set>

#include "bench/in_context/program.hpp"
#include "redtune/error.hpp"
#include "tuner/measure/batch_size.hpp"
#include "tuner/measure/statistics.hpp"
#include "tuner/measure/untrustworthy.hpp"
#include "tuner/verify/reference.hpp"

namespace redtune::bench {
namespace {

/// Of the steps alone, of which the batches are then made.
constexpr std::size_t trial_steps = 16;
constexpr int trials = 3;
/// The pattern without the reduction has a turn of its own among so many configs.
constexpr std::size_t configs_per_turn_alone = 8;

/// A pattern with its timers: one for each contestant, and one without a reduction.
struct Stand {
  const Pattern* pattern = nullptr;
  std::vector<StepTimer> with;
  std::optional<StepTimer> alone;
};

class Measurement {
 public:
  Measurement(const Ground& ground, const Options& options)
      : ground_(ground),
        options_(options),
        rng_(options.seed),
        contestants_(ground, options),
        recipe_(tuner::recipe_of(ground.problem, options.seed)),
        reference_(tuner::reference_of(ground.problem, recipe_)),
        program_(*ground.device, *ground.compiler, ground.problem, recipe_) {}

  [[nodiscard]] ProblemFindings run();

 private:
  [[nodiscard]] std::vector<Contestant>& all() { return contestants_.all(); }
  void name_all();
  /// For each place of its workspace.
  [[nodiscard]] Reductions reductions_of(const Contestant& one);
  [[nodiscard]] std::size_t steps_of(const Pattern& pattern) const;
  void build(const Pattern& pattern);
  void require_right(const Contestant& one, const Pattern& pattern);
  /// Each of so many in a random order.
  void in_turn(std::size_t count, const std::function<void(std::size_t)>& turn);
  void round();
  void score(std::size_t i);
  void row(std::size_t i);
  void go_through(std::size_t pattern);
  void drop_those_without_times();

  Ground ground_;
  const Options& options_;
  search::Rng rng_;
  Contestants contestants_;
  tuner::Recipe recipe_;
  tuner::Reference reference_;
  Program program_;
  std::vector<Stand> stands_;
  ProblemFindings findings_;
  std::set<std::size_t> dropped_;  // whose samples could not be true
};

void Measurement::name_all() {
  for (const Contestant& one : all()) {
    findings_.contestants.push_back(
        {.settings = one.settings,
         .origin = one.origin,
         .launches = reductions_of(one).front().size(),
         .score_us = {},
         .share_us = {},
         .row_us = {},
         .patterns = std::vector<PatternTimes>(program_.patterns().size())});
  }
}

Reductions Measurement::reductions_of(const Contestant& one) {
  Reductions reductions;
  for (const runtime::Workspace& workspace : one.runnable.workspaces) {
    const auto launches = one.runnable.config.launches(
        {program_.input(), ground_.problem.count, program_.output().address()}, workspace);
    reductions.emplace_back(launches.begin(), launches.end());
  }
  return reductions;
}

/// So many that the pattern's other kernels take as long as a batch of the tuner's.
std::size_t Measurement::steps_of(const Pattern& pattern) const {
  StepTimer timer(*ground_.device, pattern, {}, trial_steps);
  std::vector<double> times;
  for (int i = 0; i < trials; ++i) times.push_back(timer.time().step_us);
  return tuner::executions_for(tuner::median(times),
                               tuner::batch_us_for(contestants_.calibration().resolution_us));
}

void Measurement::build(const Pattern& pattern) {
  device::Device& device = *ground_.device;
  const std::size_t steps = steps_of(pattern);
  Stand& stand = stands_.emplace_back();
  stand.pattern = &pattern;
  stand.alone.emplace(device, pattern, Reductions(), steps);
  for (const Contestant& one : all()) {
    stand.with.emplace_back(device, pattern, reductions_of(one), steps);
    program_.output().poison();
    (void)stand.with.back().time();
    require_right(one, pattern);
  }
  findings_.patterns.push_back({.name = pattern.name, .steps = steps, .alone_us = {}});
}

void Measurement::require_right(const Contestant& one, const Pattern& pattern) {
  std::string why = program_.output().read(ground_.problem);
  if (why.empty()) {
    why = tuner::why_wrong(ground_.problem, reference_,
                           one.runnable.config.longest_chain(ground_.problem.count),
                           program_.output().value());
  }
  if (why.empty()) return;
  throw DeviceError(
      fmt::format("{} is wrong in the pattern {}: {}", to_string(one.settings), pattern.name, why));
}

void Measurement::in_turn(std::size_t count, const std::function<void(std::size_t)>& turn) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  rng_.shuffle(std::span(order));
  for (const std::size_t i : order) turn(i);
}

void Measurement::score(std::size_t i) {
  const tuner::Sample sample = all()[i].score.whole_sample();
  ContestantTimes& times = findings_.contestants[i];
  times.score_us.push_back(sample.us());
  for (const tuner::TimedBatch& batch : sample.batches) {
    times.share_us[std::string(to_string(batch.surrounding))].push_back(sample.share_us(batch));
  }
}

void Measurement::row(std::size_t i) {
  findings_.contestants[i].row_us.push_back(all()[i].row.sample());
}

void Measurement::go_through(std::size_t pattern) {
  Stand& stand = stands_[pattern];
  const std::size_t count = stand.with.size();
  std::vector<StepTime> with(count);
  std::vector<double> alone;
  in_turn(count + 1 + count / configs_per_turn_alone, [&](std::size_t i) {
    contestants_.keep_two_streams();
    if (i < count) {
      with[i] = stand.with[i].time();
    } else {
      alone.push_back(stand.alone->time().step_us);
    }
  });
  const double alone_us = tuner::median(alone);
  findings_.patterns[pattern].alone_us.push_back(alone_us);
  for (std::size_t i = 0; i < count; ++i) {
    PatternTimes& times = findings_.contestants[i].patterns[pattern];
    times.step_us.push_back(with[i].step_us);
    times.own_us.push_back(with[i].own_us.value_or(with[i].step_us - alone_us));
  }
}

void Measurement::round() {
  for (const auto take : {&Measurement::score, &Measurement::row}) {
    in_turn(all().size(), [&](std::size_t i) {
      if (dropped_.contains(i)) return;
      try {
        (this->*take)(i);
      } catch (const tuner::ImplausibleTime& error) {
        dropped_.insert(i);
        findings_.left_out.push_back(
            fmt::format("{}: {}", to_string(all()[i].settings), error.what()));
      }
    });
  }
  for (std::size_t i = 0; i < stands_.size(); ++i) go_through(i);
}

void Measurement::drop_those_without_times() {
  for (auto i = dropped_.rbegin(); i != dropped_.rend(); ++i) {
    findings_.contestants.erase(findings_.contestants.begin() + static_cast<std::ptrdiff_t>(*i));
  }
  if (findings_.contestants.empty()) throw tuner::Untrustworthy("no config has times to believe");
}

ProblemFindings Measurement::run() {
  findings_.problem = ground_.problem;
  findings_.rounds = options_.rounds;
  findings_.left_out = contestants_.left_out();
  findings_.left_out_as_slow = contestants_.left_out_as_slow();
  name_all();
  for (const Pattern& pattern : program_.patterns()) build(pattern);
  for (std::size_t i = 0; i < options_.rounds; ++i) round();
  drop_those_without_times();
  // Of the whole time: a device that has become slower says so late.
  findings_.warnings = contestants_.calibration().warnings;
  return std::move(findings_);
}

}  // namespace

ProblemFindings measure(const Ground& ground, const Options& options) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  ProblemFindings findings = Measurement(ground, options).run();
  findings.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return findings;
}

}  // namespace redtune::bench
