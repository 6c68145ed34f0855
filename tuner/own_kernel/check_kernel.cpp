// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/own_kernel/check_kernel.hpp"

#include <fmt/format.h>
#include <sstream>

#include "redtune/error.hpp"

namespace redtune::tuner {
namespace {

using kernels::KernelDescription;

/// More are not gone through to be counted.
constexpr double most_counted = 1 << 24;

std::string default_text(const KernelDescription& description) {
  const Settings settings = settings_of(description, kernels::default_config(description));
  return settings.empty() ? "the kernel" : fmt::format("the default, {},", to_string(settings));
}

/// Buffers, their contents at first, and what is copied from them to be compared; on the host
/// device all of that is in one memory.
void require_room(const device::Device& device, const KernelDescription& description,
                  const kernels::KernelPlan& plan) {
  double bytes = 0;
  for (std::size_t i = 0; i < description.arguments.size(); ++i) {
    const kernels::KernelArgument& argument = description.arguments[i];
    if (!argument.is_memory()) continue;
    bytes += static_cast<double>(plan.amounts[i]) * static_cast<double>(argument.type.bytes());
  }
  const bool is_host = device.identity().device_class.platform == "host";
  const double needed = bytes * (is_host ? 6 : 2);
  const auto there = static_cast<double>(device.free_memory());
  if (needed <= there) return;
  constexpr double gib = 1 << 30;
  throw UsageError(fmt::format(
      "{}: its buffers have {:.1f} GiB, and to run and compare them takes "
      "{:.1f}; {} has {:.1f} GiB free. Choose smaller sizes",
      description.text_file, bytes / gib, needed / gib, device.identity().name, there / gib));
}

CompiledUnit compiled_default(const KernelProblem& problem, const kernels::KernelPlan& plan,
                              const CompilePool& compiler) {
  const CompileUnit unit = kernels_of(plan, WithReferences::yes);
  const auto results = compiler.compile({&unit, 1});
  if (const auto* compiled = std::get_if<CompiledUnit>(&results[0])) return *compiled;
  const auto* failure = std::get_if<device::CompileFailure>(&results[0]);
  const std::string why =
      failure != nullptr ? first_error(failure->log) : std::get<CompileCrash>(results[0]).why;
  throw Error(fmt::format("{}: {} does not compile: {}", problem.description->text_file,
                          default_text(*problem.description), why));
}

}  // namespace

std::string first_error(const std::string& log) {
  std::istringstream lines(log);
  std::string first;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("error") != std::string::npos) return line;
    if (first.empty()) first = line;
  }
  return first;
}

CheckedKernel check_kernel(device::Device& device, const KernelProblem& problem,
                           const CompilePool& compiler, kernels::KernelWords words) {
  const KernelDescription& description = *problem.description;
  const search::Point config = kernels::default_config(description);
  const Limits& limits = device.limits();
  const std::string why_not = why_invalid(description, config, problem.sizes, limits);
  if (!why_not.empty()) {
    throw UsageError(fmt::format("{}: {} cannot run: {}", description.text_file,
                                 default_text(description), why_not));
  }
  CheckedKernel checked;
  checked.combinations = combinations_of(description);
  if (checked.combinations <= most_counted) {
    checked.configs = space_of(description, problem.sizes, limits).size();
  }
  KernelJob job(device, problem);
  checked.plan = job.plan(config);
  checked.inputs = job.inputs();
  require_room(device, description, checked.plan);
  const std::string text = kernels::text_with_includes(description.text_file);
  const CompiledUnit unit = compiled_default(
      problem, checked.plan,
      compiler.with_text(kernels::program_of(description, text, config, words, limits)));
  try {
    const LoadedKernels loaded = job.load(config, unit, WithReferences::yes);
    std::string why = job.why_no_default(loaded);
    if (why.empty()) why = job.why_wrong(loaded);
    if (!why.empty()) throw Error(fmt::format("{}: {}", description.text_file, why));
    job.buffers().restore(loaded);
    checked.time_us = device.time(job.buffers().launches(loaded)).device_us;
  } catch (const OutOfMemory&) {
    throw;
  } catch (const DeviceError& error) {
    throw Error(fmt::format("{}: {} cannot run: {}", description.text_file,
                            default_text(description), error.what()));
  }
  return checked;
}

}  // namespace redtune::tuner
