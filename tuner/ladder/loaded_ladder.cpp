// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/ladder/loaded_ladder.hpp"

#include <fmt/format.h>
#include <set>

#include "redtune/error.hpp"

namespace redtune::tuner {

using kernels::LadderEnd;
using kernels::LadderStep;

LoadedLadder::LoadedLadder(const LadderSite& site, const std::vector<const LadderStep*>& steps)
    : site_(site) {
  std::set<std::string> names;
  for (const LadderStep* step : steps) {
    for (const auto& variant : step->variants) {
      const auto plan = ladder_plan(*step, variant, site.problem, site.device->limits());
      for (const auto& call : plan.calls) names.insert(call.kernel);
    }
  }
  if (names.empty()) return;
  const CompileUnit all(names.begin(), names.end());
  const CompiledUnit unit = compile(kernels::ladder_text(), all);
  const auto module = load(unit);
  for (std::size_t i = 0; i < all.size(); ++i) {
    kernels_[all[i]] = module->kernel(unit.kernels[i].symbol);
  }
}

CompiledUnit LoadedLadder::compile(const std::string& text, const CompileUnit& names) const {
  const CompilePool pool(target_of(*site_.platform, site_.device->identity(), text), site_.worker,
                         1);
  UnitResult result = pool.compile({&names, 1}).front();
  if (const auto* failure = std::get_if<device::CompileFailure>(&result)) {
    throw DeviceError(fmt::format("the ladder's kernels do not compile:\n{}", failure->log));
  }
  if (const auto* crash = std::get_if<CompileCrash>(&result)) {
    throw DeviceError(fmt::format("the compiler of the ladder's kernels failed: {}", crash->why));
  }
  return std::get<CompiledUnit>(std::move(result));
}

std::shared_ptr<device::Module> LoadedLadder::load(const CompiledUnit& unit) {
  modules_.emplace_back(site_.device->load(*unit.binary));
  return modules_.back();
}

BoundStep LoadedLadder::bind(const LadderStep& step, const kernels::LadderVariant& variant) const {
  return {*site_.device, ladder_plan(step, variant, site_.problem, site_.device->limits()),
          kernels_, site_.problem};
}

Runnable LoadedLadder::tuned(const kernels::Family& family, const Settings& settings) {
  const Limits& limits = site_.device->limits();
  const CompiledUnit unit =
      compile(family.device_text(site_.problem),
              family.name_expressions(settings, site_.problem, limits.wave_size));
  const auto module = load(unit);
  std::vector<device::Kernel> kernels;
  for (const auto& kernel : unit.kernels) kernels.push_back(module->kernel(kernel.symbol));
  runtime::LoadedConfig config({&family, site_.problem, settings, limits}, module,
                               std::move(kernels));
  return runnable_of(std::move(config), *site_.device);
}

}  // namespace redtune::tuner
