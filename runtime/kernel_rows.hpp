// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Compiled kernels as JSON rows, wherever they are written: on disk, or for another process.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "device/compiler.hpp"

namespace redtune::runtime {

[[nodiscard]] nlohmann::json encode_kernels(const std::vector<device::CompiledKernel>& kernels);
/// Throws nlohmann::json::exception for what encode_kernels did not make.
[[nodiscard]] std::vector<device::CompiledKernel> decode_kernels(const nlohmann::json& rows);

}  // namespace redtune::runtime
