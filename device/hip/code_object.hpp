// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What the kernels of an AMD code object need, read from its ELF notes and symbols; needs no GPU.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "device/compiler.hpp"

namespace redtune::device::hip {

/// An argument that the text declares, in the block of memory that a launch hands over.
struct KernelParameter {
  int offset = 0;  ///< bytes
  int bytes = 0;

  bool operator==(const KernelParameter&) const = default;
};

struct KernelNotes {
  KernelResources resources;
  std::optional<int> wave_size;
  std::optional<int> max_block_size;        ///< threads
  std::vector<KernelParameter> parameters;  ///< without those that the compiler adds
  std::vector<HiddenArgument> hidden;       ///< those
};

/// Of the code object, as its ELF header numbers them: 2 for version 4 of code objects, 4 for 6.
/// Throws as read_code_object().
[[nodiscard]] int abi_version_of(std::span<const std::byte> binary);

/// The kernels by symbol. Throws DeviceError when the bytes are no complete AMD code object.
[[nodiscard]] std::map<std::string, KernelNotes> read_code_object(
    std::span<const std::byte> binary);

}  // namespace redtune::device::hip
