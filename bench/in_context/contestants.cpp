// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/in_context/contestants.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <thread>

#include "redtune/find_best.hpp"
#include "tuner/measure/batch_size.hpp"
#include "tuner/measure/calibrate.hpp"
#include "tuner/measure/untrustworthy.hpp"

namespace redtune::bench {
namespace {

using tuner::Phase;
using tuner::Scheme;

/// Who is slower than the fastest so far by more than that tells nothing about choosing: any score
/// puts it last.
constexpr double most_slower = 8;
/// Random ones that are tried, for each that is wanted.
constexpr std::size_t most_tries = 4;

std::string failure_of(const tuner::UnitResult& result) {
  if (const auto* crash = std::get_if<tuner::CompileCrash>(&result)) return crash->why;
  const std::string& log = std::get<device::CompileFailure>(result).log;
  return "does not compile: " + log.substr(0, log.find('\n'));
}

}  // namespace

void BenchSampler::wait(tuner::Seconds seconds) {
  std::this_thread::sleep_for(seconds);
}

Contestants::Contestants(const Ground& ground, const Options& options)
    : ground_(ground),
      wanted_(options.configs),
      rng_(options.seed),
      bench_({ground.device, ground.family, ground.problem, options.seed}, *ground.compiler),
      sampler_(bench_),
      task_{.bytes = static_cast<double>(ground.problem.count) *
                     static_cast<double>(size_of(ground.problem.in)),
            .seed = options.seed,
            .accept_noise = true},
      guard_(sampler_, task_, calibration_) {
  std::vector<Proposal> proposals;
  propose_known(proposals, options);
  take(proposals);
  const search::Space space = ground_.family->space(ground_.problem, ground_.device->limits());
  for (std::size_t tried = 0; all_.size() < wanted_ && tried < most_tries * wanted_;) {
    const auto some = random(space, wanted_ - all_.size());
    if (some.empty()) break;
    tried += some.size();
    take(some);
  }
  align();
}

void Contestants::add(std::vector<Proposal>& proposals, Proposal proposal) {
  const search::Point point = ground_.family->point_of(proposal.settings);
  if (std::ranges::find(proposed_, point) != proposed_.end()) return;
  proposed_.push_back(point);
  proposals.push_back(std::move(proposal));
}

void Contestants::propose_known(std::vector<Proposal>& proposals, const Options& options) {
  const kernels::Family& family = *ground_.family;
  const Limits& limits = ground_.device->limits();
  const DeviceIdentity& device = ground_.device->identity();
  add(proposals, {family.default_settings(ground_.problem, limits), "default"});
  const Answer answer = find_best(ground_.problem, device, {.cache_file = options.cache_file});
  if (answer.match != Match::fallback && answer.family == family.name()) {
    add(proposals, {answer.settings, fmt::format("tuned ({})", to_string(answer.match))});
  }
  // Half of all, so that there is room for others.
  for (const Settings& shape :
       family.known_shapes(ground_.problem, limits, device.device_class.isa)) {
    if (proposals.size() >= std::max<std::size_t>(2, wanted_ / 2)) break;
    add(proposals, {shape, "known shape"});
  }
}

std::vector<Contestants::Proposal> Contestants::random(const search::Space& space,
                                                       std::size_t count) {
  std::vector<Proposal> proposals;
  for (std::size_t draws = 0; proposals.size() < count && draws < 100 * count; ++draws) {
    const search::Point point = space[rng_.below(space.size())];
    add(proposals, {ground_.family->settings_at(point), "random"});
  }
  return proposals;
}

void Contestants::take(const std::vector<Proposal>& proposals) {
  std::vector<tuner::CompileUnit> units;
  for (const Proposal& proposal : proposals) {
    units.push_back(ground_.family->name_expressions(proposal.settings, ground_.problem,
                                                     ground_.device->limits().wave_size));
  }
  const auto results = ground_.compiler->compile(units);
  for (std::size_t i = 0; i < proposals.size(); ++i) take(proposals[i], results[i]);
}

void Contestants::leave_out(const Proposal& proposal, const std::string& why) {
  if (proposal.origin == "default") throw DeviceError("the default " + why);
  left_out_.push_back(
      fmt::format("{} ({}): {}", to_string(proposal.settings), proposal.origin, why));
}

/// Loads a config and runs it once.
std::string Contestants::why_not(tuner::CandidateId id, const tuner::Candidate& candidate) {
  try {
    bench_.load(id, candidate);
    const std::string why = bench_.why_wrong(id);
    return why.empty() ? why : "is wrong: " + why;
  } catch (const tuner::BenchMishap& mishap) {
    if (!tuner::is_survived(mishap.mishap())) throw;
    return fmt::format("cannot run: {}", mishap.what());
  }
}

tuner::Runnable Contestants::runnable_of(const tuner::Candidate& candidate) const {
  device::Device& device = *ground_.device;
  std::shared_ptr<device::Module> module = device.load(*candidate.unit.binary);
  std::vector<device::Kernel> kernels;
  for (const auto& kernel : candidate.unit.kernels) {
    kernels.push_back(module->kernel(kernel.symbol));
  }
  runtime::LoadedConfig config(
      {ground_.family, ground_.problem, candidate.settings, device.limits()}, std::move(module),
      kernels);
  return tuner::runnable_of(std::move(config), device);
}

void Contestants::take(const Proposal& proposal, const tuner::UnitResult& result) {
  const auto* unit = std::get_if<tuner::CompiledUnit>(&result);
  if (unit == nullptr) return leave_out(proposal, failure_of(result));
  const bool is_default = proposal.origin == "default";
  const tuner::CandidateId id{next_id_++};
  const tuner::Candidate candidate{proposal.settings, *unit, is_default};
  if (const std::string why = why_not(id, candidate); !why.empty()) {
    return leave_out(proposal, why);
  }
  try {
    if (is_default) calibration_ = tuner::calibrate(sampler_, task_, id);
    const double batch_us = tuner::batch_us_for(calibration_.resolution_us);
    tuner::Batches score(guard_, {.candidate = id}, Phase::search);
    (void)score.single();
    const double us = score.warm_up(batch_us);
    if (!is_default && us > most_slower * fastest_us_) {
      ++slow_;
      bench_.unload(id);
      return;
    }
    fastest_us_ = is_default ? us : std::min(us, fastest_us_);
    tuner::Batches row(guard_, {.candidate = id, .scheme = Scheme::row}, Phase::search);
    (void)row.single();
    (void)row.warm_up(batch_us);
    all_.push_back({proposal.settings, proposal.origin, id, runnable_of(candidate),
                    std::move(score), std::move(row)});
  } catch (const tuner::ImplausibleSample& error) {
    leave_out(proposal, error.what());
  }
}

void Contestants::align() {
  std::size_t executions = 1;
  for (const Contestant& one : all_) executions = std::max(executions, one.score.executions());
  for (Contestant& one : all_) one.score.resize(executions);
}

}  // namespace redtune::bench
