// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What the kernel's driver says about a GPU and HIP does not: the topology of the KFD in sysfs.
// Layout: Documentation/ABI of the Linux kernel and drivers/gpu/drm/amd/amdkfd/kfd_topology.c.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace redtune::device::hip {

struct KfdNode {
  std::optional<int> dies;  ///< compute dies of this device or partition; told from Linux 6.5 on
  std::optional<std::int64_t> last_level_cache_bytes;  ///< behind the L2; told where there is one
};

/// The node of a PCI address ("0000:c1:00.0"), or of function 0 for a partition that has none of
/// its own. Empty where the kernel does not tell; sysfs is "/sys" outside tests.
[[nodiscard]] KfdNode kfd_node(const std::string& address, const std::filesystem::path& sysfs);

}  // namespace redtune::device::hip
