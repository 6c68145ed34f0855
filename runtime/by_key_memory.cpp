// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "runtime/by_key_memory.hpp"

#include <algorithm>

namespace redtune::runtime {
namespace {

std::size_t aligned_bytes(std::int64_t bytes) {
  constexpr std::size_t alignment = 256;
  return (static_cast<std::size_t>(bytes) + alignment - 1) / alignment * alignment;
}

/// As many groups among so many elements as the problem expects among its own.
std::int64_t expected_groups(const Problem& problem, std::int64_t elements) {
  if (problem.count == 0) return 1;
  const double share = static_cast<double>(elements) / static_cast<double>(problem.count);
  const auto many = static_cast<std::int64_t>(share * static_cast<double>(problem.segment_count));
  return std::clamp<std::int64_t>(many, 1, std::max<std::int64_t>(elements, 1));
}

template <class... Arguments>
device::Launch group_launch(device::Kernel kernel, std::int64_t keys, const Limits& limits,
                            const Arguments&... arguments) {
  device::Launch launch;
  launch.kernel = kernel;
  launch.grid = kernels::group_grid(keys, limits);
  launch.block = kernels::group_block(limits);
  (launch.arguments.append(arguments), ...);
  return launch;
}

}  // namespace

ByKeyMemory::ByKeyMemory(device::Device& device, const LoadedConfig& config)
    : config_(&config), workspace_(config.make_workspace(device)) {
  const Problem& problem = config.choice().problem;
  const auto bytes = kernels::group_bytes(problem.count, problem.offset_bits, device.limits());
  memory_ = device.allocate(aligned_bytes(bytes.marks) + aligned_bytes(bytes.counts) +
                            aligned_bytes(bytes.offsets));
  marks_ = static_cast<std::byte*>(memory_.data());
  counts_ = marks_ + aligned_bytes(bytes.marks);
  offsets_ = counts_ + aligned_bytes(bytes.counts);
}

std::array<device::Launch, 3> ByKeyMemory::launches(std::span<const device::Kernel> kernels,
                                                    const KeyedOperands& operands,
                                                    std::int64_t elements) const {
  const auto& [family, problem, settings, limits] = config_->choice();
  const Shape shape = Shape::segments(elements, expected_groups(problem, elements),
                                      problem.offset_bits, problem.skew);
  const Launches reduction =
      config_->launches({operands.in, shape, operands.out, offsets_,
                         offsets_ + problem.offset_bits / 8, operands.groups},
                        workspace_);
  return {group_launch(kernels[0], elements, limits, operands.keys, elements, marks_, counts_,
                       workspace_.counter(), operands.groups),
          group_launch(kernels[1], elements, limits, operands.keys, elements, marks_, counts_,
                       operands.groups, offsets_, operands.keys_of_groups),
          reduction[0]};
}

}  // namespace redtune::runtime
