// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "runtime/load_config.hpp"

#include <fmt/format.h>
#include <utility>

#include "device/compiler.hpp"
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

namespace {

Answer with_default(const Answer& stored, Settings settings, std::string why) {
  return {.problem = stored.problem,
          .family = stored.family,
          .settings = std::move(settings),
          .explanation = std::move(why)};
}

}  // namespace

Answer without_refused(const Answer& stored, Settings settings,
                       const device::CompileFailure& failure) {
  return with_default(stored, std::move(settings),
                      fmt::format("the stored configuration does not compile here: {}",
                                  device::first_line(failure.log)));
}

LoadedAnswer load_found(const device::Platform& platform, device::Device& device,
                        FoundConfig found) {
  const auto& [family, answer, otherwise] = found;
  const Limits& limits = device.limits();
  if (answer.settings == otherwise) {
    return {answer, load_config(platform, device, {family, answer.problem, otherwise, limits})};
  }
  const auto load_other = [&](Answer other) -> LoadedAnswer {
    auto config = load_config(platform, device, {family, other.problem, other.settings, limits});
    return {std::move(other), std::move(config)};
  };
  if (const auto why = family->why_invalid(answer.settings, answer.problem, limits); !why.empty()) {
    return load_other(with_default(
        answer, otherwise, fmt::format("the stored configuration cannot run here: {}", why)));
  }
  auto configs =
      load_configs(platform, device, {{family, answer.problem, answer.settings, limits}});
  if (const auto* failure = std::get_if<device::CompileFailure>(configs.data())) {
    return load_other(without_refused(answer, otherwise, *failure));
  }
  return {answer, std::get<LoadedConfig>(std::move(configs.front()))};
}

void throw_failure(const Problem& problem, const device::CompileFailure& failure) {
  const auto why = kernels::explain_operator_log(problem.custom, failure.log);
  if (problem.op == Op::custom && why) throw UsageError(*why);
  throw DeviceError(fmt::format("the kernel does not compile:\n{}", failure.log));
}

}  // namespace redtune::runtime
