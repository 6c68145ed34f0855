// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What the Linux kernel says about a GPU's PCI device. What it hides, as in containers, is empty.
#pragma once

#include <filesystem>
#include <string>

namespace redtune::device::gpu {

/// Where the Linux kernel shows its devices: $REDTUNE_SYSFS, or /sys. Containers that are given the
/// host's own have it elsewhere.
[[nodiscard]] std::filesystem::path sysfs_folder();

/// The first word of a file; empty when there is none.
[[nodiscard]] std::string word_of(const std::filesystem::path& file);

/// The folder of the PCI device ("0000:c1:00.0") below sysfs, see sysfs_folder().
/// Partitions of a device are given function numbers of their own, which the kernel does not know:
/// their device is function 0.
[[nodiscard]] std::filesystem::path pci_folder(const std::string& address,
                                               const std::filesystem::path& sysfs);

/// "vendor:device:subsystem vendor:subsystem device", each four hexadecimal digits.
[[nodiscard]] std::string model_of(const std::filesystem::path& pci_folder);

/// The kernel writes its folders in lower case.
[[nodiscard]] std::string lower_case(std::string text);

}  // namespace redtune::device::gpu
