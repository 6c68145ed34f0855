// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// AMD as a vendor of device/gpu: the platform "hip".
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/gpu/platform.hpp"
#include "device/hip/hip_api.hpp"

namespace redtune::device::hip {

struct HipVendor {
  using Api = HipApi;
  static constexpr std::string_view name = "hip";
  static constexpr std::string_view visible_devices =
      {};  // HIP_VISIBLE_DEVICES takes numbers alone
  static std::string why_no_devices(hipError_t status);
  static std::unique_ptr<Compiler> make_compiler();
  static gpu::Facts facts(int ordinal);
  static Limits limits_of(std::string_view arch);
  static Readings readings(int ordinal);
  static std::optional<std::vector<DeviceUser>> users(int ordinal);
};

static_assert(gpu::Vendor<HipVendor>);

using HipPlatform = gpu::GpuPlatform<HipVendor>;

/// Why this user cannot reach AMD's kernel driver; empty when nothing is in the way.
[[nodiscard]] std::string driver_problem(const std::filesystem::path& node = "/dev/kfd");

}  // namespace redtune::device::hip
