// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "runtime/loaded_config.hpp"

#include <fmt/format.h>
#include <limits>

#include "kernel_templates/custom_operator.hpp"
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

static_assert(kernels::most_arguments <= device::Arguments::capacity);

}  // namespace

LoadedConfig::LoadedConfig(ConfigChoice choice, std::shared_ptr<device::Module> module,
                           std::vector<device::Kernel> kernels)
    : choice_(std::move(choice)),
      module_(std::move(module)),
      kernels_(std::move(kernels)),
      planner_(choice_.family->planner(choice_.settings, choice_.problem, choice_.limits)) {}

Workspace LoadedConfig::make_workspace(device::Device& device) const {
  const std::int64_t most = plan(std::numeric_limits<std::int64_t>::max() / 16).partial_count;
  return Workspace(device, most, accumulator_bytes(choice_.problem));
}

Launches LoadedConfig::launches(const Operands& operands,
                                const Workspace& workspace) const noexcept {
  const kernels::LaunchPlan plan_now = plan(operands.count);
  Launches launches;
  for (const kernels::KernelCall& call : plan_now.calls) {
    device::Launch& launch = launches.emplace_back();
    launch.kernel = kernels_[call.kernel];
    launch.grid = call.grid;
    launch.block = call.block;
    launch.start = device::Start::early;  // every kernel of a family waits for what is ahead
    for (const Argument argument : call.arguments) {
      launch.arguments.append(slot(argument, plan_now, operands, workspace));
    }
  }
  return launches;
}

LoadedConfig load_config(device::Platform& platform, device::Device& device, ConfigChoice choice) {
  const auto names =
      choice.family->name_expressions(choice.settings, choice.problem, choice.limits.wave_size);
  const auto result = platform.compiler().compile(
      {choice.family->device_text(choice.problem), names, platform.arch_of(device.identity())});
  if (const auto* failure = std::get_if<device::CompileFailure>(&result)) {
    const auto why = kernels::explain_operator_log(choice.problem.custom, failure->log);
    if (choice.problem.op == Op::custom && why) throw UsageError(*why);
    throw DeviceError(fmt::format("the kernel does not compile:\n{}", failure->log));
  }
  const auto& program = std::get<device::CompiledProgram>(result);
  std::shared_ptr<device::Module> module = device.load(program.binary);
  std::vector<device::Kernel> kernels;
  for (const auto& kernel : program.kernels) kernels.push_back(module->kernel(kernel.symbol));
  return LoadedConfig(std::move(choice), std::move(module), std::move(kernels));
}

}  // namespace redtune::runtime
