// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "runtime/load_config.hpp"

#include <fmt/format.h>

#include "kernel_templates/reduce/custom_operator.hpp"
#include "redtune/error.hpp"
#include "runtime/kernel_loader.hpp"

namespace redtune::runtime {

std::vector<LoadConfigResult> load_configs(const device::Platform& platform, device::Device& device,
                                           std::vector<ConfigChoice> choices) {
  std::vector<LoadConfigResult> configs;
  if (choices.empty()) return configs;
  std::vector<CompileUnit> units;
  for (const ConfigChoice& choice : choices) {
    units.push_back(
        choice.family->name_expressions(choice.settings, choice.problem, choice.limits.wave_size));
  }
  const ConfigChoice& first = choices.front();
  KernelLoader loader(platform, device, first.family->device_text(first.problem));
  std::vector<LoadResult> loaded = loader.load(units);
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (auto* failure = std::get_if<device::CompileFailure>(&loaded[i])) {
      configs.emplace_back(std::move(*failure));
      continue;
    }
    auto& unit = std::get<LoadedUnit>(loaded[i]);
    configs.emplace_back(std::in_place_type<LoadedConfig>, std::move(choices[i]),
                         std::move(unit.module), unit.kernels);
  }
  return configs;
}

LoadedConfig load_config(const device::Platform& platform, device::Device& device,
                         ConfigChoice choice) {
  const Problem problem = choice.problem;
  std::vector<ConfigChoice> choices;
  choices.push_back(std::move(choice));
  auto configs = load_configs(platform, device, std::move(choices));
  if (const auto* failure = std::get_if<device::CompileFailure>(configs.data())) {
    throw_failure(problem, *failure);
  }
  return std::get<LoadedConfig>(std::move(configs.front()));
}

void throw_failure(const Problem& problem, const device::CompileFailure& failure) {
  const auto why = kernels::explain_operator_log(problem.custom, failure.log);
  if (problem.op == Op::custom && why) throw UsageError(*why);
  throw DeviceError(fmt::format("the kernel does not compile:\n{}", failure.log));
}

}  // namespace redtune::runtime
