// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a GPU is, from the CUDA driver and from what the kernel says about its PCI device.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "device/gpu/device.hpp"
#include "device/gpu/sysfs.hpp"

namespace redtune::device::cuda {

/// What the driver tells of a device, as plain data.
struct Properties {
  std::string name;     ///< e.g. "NVIDIA H200", with " MIG 1g.18gb" on a slice of one
  std::string address;  ///< PCI address, "0000:c1:00.0"
  std::array<unsigned char, 16> uuid{};
  int major = 0;  ///< compute capability
  int minor = 0;
  int multiprocessors = 1;
  int max_threads_per_block = 1024;
  int max_shared_bytes = 0;  ///< of a block that asks for more than usual, 0: unknown
  std::int64_t l2_bytes = 0;
  std::int64_t memory_bytes = 0;
  int driver_version = 0;  ///< 13000 for CUDA 13.0
  int memory_khz = 0;      ///< memory clock, 0: unknown
  int memory_bits = 0;     ///< width of the memory's bus, 0: unknown
};

/// Where the kernel shows devices and its own; procfs is "/proc" outside tests.
struct SystemFolders {
  std::filesystem::path sysfs = gpu::sysfs_folder();
  std::filesystem::path procfs = "/proc";
};

/// "13.0" of CUDA's 13000.
[[nodiscard]] std::string format_version(int version);

/// "1g.18gb" of "NVIDIA H200 MIG 1g.18gb"; empty when the device is whole.
[[nodiscard]] std::string mig_profile(std::string_view name);

/// "GPU-01234567-89ab-cdef-0123-456789abcdef", as NVIDIA's tools write it; MIG- for a slice.
[[nodiscard]] std::string format_uuid(const Properties& properties);

[[nodiscard]] DeviceIdentity identity_of(const Properties& properties,
                                         const SystemFolders& folders = {});

/// Its PCI address; for a slice of a device that of the whole. Opens nothing. Throws DeviceError.
[[nodiscard]] std::string address_of(int ordinal);

/// Identity, without the compiler, and limits of a device. Throws DeviceError.
[[nodiscard]] gpu::Facts facts_of(int ordinal);

}  // namespace redtune::device::cuda
