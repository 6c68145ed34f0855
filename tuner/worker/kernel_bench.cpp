// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/worker/kernel_bench.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "redtune/error.hpp"

namespace redtune::tuner {
namespace {

/// What a bench needs of a family: no text, no name.
kernels::DescribedFamily family_of_source(const kernels::DescriptionSource& source,
                                          const Limits& limits) {
  kernels::DescribedFamily::Parts parts;
  parts.source = source;
  parts.description = kernels::description_in(source);
  parts.limits = limits;
  return {std::move(parts), {}};
}

KernelProblem problem_of(const kernels::DescribedFamily& family, const KernelBenchSetup& setup) {
  return {&family.description(), kernels::sizes_of(family.description(), setup.problem),
          setup.seed};
}

/// Restorations reach up to the buffers' capacities, so that they are the same for all configs.
Neighbourhood around(const KernelBenchSetup& setup, const KernelJob& job) {
  return {.input_bytes = job.buffers().input_layout().bytes,
          .cache_mode = setup.problem.cache_mode,
          .results = {job.first_output()},
          .restorations = job.buffers().restorations()};
}

}  // namespace

KernelBench::Scenery::Scenery(const KernelBenchSetup& setup, const CompilePool& compiler,
                              const KernelJob& job)
    : generation(job.buffers().generation()),
      slots(*setup.device,
            {job.buffers().input_layout().bytes,
             [&job](std::span<std::byte* const> copies) { job.buffers().write_inputs(copies); }},
            setup.problem.cache_mode),
      surroundings(*setup.device, load_surroundings(*setup.device, compiler), around(setup, job)),
      two_streams(*setup.device, surroundings.small_kernel()),
      others(*setup.device, surroundings, slots, &two_streams) {}

KernelBench::KernelBench(KernelBenchSetup setup, const CompilePool& compiler)
    : setup_(std::move(setup)),
      compiler_(compiler),
      family_(family_of_source(setup_.source, setup_.device->limits())),
      guard_(*setup_.device),
      caretaker_(*setup_.device, types_of_outputs(family_.description()), compiler),
      job_(*setup_.device, problem_of(family_, setup_), &caretaker_),
      pacer_(*setup_.device, compiler) {}

void KernelBench::load(CandidateId id, const Candidate& candidate) {
  guard_.bring([&] {
    const search::Point config = family_.point_of(candidate.settings);
    const auto references = candidate.is_default ? WithReferences::yes : WithReferences::no;
    loaded_.insert_or_assign(
        id, Loaded{job_.load(config, candidate.unit, guard_.module_of(candidate.unit), references),
                   {}});
    if (candidate.is_default) default_ = id;
  });
}

void KernelBench::unload(CandidateId id) {
  guard_.guarded([&] {
    if (ready_ == id) ready_.reset();
    loaded_.erase(id);
  });
}

KernelBench::Loaded& KernelBench::loaded(CandidateId id) {
  const auto found = loaded_.find(id);
  if (found == loaded_.end()) throw Error("a config is used that was not loaded");
  return found->second;
}

const std::string& KernelBench::why_no_default() {
  if (!default_) throw Error("the default was not loaded");
  if (!why_no_default_) why_no_default_ = job_.why_no_default(loaded(*default_).kernels);
  return *why_no_default_;
}

std::string KernelBench::why_wrong(CandidateId id) {
  return guard_.guarded([&]() -> std::string {
    ready_.reset();
    if (!why_no_default().empty()) return why_no_default();
    return job_.why_wrong(loaded(id).kernels);
  });
}

/// Others alone were timed behind the batch, and perhaps another config: where that has changed
/// what the last execution left, it is done once more.
std::string KernelBench::why_wrong_when_timed(CandidateId id) {
  return guard_.guarded([&]() -> std::string {
    const bool is_last = ready_ == id;
    make_ready(id);
    std::vector<device::Launch> again = job_.buffers().restorations();
    if (!is_last || !again.empty()) {
      const auto launches =
          job_.buffers().launches(loaded(id).kernels, {.copy = scenery_->slots.first()});
      again.insert(again.end(), launches.begin(), launches.end());
      setup_.device->launch(again, {});
      setup_.device->synchronize({});
    }
    std::string why = job_.why_wrong_now(loaded(id).kernels);
    if (why.empty()) return why;
    ready_.reset();  // buffers may be others now
    return why + " (while it was timed)";
  });
}

std::string KernelBench::why_wrong_when_challenged(CandidateId id) {
  return guard_.guarded([&]() -> std::string {
    ready_.reset();
    if (!why_no_default().empty()) return why_no_default();
    return job_.why_wrong_on_others(loaded(*default_).kernels, loaded(id).kernels);
  });
}

void KernelBench::make_ready(CandidateId id) {
  if (ready_ == id) return;
  job_.buffers().restore(loaded(id).kernels);
  ready_ = id;
  if (scenery_ && scenery_->generation == job_.buffers().generation()) return;
  for (auto& [other, one] : loaded_) one.timers.clear();
  scenery_.reset();  // its copies make room for the next
  scenery_.emplace(setup_, compiler_, job_);
}

/// A kernel of a user's may take long: what the host pays is that of the surroundings' own, which
/// is the same for all.
double KernelBench::further_launch_us(const Loaded& one) {
  if (one.kernels.launches.size() == 1) return 0;
  if (!further_launch_us_) {
    further_launch_us_ = queueing_us(*setup_.device, scenery_->surroundings.small_kernel());
  }
  return *further_launch_us_;
}

BatchTimer& KernelBench::timer_of(Loaded& one, std::size_t executions) {
  constexpr std::size_t most_timers = 2;
  const auto known = std::ranges::find(one.timers, executions, &BatchTimer::executions);
  if (known != one.timers.end()) return *known;
  if (one.timers.size() == most_timers) one.timers.pop_front();
  const Stage stage{.device = setup_.device,
                    .slots = &scenery_->slots,
                    .surroundings = &scenery_->surroundings,
                    .others = &scenery_->others,
                    .two_streams = &scenery_->two_streams,
                    .further_launch_us = further_launch_us(one)};
  Work work{.append =
                [this, &one](std::vector<device::Launch>& launches, const void* in, const Turn&) {
                  const auto all = job_.buffers().launches(one.kernels, {.copy = in});
                  launches.insert(launches.end(), all.begin(), all.end());
                },
            .launches = one.kernels.launches.size(),
            .cache_mode = setup_.problem.cache_mode};
  return one.timers.emplace_back(stage, std::move(work), executions);
}

Sample KernelBench::sample(const BatchOrder& order) {
  return guard_.guarded([&] {
    Loaded& one = loaded(order.candidate);
    make_ready(order.candidate);
    Sample sample = timer_of(one, order.executions).sample(order.scheme);
    sample.pace_us = pacer_.pace_us();
    return sample;
  });
}

device::BatchTime KernelBench::empty_batch() {
  return guard_.guarded([&] { return setup_.device->time({}); });
}

std::size_t KernelBench::free_memory() {
  return guard_.guarded([&] { return setup_.device->free_memory(); });
}

}  // namespace redtune::tuner
