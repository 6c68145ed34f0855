// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// From configs to configs that are loaded on a device.
#pragma once

#include <span>
#include <variant>
#include <vector>

#include "device/platform.hpp"
#include "redtune/find_best.hpp"
#include "runtime/loaded_config.hpp"

namespace redtune::runtime {

using LoadConfigResult = std::variant<LoadedConfig, device::CompileFailure>;

/// Loads configs of one family for one problem, each by the kernels of its own count; what nobody
/// compiled before is compiled in one program. One result for each, in order.
[[nodiscard]] std::vector<LoadConfigResult> load_configs(const device::Platform& platform,
                                                         device::Device& device,
                                                         std::vector<ConfigChoice> choices);

/// Likewise for one. Throws DeviceError with the compiler's log, UsageError where a custom operator
/// is what does not compile.
[[nodiscard]] LoadedConfig load_config(const device::Platform& platform, device::Device& device,
                                       ConfigChoice choice);

/// What was found for launches of a family, and the settings in their place should they not run.
struct FoundConfig {
  const kernels::Family* family = nullptr;
  Answer answer;
  Settings otherwise;
};
/// What runs, and how it was found.
struct LoadedAnswer {
  Answer answer;
  LoadedConfig config;
};
/// Loads what was found; where that cannot run as a config of the family, or does not compile, the
/// other settings, and then the answer says why. Throws as load_config() does where these do not
/// compile.
[[nodiscard]] LoadedAnswer load_found(const device::Platform& platform, device::Device& device,
                                      FoundConfig found);

/// An answer with settings in the place of stored ones that the compiler refuses.
[[nodiscard]] Answer without_refused(const Answer& stored, Settings settings,
                                     const device::CompileFailure& failure);

/// What load_config throws.
[[noreturn]] void throw_failure(const Problem& problem, const device::CompileFailure& failure);

}  // namespace redtune::runtime
