// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Says why there is no NVIDIA GPU in words that lead to the next step.
#include "device/cuda/cuda_vendor.hpp"

#include <fmt/format.h>

#include "device/cuda/cuda_arch.hpp"
#include "device/cuda/cuda_compiler.hpp"
#include "device/cuda/cuda_identity.hpp"
#include "device/cuda/nvml.hpp"

namespace redtune::device::cuda {

std::string CudaVendor::why_no_devices(CUresult status) {
  if (find_driver() == nullptr) return driver_problem();
  const std::string what =
      status == CUDA_SUCCESS ? std::string("no devices") : gpu::describe<CudaApi>(status);
  return fmt::format("no NVIDIA GPU found (driver for CUDA {}: {})",
                     format_version(driver_version()), what);
}

std::unique_ptr<Compiler> CudaVendor::make_compiler() {
  return std::make_unique<CudaCompiler>();
}

gpu::Facts CudaVendor::facts(int ordinal) {
  return facts_of(ordinal);
}

Limits CudaVendor::limits_of(std::string_view arch) {
  return cuda::limits_of(arch);
}

Readings CudaVendor::readings(int ordinal) {
  return nvml().readings(address_of(ordinal));
}

std::optional<std::vector<DeviceUser>> CudaVendor::users(int ordinal) {
  return nvml().users(address_of(ordinal));
}

}  // namespace redtune::device::cuda
