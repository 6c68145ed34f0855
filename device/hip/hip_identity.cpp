// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Files of the kernel that cannot be read leave their fields empty: a container may hide them.
#include "device/hip/hip_identity.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "device/gpu/build_id.hpp"
#include "device/gpu/sysfs.hpp"
#include "device/hip/hip_api.hpp"
#include "device/hip/hip_arch.hpp"
#include "device/hip/kfd_topology.hpp"

namespace redtune::device::hip {
namespace {

using gpu::check;
using gpu::word_of;
namespace fs = std::filesystem;

/// "SPX/NPS1" on devices that can be partitioned.
std::string partition_of(const fs::path& folder) {
  const std::string compute = word_of(folder / "current_compute_partition");
  const std::string memory = word_of(folder / "current_memory_partition");
  return compute.empty() || memory.empty() ? compute + memory : compute + "/" + memory;
}

/// HIP's own driver version is the one of its library; the kernel module's is told beside it.
std::string driver_version(const fs::path& sysfs) {
  int version = 0;
  const std::string library =
      hipDriverGetVersion(&version) == hipSuccess ? format_version(version) : "unknown";
  const std::string module = word_of(sysfs / "module/amdgpu/version");
  return module.empty() ? library : fmt::format("{}, amdgpu {}", library, module);
}

}  // namespace

std::string address_of(int ordinal) {
  std::array<char, 64> text{};
  check<HipApi>(hipDeviceGetPCIBusId(text.data(), static_cast<int>(text.size()) - 1, ordinal),
                "ask for the PCI address of a device");
  return gpu::lower_case(text.data());
}

std::string format_version(int version) {
  // HIP_VERSION of hip_version.h: major * 10^7 + minor * 10^5 + patch.
  return fmt::format("{}.{}.{}", version / 10'000'000, version / 100'000 % 100, version % 100'000);
}

std::string runtime_version() {
  int version = 0;
  return hipRuntimeGetVersion(&version) == hipSuccess ? format_version(version) : "unknown";
}

std::string runtime_name() {
  const std::string id = gpu::build_id_of(reinterpret_cast<const void*>(&hipRuntimeGetVersion));
  return fmt::format("HIP {} ({})", runtime_version(), id.empty() ? "no build id" : id);
}

DeviceIdentity identity_of(const hipDeviceProp_t& properties, const std::string& address,
                           const fs::path& sysfs) {
  const fs::path folder = gpu::pci_folder(address, sysfs);
  DeviceIdentity identity;
  DeviceClass& device = identity.device_class;
  device.platform = "hip";
  device.isa = properties.gcnArchName;
  device.model = gpu::model_of(folder);
  device.partition = partition_of(folder);
  device.compute_units = properties.multiProcessorCount;
  device.wave_size = properties.warpSize;
  const KfdNode node = kfd_node(address, sysfs);
  const std::int64_t l2_bytes = properties.l2CacheSize;
  device.last_level_cache_bytes = node.last_level_cache_bytes
                                      ? std::max(l2_bytes, *node.last_level_cache_bytes)
                                      : last_level_cache_bytes(device.isa, l2_bytes);
  device.memory_bytes = static_cast<std::int64_t>(properties.totalGlobalMem);
  identity.toolchain.driver = driver_version(sysfs);
  identity.toolchain.runtime = runtime_name();
  identity.name = properties.name;
  identity.address = address;
  identity.dies = node.dies.value_or(dies_of(device.isa, device.compute_units));
  identity.memory_gbps = 1e-6 * transfers_per_clock(device.isa) * properties.memoryClockRate *
                         (properties.memoryBusWidth / 8);  // kHz times bytes
  return identity;
}

gpu::Facts facts_of(int ordinal) {
  hipDeviceProp_t properties{};
  check<HipApi>(hipGetDeviceProperties(&properties, ordinal), "ask for the properties of a device");
  gpu::Facts facts;
  facts.identity = identity_of(properties, address_of(ordinal), gpu::sysfs_folder());
  facts.limits = limits_of(facts.identity.device_class.isa);
  facts.limits.compute_units = properties.multiProcessorCount;
  facts.limits.wave_size = properties.warpSize;
  facts.limits.max_block_size =
      std::min(properties.maxThreadsPerBlock, facts.limits.max_block_size);
  return facts;
}

}  // namespace redtune::device::hip
