// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/own_kernel/caretaker.hpp"

#include <fmt/format.h>
#include <numeric>
#include <vector>

#include "kernel_templates/probe/checksum.hpp"

namespace redtune::tuner {

std::set<DType> types_of_outputs(const kernels::KernelDescription& description) {
  std::set<DType> types;
  for (const kernels::OutputCheck& check : description.checks) {
    types.insert(description.arguments[check.output].type.dtype);
  }
  return types;
}

CompileUnit Caretaker::unit(const std::set<DType>& types, const Limits& limits) {
  CompileUnit unit{kernels::checksum_name(limits), kernels::restore_name(limits)};
  for (const DType type : types) unit.push_back(kernels::far_apart_name(type, limits));
  return unit;
}

Caretaker::Caretaker(device::Device& device, const std::set<DType>& types,
                     const CompilePool& compiler)
    : device_(device) {
  const Limits& limits = device.limits();
  const CompileUnit unit = Caretaker::unit(types, limits);
  const auto results = compiler.with_text(kernels::checksum_text()).compile({&unit, 1});
  const auto* compiled = std::get_if<CompiledUnit>(&results[0]);
  if (compiled == nullptr) {
    throw DeviceError(fmt::format("{} does not compile; it is needed to check buffers", unit[0]));
  }
  module_ = device.load(*compiled->binary);
  auto kernel = compiled->kernels.begin();
  checksum_ = module_->kernel((kernel++)->symbol);
  restore_ = module_->kernel((kernel++)->symbol);
  for (const DType type : types) far_apart_[type] = module_->kernel((kernel++)->symbol);
  constexpr std::size_t any = std::size_t{1} << 40;
  const auto blocks = static_cast<std::size_t>(kernels::checksum_grid(any, limits));
  sums_ = device.allocate(blocks * sizeof(std::uint64_t));
}

/// Of what all blocks of a launch over so many bytes leave.
std::uint64_t Caretaker::sum_of(device::Launch launch, std::size_t bytes) {
  launch.grid = kernels::checksum_grid(bytes, device_.limits());
  launch.block = kernels::checksum_block(device_.limits());
  launch.arguments.append(sums_.data());
  device_.launch({&launch, 1}, {});
  device_.synchronize({});
  std::vector<std::uint64_t> sums(static_cast<std::size_t>(launch.grid));
  device_.copy_to_host(sums.data(), sums_.data(), sums.size() * sizeof(std::uint64_t));
  return std::accumulate(sums.begin(), sums.end(), std::uint64_t{0});
}

std::uint64_t Caretaker::checksum(const void* bytes, std::size_t count) {
  device::Launch launch{.kernel = checksum_};
  launch.arguments.append(bytes);
  launch.arguments.append(static_cast<std::int64_t>(count));
  return sum_of(launch, count);
}

std::uint64_t Caretaker::far_apart(DType type, const void* got, const void* expected,
                                   std::int64_t numbers, const kernels::Tolerance& tolerance) {
  device::Launch launch{.kernel = far_apart_.at(type)};
  launch.arguments.append(got);
  launch.arguments.append(expected);
  launch.arguments.append(numbers);
  launch.arguments.append(tolerance.absolute);
  launch.arguments.append(tolerance.relative);
  return sum_of(launch, static_cast<std::size_t>(numbers) * size_of(type));
}

device::Launch Caretaker::restoring(void* to, const void* from, std::size_t bytes) const {
  const Limits& limits = device_.limits();
  device::Launch launch{.kernel = restore_,
                        .grid = kernels::checksum_grid(bytes, limits),
                        .block = kernels::checksum_block(limits)};
  launch.arguments.append(to);
  launch.arguments.append(from);
  launch.arguments.append(static_cast<std::int64_t>(bytes));
  return launch;
}

}  // namespace redtune::tuner
