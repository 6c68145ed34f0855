// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Fictional AMD GPUs: what the HIP runtime for tests tells about each. The sizes are those of
// products with the architecture, so that everything that is derived from them is as it will be.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace redtune::testing::hip {

struct FictionalDevice {
  std::string_view key;   ///< by which REDTUNE_TEST_HIP chooses it
  std::string_view name;  ///< as HIP tells it
  std::string_view isa;
  int compute_units;  ///< as HIP counts them: pairs of them from gfx10 on
  int dies;           ///< with compute units, of this device alone
  int wave_size;
  int memory_gib;
  int l2_mib;
  int last_level_cache_mib;    ///< what redtune makes of it
  std::string_view address;    ///< of the PCI device; a partition has a function of its own
  std::string_view partition;  ///< of computing, as the kernel tells it; empty: none
  std::string_view memory_partition;
  std::string_view pci_device;  ///< the device's number among AMD's, hexadecimal
};

inline constexpr std::array<FictionalDevice, 7> fictional_devices{{
    {"gfx90a", "Fictional gfx90a", "gfx90a:sramecc+:xnack-", 104, 1, 64, 64, 8, 8, "0000:c1:00.0",
     "", "", "0x740f"},
    {"gfx942:SPX", "Fictional gfx942 (SPX)", "gfx942:sramecc+:xnack-", 304, 8, 64, 192, 4, 256,
     "0000:c2:00.0", "SPX", "NPS1", "0x74a1"},
    {"gfx942:CPX", "Fictional gfx942 (CPX)", "gfx942:sramecc+:xnack-", 38, 1, 64, 24, 4, 256,
     "0000:c3:00.3", "CPX", "NPS4", "0x74a1"},
    {"gfx1100", "Fictional gfx1100", "gfx1100", 48, 1, 32, 24, 6, 96, "0000:c4:00.0", "", "",
     "0x744c"},
    {"gfx1201", "Fictional gfx1201", "gfx1201", 32, 1, 32, 16, 8, 64, "0000:c5:00.0", "", "",
     "0x7550"},
    {"gfx906", "Fictional gfx906", "gfx906:sramecc+:xnack-", 60, 1, 64, 16, 4, 4, "0000:c6:00.0",
     "", "", "0x66a1"},
    {"gfx1030", "Fictional gfx1030", "gfx1030", 36, 1, 32, 16, 4, 128, "0000:c7:00.0", "", "",
     "0x73bf"},
}};

/// What a block can have of each.
inline constexpr unsigned shared_bytes_of_block = 64 << 10;

/// Null: no such device.
[[nodiscard]] constexpr const FictionalDevice* find_device(std::string_view key) {
  const auto* found = std::ranges::find(fictional_devices, key, &FictionalDevice::key);
  return found == fictional_devices.end() ? nullptr : found;
}

}  // namespace redtune::testing::hip
