// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Sensors and processes of an AMD GPU, from what the amdgpu and amdkfd kernel drivers show below
// /sys. Nothing here starts HIP.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "device/gpu/sysfs.hpp"
#include "device/platform.hpp"

namespace redtune::device::hip {

/// Where the kernel shows devices and processes; procfs is "/proc" outside tests.
struct KernelFolders {
  std::filesystem::path sysfs = gpu::sysfs_folder();
  std::filesystem::path procfs = "/proc";
};

/// address: of the PCI device, "0000:c1:00.0". Clocks are those in use now, temperature and power
/// those of the whole device.
[[nodiscard]] Readings readings_of(const std::string& address, const KernelFolders& folders = {});

/// Processes with memory or queues on the device or on any partition of it; nothing where the
/// kernel does not show them.
[[nodiscard]] std::optional<std::vector<DeviceUser>> users_of(const std::string& address,
                                                              const KernelFolders& folders = {});

}  // namespace redtune::device::hip
