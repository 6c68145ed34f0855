// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What the kernels of an AMD code object need, read from its ELF notes and symbols; needs no GPU.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "device/compiler.hpp"

namespace redtune::device::hip {

struct KernelNotes {
  KernelResources resources;
  std::optional<int> wave_size;
};

/// The kernels by symbol. Throws DeviceError when the bytes are no complete AMD code object.
[[nodiscard]] std::map<std::string, KernelNotes> read_code_object(
    std::span<const std::byte> binary);

}  // namespace redtune::device::hip
