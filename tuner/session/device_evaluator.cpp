// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/session/device_evaluator.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>

#include "kernel_templates/fill.hpp"
#include "redtune/error.hpp"
#include "tuner/measure/input_filler.hpp"
#include "tuner/measure/statistics.hpp"
#include "tuner/verify/input.hpp"

namespace redtune::tuner {
namespace {

constexpr double search_batch_us = 1000;
constexpr double final_batch_us = 10000;
constexpr std::size_t stream_samples = 9;

// The race of a search: one sample decides whether a config is worth three, three whether it is
// worth nine (measurement.md, rule 8, with its bounds).
constexpr std::size_t samples_first = 3;
constexpr std::size_t samples_all = 9;
constexpr double hopeless_after_one = 3.0;
constexpr double hopeless_after_first = 1.5;

double milliseconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
      .count();
}

}  // namespace

DeviceEvaluator::DeviceEvaluator(const Bench& bench, CompilePool compiler)
    : bench_(bench),
      compiler_(std::move(compiler)),
      recipe_(recipe_of(bench.problem, bench.seed)),
      slots_(*bench.device, input(), bench.problem.cache_mode),
      output_(*bench.device),
      random_(bench.seed) {
  // The second check starts off the vectors' alignment and ends in the middle of a tile.
  const bool is_small = bench.problem.count < 16;
  const std::int64_t skipped = is_small ? 0 : 6;
  for (const std::int64_t less : {std::int64_t{0}, skipped}) {
    Check check;
    check.problem = bench.problem;
    check.problem.count -= less;
    check.offset = less == 0 ? 0 : 1;
    set_reference(check);
    checks_.push_back(check);
  }
}

void DeviceEvaluator::set_reference(Check& check) {
  if (check.problem.op == Op::custom) {
    const auto* in = static_cast<const std::byte*>(slots_.first()) +
                     static_cast<std::size_t>(check.offset) * size_of(check.problem.in);
    check.custom = custom_reference(*bench_.custom, in, check.problem.count);
    return;
  }
  check.reference = reference_of(check.problem, recipe_, check.offset);
}

std::string DeviceEvaluator::why_wrong_output(const Check& check, const Runnable& candidate) const {
  const std::int64_t chain = candidate.config.longest_chain(check.problem.count);
  return check.problem.op == Op::custom
             ? why_wrong(check.problem, check.custom, chain, output_.value())
             : why_wrong(check.problem, check.reference, chain, output_.value());
}

/// A host writes its own memory as fast as a kernel that it would have to compile first.
SlotContent DeviceEvaluator::input() const {
  const bool is_host = bench_.device->identity().device_class.platform == "host";
  const std::size_t bytes =
      static_cast<std::size_t>(bench_.problem.count) * size_of(bench_.problem.in);
  return {bytes, [this, is_host, bytes](std::span<std::byte* const> places) {
            const CompilePool filling = compiler_.with_text(kernels::fill_text());
            const bool copies = is_host || bytes < least_filled_bytes;
            InputFiller(*bench_.device, recipe_, bench_.problem.count, copies ? nullptr : &filling)
                .write(places);
          }};
}

std::string DeviceEvaluator::names_of(const search::Point& point) const {
  return fmt::format("{}", fmt::join(bench_.family->name_expressions(
                                         bench_.family->settings_at(point), bench_.problem,
                                         bench_.device->limits().wave_size),
                                     ";"));
}

std::vector<Evaluation> DeviceEvaluator::evaluate(std::span<const search::Point> points) {
  std::vector<Evaluation> evaluations(points.size());
  compile(points, evaluations);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto begin = std::chrono::steady_clock::now();
    evaluations[i].outcome = judge(points[i]);
    evaluations[i].wall_ms = milliseconds_since(begin);
  }
  modules_.clear();
  return evaluations;
}

void DeviceEvaluator::compile(std::span<const search::Point> points,
                              std::vector<Evaluation>& evaluations) {
  std::vector<CompileUnit> units;
  std::vector<std::size_t> owners;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!compiled_.try_emplace(names_of(points[i])).second) continue;
    units.push_back(bench_.family->name_expressions(
        bench_.family->settings_at(points[i]), bench_.problem, bench_.device->limits().wave_size));
    owners.push_back(i);
  }
  std::vector<UnitResult> results = compiler_.compile(units);
  for (std::size_t u = 0; u < units.size(); ++u) {
    if (const auto* unit = std::get_if<CompiledUnit>(&results[u])) {
      evaluations[owners[u]].compile_ms = unit->milliseconds;
    }
    compiled_[names_of(points[owners[u]])] = std::move(results[u]);
  }
}

Runnable DeviceEvaluator::runnable(const search::Point& point) {
  const auto& unit = std::get<CompiledUnit>(compiled_.at(names_of(point)));
  auto& module = modules_[unit.binary.get()];
  if (!module) module = bench_.device->load(*unit.binary);
  std::vector<device::Kernel> kernels;
  for (const auto& kernel : unit.kernels) kernels.push_back(module->kernel(kernel.symbol));
  runtime::LoadedConfig config(
      {bench_.family, bench_.problem, bench_.family->settings_at(point), bench_.device->limits()},
      module, std::move(kernels));
  runtime::Workspace workspace = config.make_workspace(*bench_.device);
  return {std::move(config), std::move(workspace)};
}

