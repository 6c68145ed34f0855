// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <numeric>
#include <set>

#include "bench/in_context/contestants.hpp"
#include "bench/in_context/program.hpp"
#include "redtune/error.hpp"
#include "tuner/measure/batch_size.hpp"
#include "tuner/measure/statistics.hpp"
#include "tuner/measure/untrustworthy.hpp"
#include "tuner/verify/oracle.hpp"
#include "tuner/verify/places.hpp"

namespace redtune::bench {
namespace {

/// Of the steps alone, of which the batches are then made.
constexpr std::size_t trial_steps = 16;
constexpr int trials = 3;
/// The pattern without the reduction has a turn of its own among so many configs.
constexpr std::size_t configs_per_turn_alone = 8;
/// Of the arrays of all programs; each has three as large as the input.
constexpr std::size_t most_bytes = std::size_t{3} << 30;
constexpr std::size_t arrays = 3;

/// Batches of the same steps in each of the programs.
using Timers = std::vector<StepTimer>;

/// A pattern with its timers: those of each contestant, and those without a reduction.
struct Stand {
  std::vector<Timers> with;
  Timers alone;
};

/// A step of all programs, in the mean.
StepTime mean_time(Timers& timers) {
  StepTime mean;
  const auto count = static_cast<double>(timers.size());
  for (StepTimer& timer : timers) {
    const StepTime time = timer.time();
    mean.step_us += time.step_us / count;
    if (time.own_us) mean.own_us = mean.own_us.value_or(0) + *time.own_us / count;
  }
  return mean;
}

/// Each has a memory of its own, since where an input lies makes configs faster and slower.
std::vector<std::unique_ptr<Program>> programs_of(const Ground& ground,
                                                  const tuner::Recipe& recipe) {
  const bool has_places = ground.device->batching() == device::Batching::graph;
  const std::size_t bytes =
      arrays * static_cast<std::size_t>(ground.problem.count) * size_of(ground.problem.in) + 1;
  const std::size_t room = std::min(most_bytes, ground.device->free_memory() / 2);
  const std::size_t count =
      has_places ? std::clamp<std::size_t>(room / bytes, 1, tuner::most_sites) : 1;
  std::vector<std::unique_ptr<Program>> programs;
  for (std::size_t i = 0; i < count; ++i) {
    programs.push_back(
        std::make_unique<Program>(*ground.device, *ground.compiler, ground.problem, recipe));
  }
  return programs;
}

class Measurement {
 public:
  Measurement(const Ground& ground, const Options& options)
      : ground_(ground),
        options_(options),
        rng_(options.seed),
        contestants_(ground, options),
        recipe_(tuner::recipe_of(ground.problem, options.seed)),
        programs_(programs_of(ground, recipe_)),
        expected_(tuner::host_oracle(ground.problem)
                      ->of_generated({ground.problem, programs_.front()->input()}, recipe_, 0)) {}

  [[nodiscard]] ProblemFindings run();

 private:
  [[nodiscard]] std::vector<Contestant>& all() { return contestants_.all(); }
  void name_all();
  /// In one of the programs, for each place of its workspace there.
  [[nodiscard]] Reductions reductions_of(const Contestant& one, std::size_t program);
  /// In a batch of each program.
  [[nodiscard]] std::size_t steps_of(const Pattern& pattern) const;
  void build(std::size_t pattern);
  void require_right(const Contestant& one, Program& program, const Pattern& pattern);
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
  std::vector<std::unique_ptr<Program>> programs_;
  std::unique_ptr<const tuner::Expected> expected_;
  std::vector<Stand> stands_;
  ProblemFindings findings_;
  std::set<std::size_t> dropped_;  // whose samples could not be true
};

void Measurement::name_all() {
  for (const Contestant& one : all()) {
    findings_.contestants.push_back(
        {.settings = one.settings,
         .origin = one.origin,
         .launches = reductions_of(one, 0).front().size(),
         .score_us = {},
         .uncharged_us = {},
         .share_us = {},
         .row_us = {},
         .patterns = std::vector<PatternTimes>(programs_.front()->patterns().size())});
  }
}

Reductions Measurement::reductions_of(const Contestant& one, std::size_t program) {
  const runtime::Operands operands{programs_[program]->input(), ground_.problem,
                                   programs_[program]->output().address()};
  const auto& workspaces = one.runnable.workspaces;
  Reductions reductions;
  for (std::size_t i = program % workspaces.size(); i < workspaces.size(); i += programs_.size()) {
    const auto launches = one.runnable.config.launches(operands, workspaces[i]);
    reductions.emplace_back(launches.begin(), launches.end());
  }
  return reductions;
}

/// So many that the pattern's other kernels take as long, in all programs, as a batch of the
/// tuner's.
std::size_t Measurement::steps_of(const Pattern& pattern) const {
  StepTimer timer(*ground_.device, pattern, {}, trial_steps);
  std::vector<double> times;
  for (int i = 0; i < trials; ++i) times.push_back(timer.time().step_us);
  const std::size_t steps = tuner::executions_for(
      tuner::median(times), tuner::batch_us_for(contestants_.calibration().resolution_us));
  return std::max<std::size_t>(1, steps / programs_.size());
}

void Measurement::build(std::size_t pattern) {
  device::Device& device = *ground_.device;
  const std::size_t steps = steps_of(programs_.front()->patterns()[pattern]);
  Stand& stand = stands_.emplace_back();
  stand.with.resize(all().size());
  for (std::size_t i = 0; i < programs_.size(); ++i) {
    Program& program = *programs_[i];
    const Pattern& here = program.patterns()[pattern];
    stand.alone.emplace_back(device, here, Reductions(), steps);
    for (std::size_t k = 0; k < all().size(); ++k) {
      const Contestant& one = all()[k];
      StepTimer& timer = stand.with[k].emplace_back(device, here, reductions_of(one, i), steps);
      program.output().poison();
      (void)timer.time();
      require_right(one, program, here);
    }
  }
  const Pattern& facts = programs_.front()->patterns()[pattern];
  findings_.patterns.push_back({.name = facts.name,
                                .is_graph = facts.queueing == Queueing::graph,
                                .steps = steps,
                                .alone_us = {}});
}

void Measurement::require_right(const Contestant& one, Program& program, const Pattern& pattern) {
  std::string why = program.output().read(output_bytes(ground_.problem));
  if (why.empty()) {
    why = expected_->why_wrong(program.output().value(),
                               one.runnable.config.longest_chain(ground_.problem));
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
  tuner::Sample uncharged = sample;
  uncharged.charge_us = 0;
  times.uncharged_us.push_back(uncharged.us());
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
      with[i] = mean_time(stand.with[i]);
    } else {
      alone.push_back(mean_time(stand.alone).step_us);
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
      } catch (const tuner::ImplausibleSample& error) {
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
  if (findings_.contestants.empty())
    throw tuner::UntrustworthySession("no config has times to believe");
}

ProblemFindings Measurement::run() {
  findings_.problem = ground_.problem;
  findings_.rounds = options_.rounds;
  findings_.left_out = contestants_.left_out();
  findings_.left_out_as_slow = contestants_.left_out_as_slow();
  name_all();
  for (std::size_t i = 0; i < programs_.front()->patterns().size(); ++i) build(i);
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
