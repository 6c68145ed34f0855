// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include <array>
#include <fmt/format.h>

#include "cli/doctor/examine.hpp"
#include "cli/names.hpp"
#include "kernel_templates/family/family.hpp"
#include "redtune/error.hpp"
#include "tuner/lease/lease.hpp"
#include "tuner/measure/calibrate.hpp"
#include "tuner/session/device_site.hpp"
#include "tuner/session/workbench.hpp"

namespace redtune::cli {
namespace {

/// What tune is asked for where nothing else is said.
Problem usual_problem() {
  return make_problem(Op::sum, DType::f32, std::int64_t{1} << 24);
}

/// The default config of a problem, compiled for a device.
Candidate default_candidate(const kernels::Family& family, const Problem& problem,
                            const FoundDevice& device, const NoiseOrder& order) {
  const CompilePool compiler(
      {.platform = device.platform, .arch = device.arch, .text = family.device_text(problem)},
      order.compile_worker, 1);
  Candidate candidate{
      .settings = family.default_settings(problem, device.limits), .unit = {}, .is_default = true};
  const std::array units{
      family.name_expressions(candidate.settings, problem, device.limits.wave_size)};
  const UnitResult result = compiler.compile(units).at(0);
  if (const auto* failure = std::get_if<device::CompileFailure>(&result)) {
    throw DeviceError("the default does not compile: " + failure->log);
  }
  if (const auto* crash = std::get_if<CompileCrash>(&result)) {
    throw DeviceError("compiling the default failed: " + crash->why);
  }
  candidate.unit = std::get<CompiledUnit>(result);
  return candidate;
}

Calibration calibrate_on(DeviceSite& site, const NoiseOrder& order) {
  const Problem problem = usual_problem();
  const kernels::Family& family = kernels::family_of(problem);
  Stopwatch watch(Activity::rest);
  Workbench bench([&] { return site.open({std::string(family.name()), problem, 1}); }, watch);
  const CandidateId id = bench.add(default_candidate(family, problem, site.device(), order));
  return calibrate(bench, {.bytes = family.bytes_moved(problem)}, id);
}

std::vector<Fact> facts_of(const Calibration& found) {
  Fact floor{.name = "noise floor",
             .value = found.noise_floor,
             .text = fmt::format("{:.2f} %: how much the same configuration differs from itself",
                                 100 * found.noise_floor)};
  if (!found.warnings.empty()) {
    floor.verdict = Verdict::remark;
    for (const std::string& warning : found.warnings) {
      floor.next += (floor.next.empty() ? "" : "; ") + warning;
    }
  }
  return {std::move(floor),
          {.name = "clock resolution",
           .key = "resolution_us",
           .value = found.resolution_us,
           .text = fmt::format("{:.3f} us", found.resolution_us)},
          {.name = "empty batch",
           .key = "empty_us",
           .value = found.empty_us,
           .text = fmt::format("{:.2f} us", found.empty_us)},
          {.name = "default",
           .key = "default_us",
           .value = found.default_us,
           .text = fmt::format("{:.2f} us", found.default_us)}};
}

Fact not_measured(const Error& error, Verdict verdict) {
  return {.name = "noise floor", .value = nullptr, .text = error.what(), .verdict = verdict};
}

}  // namespace

Section examine_noise(const NoiseOrder& order) {
  Topic topic;
  try {
    DeviceSite site({.words = order.device_worker, .device = order.device}, {});
    topic.facts.push_back({.name = "device", .value = site.device().selection});
    const Lease lease = Lease::take(site.device().identity.address, note_of_this_process());
    for (Fact& fact : facts_of(calibrate_on(site, order))) topic.facts.push_back(std::move(fact));
  } catch (const Busy& busy) {
    topic.facts.push_back(not_measured(busy, Verdict::remark));
  } catch (const Error& error) {
    topic.facts.push_back(not_measured(error, Verdict::problem));
  }
  return {.name = "noise", .topics = {std::move(topic)}};
}

}  // namespace redtune::cli
