// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// From configs to configs that are loaded on a device.
#pragma once

#include <span>
#include <variant>
#include <vector>

#include "device/platform.hpp"
#include "runtime/loaded_config.hpp"

namespace redtune::runtime {

using LoadConfigResult = std::variant<LoadedConfig, device::CompileFailure>;

/// Loads configs of one family for one problem, whatever its count; what nobody compiled before is
/// compiled in one program. One result for each, in order.
[[nodiscard]] std::vector<LoadConfigResult> load_configs(const device::Platform& platform,
                                                         device::Device& device,
                                                         std::vector<ConfigChoice> choices);

/// Likewise for one. Throws DeviceError with the compiler's log, UsageError where a custom operator
/// is what does not compile.
[[nodiscard]] LoadedConfig load_config(const device::Platform& platform, device::Device& device,
                                       ConfigChoice choice);

/// What load_config throws.
[[noreturn]] void throw_failure(const Problem& problem, const device::CompileFailure& failure);

}  // namespace redtune::runtime
