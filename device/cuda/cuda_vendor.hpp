// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// NVIDIA as a vendor of device/gpu: the platform "cuda".
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/cuda/cuda_api.hpp"
#include "device/gpu/platform.hpp"

namespace redtune::device::cuda {

struct CudaVendor {
  using Api = CudaApi;
  static constexpr std::string_view name = "cuda";
  static constexpr std::string_view visible_devices = "CUDA_VISIBLE_DEVICES";
  static std::string why_no_devices(CUresult status);
  static std::unique_ptr<Compiler> make_compiler();
  static gpu::Facts facts(int ordinal);
  static Limits limits_of(std::string_view arch);
  static Readings readings(int ordinal);
  static std::optional<std::vector<DeviceUser>> users(int ordinal);
};

static_assert(gpu::Vendor<CudaVendor>);

using CudaPlatform = gpu::GpuPlatform<CudaVendor>;

}  // namespace redtune::device::cuda
