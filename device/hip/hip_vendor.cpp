// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Says why there is no AMD GPU in words that lead to the next step.
#include "device/hip/hip_vendor.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "device/hip/hip_arch.hpp"
#include "device/hip/hip_compiler.hpp"
#include "device/hip/hip_identity.hpp"
#include "device/hip/hip_readings.hpp"

namespace redtune::device::hip {

std::string driver_problem(const std::filesystem::path& node) {
  std::error_code ignored;
  if (!std::filesystem::exists(node, ignored)) {
    return fmt::format(
        "{} does not exist: the amdgpu kernel driver is not loaded, or this container was not "
        "given the device",
        node.string());
  }
  if (::access(node.c_str(), R_OK | W_OK) != 0) {
    return fmt::format("{} is not readable by this user: join the groups video and render",
                       node.string());
  }
  return {};
}

std::string HipVendor::why_no_devices(hipError_t status) {
  const std::string what =
      status == hipSuccess ? std::string("no devices") : gpu::describe<HipApi>(status);
  const std::string problem = driver_problem();
  return fmt::format("no AMD GPU found (HIP runtime {}: {}){}{}", runtime_version(), what,
                     problem.empty() ? "" : "; ", problem);
}

std::unique_ptr<Compiler> HipVendor::make_compiler() {
  return std::make_unique<HipCompiler>();
}

gpu::Facts HipVendor::facts(int ordinal) {
  return facts_of(ordinal);
}

Limits HipVendor::limits_of(std::string_view arch) {
  return hip::limits_of(arch);
}

Readings HipVendor::readings(int ordinal) {
  return readings_of(address_of(ordinal));
}

std::optional<std::vector<DeviceUser>> HipVendor::users(int ordinal) {
  return users_of(address_of(ordinal));
}

}  // namespace redtune::device::hip
