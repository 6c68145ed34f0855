// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/own_kernel/caretaker.hpp"

#include <fmt/format.h>
#include <numeric>
#include <vector>

#include "kernel_templates/probe/checksum.hpp"

namespace redtune::tuner {

Caretaker::Caretaker(device::Device& device, const CompilePool& compiler) : device_(device) {
  const Limits& limits = device.limits();
  const CompileUnit unit{kernels::checksum_name(limits), kernels::restore_name(limits)};
  const auto results = compiler.with_text(kernels::checksum_text()).compile({&unit, 1});
  const auto* compiled = std::get_if<CompiledUnit>(&results[0]);
  if (compiled == nullptr) {
    throw DeviceError(fmt::format("{} does not compile; it is needed to check buffers", unit[0]));
  }
  module_ = device.load(*compiled->binary);
  checksum_ = module_->kernel(compiled->kernels[0].symbol);
  restore_ = module_->kernel(compiled->kernels[1].symbol);
  const auto threads = static_cast<std::size_t>(kernels::checksum_grid(limits)) *
                       static_cast<std::size_t>(kernels::checksum_block(limits));
  sums_ = device.allocate(threads * sizeof(std::uint64_t));
}

std::uint64_t Caretaker::checksum(const void* bytes, std::size_t count) {
  const Limits& limits = device_.limits();
  device::Launch launch{.kernel = checksum_,
                        .grid = kernels::checksum_grid(limits),
                        .block = kernels::checksum_block(limits)};
  launch.arguments.append(bytes);
  launch.arguments.append(static_cast<std::int64_t>(count));
  launch.arguments.append(sums_.data());
  device_.launch({&launch, 1}, {});
  device_.synchronize({});
  std::vector<std::uint64_t> sums(sums_.bytes() / sizeof(std::uint64_t));
  device_.copy_to_host(sums.data(), sums_.data(), sums_.bytes());
  return std::accumulate(sums.begin(), sums.end(), std::uint64_t{0});
}

device::Launch Caretaker::restoring(void* to, const void* from, std::size_t bytes) const {
  const Limits& limits = device_.limits();
  device::Launch launch{.kernel = restore_,
                        .grid = kernels::checksum_grid(limits),
                        .block = kernels::checksum_block(limits)};
  launch.arguments.append(to);
  launch.arguments.append(from);
  launch.arguments.append(static_cast<std::int64_t>(bytes));
  return launch;
}

}  // namespace redtune::tuner
