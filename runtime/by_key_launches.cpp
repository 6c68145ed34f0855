// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "runtime/by_key_launches.hpp"

#include <fmt/format.h>

#include "kernel_templates/segments/planned.hpp"
#include "redtune/error.hpp"
#include "runtime/load_config.hpp"

namespace redtune::runtime {
namespace {

LoadedUnit load_grouping(const device::Platform& platform, device::Device& device, int key_bits,
                         std::int64_t offset_bits) {
  KernelLoader loader(platform, device, kernels::group_text());
  auto loaded =
      loader.load(std::array{kernels::group_kernels(key_bits, offset_bits, device.limits())});
  if (const auto* failure = std::get_if<device::CompileFailure>(loaded.data())) {
    throw DeviceError(
        fmt::format("the kernels that find groups do not compile:\n{}", failure->log));
  }
  return std::get<LoadedUnit>(std::move(loaded.front()));
}

}  // namespace

ByKeyLaunches::ByKeyLaunches(const device::Platform& platform, device::Device& device,
                             const Problem& problem, const Settings& settings, int key_bits)
    : config_(load_config(platform, device,
                          {&kernels::counted_segments(), problem, settings, device.limits()})),
      grouping_(load_grouping(platform, device, key_bits, problem.offset_bits)),
      memory_(device, config_) {}

}  // namespace redtune::runtime
