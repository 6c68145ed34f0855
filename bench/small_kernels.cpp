// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/small_kernels.hpp"

#include <cstdint>
#include <utility>
#include <variant>

#include "kernel_templates/probe/probe.hpp"
#include "kernel_templates/probe/surroundings.hpp"
#include "redtune/error.hpp"

namespace redtune::bench {

namespace {

/// The text and the kernel's name in it.
device::CompileRequest request_of(SmallKernel which, const Limits& limits, std::string arch) {
  if (which == SmallKernel::empty) {
    return {kernels::probe_text(), {kernels::empty_probe_name(limits)}, std::move(arch)};
  }
  return {kernels::surroundings_text(),
          {kernels::surrounding_name(kernels::SurroundingKernel::touch, limits)},
          std::move(arch)};
}

}  // namespace

SmallKernels::SmallKernels(device::Device& device, const device::Platform& platform,
                           SmallKernel which)
    : device_(device) {
  if (device.batching() != device::Batching::graph) {
    throw UsageError("this experiment needs a GPU");
  }
  const device::CompileResult result = platform.compiler().compile(
      request_of(which, device.limits(), platform.arch_of(device.identity())));
  if (const auto* failure = std::get_if<device::CompileFailure>(&result)) {
    throw DeviceError("the kernel does not compile: " + failure->log);
  }
  const auto& program = std::get<device::CompiledProgram>(result);
  module_ = device.load(program.binary);
  launch_ = {.kernel = module_->kernel(program.kernels[0].symbol),
             .block = device.limits().min_block_size};
  if (which == SmallKernel::empty) return;
  memory_ = device.allocate(sizeof(std::uint32_t) * static_cast<std::size_t>(launch_.block));
  device.fill(memory_.data(), std::byte{0}, memory_.bytes());
  launch_.arguments.append(memory_.data());
}

void SmallKernels::queue(int launches, device::Stream stream) {
  for (int i = 0; i < launches; ++i) device_.launch({&launch_, 1}, stream);
  device_.synchronize(stream);
}

std::unique_ptr<device::Batch> SmallKernels::graph(std::size_t kernels) {
  return device_.prepare(std::vector(kernels, launch_));
}

}  // namespace redtune::bench
