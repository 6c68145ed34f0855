// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "runtime/by_key_launches.hpp"

#include <fmt/format.h>

#include "kernel_templates/segments/planned.hpp"
#include "redtune/error.hpp"

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

LoadedAnswer load_counted(const device::Platform& platform, device::Device& device,
                          const Answer& found) {
  const kernels::Family& family = kernels::counted_segments();
  return load_found(platform, device,
                    {&family, found, family.default_settings(found.problem, device.limits())});
}

}  // namespace

ByKeyLaunches::ByKeyLaunches(const device::Platform& platform, device::Device& device,
                             const Answer& found, int key_bits)
    : loaded_(load_counted(platform, device, found)),
      grouping_(load_grouping(platform, device, key_bits, found.problem.offset_bits)),
      memory_(device, loaded_.config) {}

}  // namespace redtune::runtime
