// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What the kernels of a cubin need: registers, spills and shared memory as the assembler's log
// tells them, code size from the ELF sections.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "device/compiler.hpp"

namespace redtune::device::cuda {

/// By symbol. What cannot be read is left out: resources are told as far as the compiler tells.
[[nodiscard]] std::map<std::string, KernelResources> read_resources(
    std::span<const std::byte> cubin, std::string_view log);

}  // namespace redtune::device::cuda
