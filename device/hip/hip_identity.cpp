// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Files of the kernel that cannot be read leave their fields empty: a container may hide them.
#include "device/hip/hip_identity.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "device/gpu/build_id.hpp"
#include "device/gpu/sysfs.hpp"
#include "device/hip/hip_api.hpp"
#include "device/hip/hip_arch.hpp"

namespace redtune::device::hip {
namespace {

/// What the kernel's driver says about a GPU and HIP does not: the topology of the KFD in sysfs.
/// Layout: Documentation/ABI of the Linux kernel and drivers/gpu/drm/amd/amdkfd/kfd_topology.c.
struct KfdNode {
  std::optional<int> dies;  ///< compute dies of this device or partition; told from Linux 6.5 on
  std::optional<std::int64_t> last_level_cache_bytes;  ///< behind the L2; told where there is one
};

namespace fs = std::filesystem;

/// "name value" lines; the first of a name counts.
std::map<std::string, std::int64_t> properties_in(const fs::path& file) {
  std::map<std::string, std::int64_t> properties;
  std::ifstream stream(file);
  std::string name;
  std::string text;
  while (stream >> name >> text) {
    std::int64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc{} && stop == end) properties.emplace(name, value);
  }
  return properties;
}

std::optional<std::int64_t> value_of(const std::map<std::string, std::int64_t>& properties,
                                     const std::string& name) {
  const auto found = properties.find(name);
  return found == properties.end() ? std::nullopt : std::optional(found->second);
}

/// A PCI address as the KFD writes it.
struct Location {
  std::int64_t domain = 0;
  std::int64_t id = 0;  ///< bus, device and function: 8, 5 and 3 bits

  bool operator==(const Location&) const = default;
};

std::optional<std::int64_t> hexadecimal(std::string_view digits) {
  std::int64_t value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value, 16);
  return error == std::errc{} && stop == end ? std::optional(value) : std::nullopt;
}

/// Of "0000:c1:00.3".
std::optional<Location> location_of(std::string_view address) {
  if (address.size() != 12 || address[4] != ':' || address[7] != ':' || address[10] != '.') {
    return std::nullopt;
  }
  const auto domain = hexadecimal(address.substr(0, 4));
  const auto bus = hexadecimal(address.substr(5, 2));
  const auto device = hexadecimal(address.substr(8, 2));
  const auto function = hexadecimal(address.substr(11, 1));
  if (!domain || !bus || !device || !function) return std::nullopt;
  return Location{*domain, *bus << 8 | *device << 3 | *function};
}

/// The folder of the node at a location; empty when there is none.
fs::path node_at(const Location& wanted, const fs::path& sysfs) {
  std::error_code hidden;
  for (const auto& entry : fs::directory_iterator(sysfs / "class/kfd/kfd/topology/nodes", hidden)) {
    const auto properties = properties_in(entry.path() / "properties");
    // Processors are nodes as well, without lanes.
    if (value_of(properties, "simd_count").value_or(0) == 0) continue;
    const auto id = value_of(properties, "location_id");
    if (id && Location{value_of(properties, "domain").value_or(0), *id} == wanted) {
      return entry.path();
    }
  }
  return {};
}

/// The largest cache of level 3: each is listed, whoever shares it.
std::optional<std::int64_t> level_3_of(const fs::path& node) {
  constexpr std::int64_t kibi = 1024;
  std::optional<std::int64_t> largest;
  std::error_code hidden;
  for (const auto& entry : fs::directory_iterator(node / "caches", hidden)) {
    const auto properties = properties_in(entry.path() / "properties");
    if (value_of(properties, "level") != 3) continue;
    const std::int64_t size = value_of(properties, "size").value_or(0);
    if (size <= 0 || size > std::numeric_limits<std::int64_t>::max() / kibi) continue;
    largest = std::max(largest.value_or(0), kibi * size);
  }
  return largest;
}

/// The node of a PCI address ("0000:c1:00.0"), or of function 0 for a partition that has none of
/// its own. Empty where the kernel does not tell; sysfs is "/sys" outside tests.
KfdNode kfd_node(const std::string& address, const fs::path& sysfs) {
  auto location = location_of(address);
  if (!location) return {};
  fs::path folder = node_at(*location, sysfs);
  constexpr std::int64_t function_bits = 7;
  if (folder.empty() && (location->id & function_bits) != 0) {
    location->id &= ~function_bits;
    folder = node_at(*location, sysfs);
  }
  if (folder.empty()) return {};
  KfdNode node{.dies = {}, .last_level_cache_bytes = level_3_of(folder)};
  const auto dies = value_of(properties_in(folder / "properties"), "num_xcc");
  if (dies && *dies > 0 && *dies <= 64) node.dies = static_cast<int>(*dies);
  return node;
}

using gpu::check;
using gpu::word_of;

/// "SPX/NPS1" on devices that can be partitioned.
std::string partition_of(const fs::path& folder) {
  const std::string compute = word_of(folder / "current_compute_partition");
  const std::string memory = word_of(folder / "current_memory_partition");
  return compute.empty() || memory.empty() ? compute + memory : compute + "/" + memory;
}

/// As HIP tells it; after an error that loses the device nothing else is asked.
std::string version_by(hipError_t (*ask)(int*), std::string_view doing) {
  int version = 0;
  const hipError_t status = ask(&version);
  if (HipApi::is_lost(status)) gpu::fail<HipApi>(status, doing);
  return status == hipSuccess ? format_version(version) : "unknown";
}

/// HIP's own driver version is the one of its library; the kernel module's is told beside it.
std::string driver_version(const fs::path& sysfs) {
  const std::string library = version_by(hipDriverGetVersion, "ask for the driver's version");
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
  return version_by(hipRuntimeGetVersion, "ask for HIP's version");
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
  facts.limits.max_shared_bytes = static_cast<int>(std::min<std::size_t>(
      properties.sharedMemPerBlock, static_cast<std::size_t>(facts.limits.max_shared_bytes)));
  return facts;
}

}  // namespace redtune::device::hip