Outcome DeviceEvaluator::judge(const search::Point& point) {
  const UnitResult& unit = compiled_.at(names_of(point));
  if (const auto* failure = std::get_if<device::CompileFailure>(&unit)) {
    return CompileFailed{failure->log};
  }
  if (const auto* crash = std::get_if<CompileCrash>(&unit)) return Crashed{crash->why};
  try {
    const Runnable candidate = runnable(point);
    for (const Check& check : checks_) {
      auto why = why_wrong_on(check, candidate);
      if (!why.empty()) return WrongResult{std::move(why)};
    }
    return measure(candidate);
  } catch (const DeviceError& error) {
    return LaunchFailed{error.what()};
  } catch (const ImplausibleTime& time) {
    return Implausible{time.what()};
  }
}

std::string DeviceEvaluator::why_wrong_on(const Check& check, const Runnable& candidate) {
  const auto& [config, workspace] = candidate;
  const auto* in = static_cast<const std::byte*>(slots_.first()) +
                   static_cast<std::size_t>(check.offset) * size_of(check.problem.in);
  output_.poison();
  bench_.device->launch(config.launches({in, check.problem.count, output_.address()}, workspace),
                        {});
  bench_.device->synchronize({});
  auto why = output_.read(check.problem);
  if (why.empty()) why = why_wrong_output(check, candidate);
  if (!why.empty()) why += fmt::format(" (of {} elements)", check.problem.count);
  return why;
}

Stage DeviceEvaluator::stage(const Runnable& candidate) {
  if (!further_launch_us_) {  // of nearly no elements, so that the device keeps up
    const auto one =
        candidate.config.launches({slots_.first(), 1, output_.address()}, candidate.workspace);
    further_launch_us_ = queueing_us(*bench_.device, one[0]);
  }
  const bool may_be_cached = bench_.device->batching() == device::Batching::graph &&
                             bench_.problem.cache_mode == CacheMode::cold && slots_.count() > 1;
  if (may_be_cached && !sweeper_) {
    const search::Point point = bench_.family->point_of(
        bench_.family->default_settings(bench_.problem, bench_.device->limits()));
    std::vector<Evaluation> ignored(1);
    compile({&point, 1}, ignored);
    if (std::holds_alternative<CompiledUnit>(compiled_.at(names_of(point)))) {
      sweeper_ = runnable(point);
    }
  }
  return {.device = bench_.device,
          .slots = &slots_,
          .output = output_.address(),
          .peak_bytes_per_us = bench_.peak_bytes_per_us,
          .further_launch_us = *further_launch_us_,
          .sweeper = sweeper_ ? &*sweeper_ : nullptr};
}

Outcome DeviceEvaluator::measure(const Runnable& candidate) {
  const Stage stage = this->stage(candidate);
  const double first = BatchTimer(stage, candidate, 1).sample();
  if (fastest_us_ > 0 && first > 10 * hopeless_after_one * fastest_us_) return Slow{first};
  BatchTimer timer(stage, candidate, executions_for(first, search_batch_us));
  (void)timer.sample();  // warm-up
  std::vector<double> samples;
  while (samples.size() < samples_all) {
    samples.push_back(timer.sample());
    const double so_far = median(samples);
    const double bound = samples.size() == 1               ? hopeless_after_one
                         : samples.size() == samples_first ? hopeless_after_first
                                                           : 0;
    if (fastest_us_ > 0 && bound > 0 && so_far > bound * fastest_us_) return Slow{so_far};
  }
  // What was timed must have been right as well.
  auto why = output_.read(bench_.problem);
  if (why.empty()) why = why_wrong_output(checks_[0], candidate);
  if (!why.empty()) return WrongResult{why + " (while it was timed)"};
  const Interval time = median_interval(samples);
  if (fastest_us_ == 0 || time.median < fastest_us_) fastest_us_ = time.median;
  return Measured{time, static_cast<int>(samples.size())};
}

std::vector<Runnable> DeviceEvaluator::runnables(std::span<const search::Point> points) {
  std::vector<Evaluation> ignored(points.size());
  compile(points, ignored);
  std::vector<Runnable> all;
  for (const search::Point& point : points) all.push_back(runnable(point));
  return all;
}

std::vector<std::optional<Outcome>> DeviceEvaluator::challenge(
    std::span<const search::Point> points) {
  if (!challenge_) challenge_.emplace(*bench_.device, bench_.problem, bench_.custom);
  std::vector<std::optional<Outcome>> failures;
  for (const Runnable& finalist : runnables(points)) {
    failures.push_back(challenge_->failure_of(finalist));
  }
  modules_.clear();
  return failures;
}

Rounds DeviceEvaluator::time_rounds(std::span<const search::Point> points, std::size_t rounds) {
  const std::vector<Runnable> finalists = runnables(points);
  const Stage stage = this->stage(finalists.front());
  std::vector<BatchTimer> timers;
  for (const Runnable& finalist : finalists) {
    const double one = BatchTimer(stage, finalist, 1).sample();
    timers.emplace_back(stage, finalist, executions_for(one, final_batch_us));
    (void)timers.back().sample();
  }
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Rounds times(rounds, std::vector<double>(points.size()));
  for (auto& round : times) {
    random_.shuffle(std::span(order));
    for (const std::size_t i : order) round[i] = timers[i].sample();
  }
  modules_.clear();
  return times;
}

std::vector<double> DeviceEvaluator::stream_times(std::span<const search::Point> points) {
  const std::vector<Runnable> all = runnables(points);
  const Stage stage = this->stage(all.front());
  std::vector<double> times;
  for (const Runnable& one : all) {
    const double first = BatchTimer(stage, one, 1).sample();
    BatchTimer timer(stage, one, executions_for(first, search_batch_us));
    (void)timer.stream_sample();
    std::vector<double> samples;
    for (std::size_t i = 0; i < stream_samples; ++i) samples.push_back(timer.stream_sample());
    times.push_back(median(samples));
  }
  modules_.clear();
  return times;
}

}  // namespace redtune::tuner
