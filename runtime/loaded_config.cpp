// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "runtime/loaded_config.hpp"

#include <fmt/format.h>
#include <limits>

#include "redtune/error.hpp"

namespace redtune::runtime {
namespace {

using kernels::Argument;

/// A kernel argument by its meaning, in its slot.
std::uint64_t slot(Argument argument, const kernels::LaunchPlan& plan, const Operands& operands,
                   const Workspace& workspace) {
  const auto address = [](const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); };
  switch (argument) {
    case Argument::in:
      return address(operands.in);
    case Argument::count:
      return static_cast<std::uint64_t>(operands.count);
    case Argument::out:
      return address(operands.out);
    case Argument::partials:
      return address(workspace.partials());
    case Argument::counter:
      return address(workspace.counter());
    case Argument::run:
      return static_cast<std::uint64_t>(plan.run);
    case Argument::partial_count:
      return static_cast<std::uint64_t>(plan.partial_count);
  }
  return 0;
}

}  // namespace

LoadedConfig::LoadedConfig(ConfigChoice choice, std::shared_ptr<device::Module> module,
                           std::vector<device::Kernel> kernels)
    : choice_(std::move(choice)), module_(std::move(module)), kernels_(std::move(kernels)) {}

kernels::LaunchPlan LoadedConfig::plan(std::int64_t count) const {
  Problem problem = choice_.problem;
  problem.count = count;
  return choice_.family->plan(choice_.settings, problem, choice_.limits);
}

Workspace LoadedConfig::make_workspace(device::Device& device) const {
  const std::int64_t most = plan(std::numeric_limits<std::int64_t>::max() / 16).partial_count;
  return Workspace(device, most, size_of(choice_.problem.acc));
}

std::vector<device::Launch> LoadedConfig::launches(const Operands& operands,
                                                   const Workspace& workspace) const {
  const kernels::LaunchPlan plan_now = plan(operands.count);
  std::vector<device::Launch> launches;
  for (const kernels::KernelCall& call : plan_now.calls) {
    device::Arguments arguments;
    for (const Argument argument : call.arguments) {
      arguments.append(slot(argument, plan_now, operands, workspace));
    }
    launches.push_back({kernels_[call.kernel], call.grid, call.block, arguments});
  }
  return launches;
}

LoadedConfig load_config(device::Platform& platform, device::Device& device, ConfigChoice choice) {
  const auto names =
      choice.family->name_expressions(choice.settings, choice.problem, choice.limits.wave_size);
  const auto result = platform.compiler().compile(
      {choice.family->device_text(), names, platform.arch_of(device.identity())});
  if (const auto* failure = std::get_if<device::CompileFailure>(&result)) {
    throw DeviceError(fmt::format("the kernel does not compile:\n{}", failure->log));
  }
  const auto& program = std::get<device::CompiledProgram>(result);
  std::shared_ptr<device::Module> module = device.load(program.binary);
  std::vector<device::Kernel> kernels;
  for (const auto& kernel : program.kernels) kernels.push_back(module->kernel(kernel.symbol));
  return LoadedConfig(std::move(choice), std::move(module), std::move(kernels));
}

}  // namespace redtune::runtime
