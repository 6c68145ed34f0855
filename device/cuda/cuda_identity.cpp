// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Files of the kernel that cannot be read leave their fields empty: a container may hide them.
#include "device/cuda/cuda_identity.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <sstream>

#include "device/cuda/cuda_api.hpp"
#include "device/cuda/cuda_arch.hpp"
#include "device/gpu/sysfs.hpp"

namespace redtune::device::cuda {
namespace {

using gpu::check;
namespace fs = std::filesystem;

/// Version of the kernel module, e.g. "580.159.03": from sysfs, else the first word with two dots
/// of /proc/driver/nvidia/version.
std::string module_version(const SystemFolders& folders) {
  const std::string version = gpu::word_of(folders.sysfs / "module/nvidia/version");
  if (!version.empty()) return version;
  std::ifstream file(folders.procfs / "driver/nvidia/version");
  for (std::string word; file >> word;) {
    const bool is_version = word.find_first_not_of("0123456789.") == std::string::npos;
    if (is_version && std::ranges::count(word, '.') >= 1) return word;
  }
  return {};
}

int attribute(CUdevice_attribute which, CUdevice device) {
  int value = 0;
  check<CudaApi>(driver().DeviceGetAttribute(&value, which, device),
                 "ask for an attribute of a device");
  return value;
}

/// 0 where the driver does not tell: nothing depends on it.
int attribute_if_known(CUdevice_attribute which, CUdevice device) {
  int value = 0;
  return driver().DeviceGetAttribute(&value, which, device) == CUDA_SUCCESS ? value : 0;
}

Properties properties_of(int ordinal) {
  Properties found;
  CUdevice device = 0;
  check<CudaApi>(driver().DeviceGet(&device, ordinal), "find a device");
  std::array<char, 256> text{};
  check<CudaApi>(driver().DeviceGetName(text.data(), static_cast<int>(text.size()) - 1, device),
                 "ask for the name of a device");
  found.name = text.data();
  found.address = address_of(ordinal);
  CUuuid uuid{};
  check<CudaApi>(driver().DeviceGetUuid(&uuid, device), "ask for the UUID of a device");
  std::copy(std::begin(uuid.bytes), std::end(uuid.bytes), found.uuid.begin());
  std::size_t memory = 0;
  check<CudaApi>(driver().DeviceTotalMem(&memory, device), "ask for the memory of a device");
  found.memory_bytes = static_cast<std::int64_t>(memory);
  found.major = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
  found.minor = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
  found.multiprocessors = attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device);
  found.max_threads_per_block = attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, device);
  found.max_shared_bytes =
      attribute_if_known(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, device);
  found.l2_bytes = attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, device);
  found.driver_version = driver_version();
  found.memory_khz = attribute_if_known(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, device);
  found.memory_bits = attribute_if_known(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, device);
  return found;
}

}  // namespace

std::string format_version(int version) {
  // CUDA_VERSION of cuda.h: major * 1000 + minor * 10.
  return fmt::format("{}.{}", version / 1000, version / 10 % 100);
}

std::string mig_profile(std::string_view name) {
  constexpr std::string_view mark = " MIG ";
  const auto at = name.find(mark);
  return at == std::string_view::npos ? std::string() : std::string(name.substr(at + mark.size()));
}

std::string format_uuid(const Properties& properties) {
  std::string text = mig_profile(properties.name).empty() ? "GPU" : "MIG";
  for (std::size_t i = 0; i < properties.uuid.size(); ++i) {
    const bool begins_group = i == 0 || i == 4 || i == 6 || i == 8 || i == 10;
    text += fmt::format("{}{:02x}", begins_group ? "-" : "", properties.uuid[i]);
  }
  return text;
}

std::string address_of(int ordinal) {
  CUdevice device = 0;
  check<CudaApi>(driver().DeviceGet(&device, ordinal), "find a device");
  std::array<char, 64> text{};
  check<CudaApi>(driver().DeviceGetPCIBusId(text.data(), static_cast<int>(text.size()) - 1, device),
                 "ask for the PCI address of a device");
  return gpu::lower_case(text.data());
}

DeviceIdentity identity_of(const Properties& properties, const SystemFolders& folders) {
  DeviceIdentity identity;
  DeviceClass& device = identity.device_class;
  device.platform = "cuda";
  device.isa = arch_name(properties.major, properties.minor);
  device.model = gpu::model_of(gpu::pci_folder(properties.address, folders.sysfs));
  device.partition = mig_profile(properties.name);
  device.compute_units = properties.multiprocessors;
  device.wave_size = warp_size;
  device.last_level_cache_bytes = properties.l2_bytes;
  device.memory_bytes = properties.memory_bytes;
  const std::string cuda = "CUDA " + format_version(properties.driver_version);
  const std::string module = module_version(folders);
  identity.toolchain.driver = module.empty() ? cuda : fmt::format("{}, {}", module, cuda);
  identity.toolchain.runtime = cuda;
  identity.name = properties.name;
  identity.address = properties.address;
  identity.uuid = format_uuid(properties);
  // Two transfers a clock: in kHz times bytes.
  identity.memory_gbps = 2e-6 * properties.memory_khz * (properties.memory_bits / 8);
  return identity;
}

gpu::Facts facts_of(int ordinal) {
  const Properties properties = properties_of(ordinal);
  gpu::Facts facts;
  facts.identity = identity_of(properties);
  facts.limits = limits_of(facts.identity.device_class.isa);
  facts.limits.compute_units = properties.multiprocessors;
  facts.limits.max_block_size =
      std::min(properties.max_threads_per_block, facts.limits.max_block_size);
  facts.limits.max_shared_bytes = std::min(
      facts.limits.max_shared_bytes, std::max(properties.max_shared_bytes, usual_shared_bytes));
  return facts;
}

}  // namespace redtune::device::cuda
