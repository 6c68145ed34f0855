// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/measure/floor.hpp"

#include <algorithm>
#include <map>

#include "tuner/measure/batch_size.hpp"
#include "tuner/measure/plausible.hpp"
#include "tuner/measure/statistics.hpp"

namespace redtune::tuner {
namespace {

constexpr std::size_t samples_of_all = 1;
constexpr std::size_t samples_of_the_best = 9;
constexpr std::size_t finalists = 3;

/// A kernel that can run, and what its times have been.
struct Timed {
  const kernels::FloorKernel* kernel;
  std::unique_ptr<device::Module> module;
  device::Buffer values;
  std::unique_ptr<BatchTimer> timer;
  std::vector<double> us;
  std::map<Surrounding, std::vector<double>> shares_us;
};

Work work_of(const kernels::FloorKernel& floor, const CompiledUnit& unit,
             const device::Module& module, void* values, const Problem& problem) {
  return {.append =
              [kernel = module.kernel(unit.kernels[0].symbol), grid = floor.grid,
               block = floor.block, values, count = elements_of(problem)](
                  std::vector<device::Launch>& launches, const void* in, const Turn&) {
                device::Launch launch{.kernel = kernel, .grid = grid, .block = block};
                launch.arguments.append(in);
                launch.arguments.append(count);
                launch.arguments.append(values);
                launches.push_back(launch);
              },
          .cache_mode = problem.cache_mode};
}

void take(Timed& timed, std::size_t samples) {
  for (std::size_t i = 0; i < samples; ++i) {
    const Sample sample = timed.timer->sample(Scheme::between);
    if (!why_implausible(sample, 0, 0).empty()) continue;
    timed.us.push_back(sample.us());
    for (const TimedBatch& batch : sample.batches) {
      timed.shares_us[batch.surrounding].push_back(sample.share_us(batch));
    }
  }
}

}  // namespace

Floor floor_of(const Stage& stage, const FloorQuestion& question, const CompilePool& compiler) {
  const Problem& problem = question.problem;
  const auto kernels =
      question.family->floor_kernels(question.like, problem, stage.device->limits());
  std::vector<CompileUnit> units;
  for (const kernels::FloorKernel& kernel : kernels) units.push_back({kernel.name});
  const auto results = compiler.compile(units);
  std::vector<Timed> all;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const auto* unit = std::get_if<CompiledUnit>(&results[i]);
    if (unit == nullptr) continue;
    Timed timed{.kernel = &kernels[i],
                .module = stage.device->load(*unit->binary),
                .values = stage.device->allocate(kernels[i].bytes)};
    const Work work = work_of(kernels[i], *unit, *timed.module, timed.values.data(), problem);
    const double step_us = BatchTimer(stage, work, 1).sample(Scheme::between).step_us();
    timed.timer =
        std::make_unique<BatchTimer>(stage, work, executions_for(step_us, batch_us_for(0)));
    take(timed, samples_of_all);
    if (!timed.us.empty()) all.push_back(std::move(timed));
  }
  if (all.empty()) return {};
  const auto time_of = [](const Timed& timed) { return median(timed.us); };
  std::ranges::sort(all, {}, time_of);
  all.resize(std::min(all.size(), finalists));
  for (std::size_t i = 0; i < samples_of_the_best; ++i) {
    for (Timed& timed : all) take(timed, 1);
  }
  const auto best = std::ranges::min_element(all, {}, time_of);
  Floor floor{.us = time_of(*best), .shape = best->kernel->shape};
  for (const auto& [surrounding, us] : best->shares_us) {
    floor.shares_us.emplace_back(surrounding, median(us));
  }
  return floor;
}

}  // namespace redtune::tuner
