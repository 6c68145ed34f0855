// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a GPU is, from HIP's device properties and from what the kernel says about its PCI device.
#pragma once

#include <filesystem>
#include <string>

#include "device/gpu/device.hpp"
#include "device/hip/hip_runtime.hpp"

namespace redtune::device::hip {

/// "5.2.21153" of HIP's 50221153.
[[nodiscard]] std::string format_version(int version);

/// Version of the loaded HIP runtime; "unknown" when it does not tell. Needs no GPU.
[[nodiscard]] std::string runtime_version();

/// "HIP 5.2.21153 (d9394edf37a4)": version and build id, which tells apart what distributions and
/// AMD build of one version.
[[nodiscard]] std::string runtime_name();

/// PCI address of a device; its partitions differ in the function. Throws DeviceError.
[[nodiscard]] std::string address_of(int ordinal);

/// Properties and PCI address ("0000:c1:00.0") as plain data; sysfs: where the kernel shows it.
[[nodiscard]] DeviceIdentity identity_of(const hipDeviceProp_t& properties,
                                         const std::string& address,
                                         const std::filesystem::path& sysfs);

/// Identity, without the compiler, and limits of a device. Throws DeviceError.
[[nodiscard]] gpu::Facts facts_of(int ordinal);

}  // namespace redtune::device::hip
