// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// From a question to a valid configuration: look up, check again, or fall back to the family's
// default.
#pragma once

#include <memory>

#include "cache/lookup.hpp"
#include "device/registry.hpp"
#include "kernel_templates/family.hpp"
#include "redtune/find_best.hpp"

namespace redtune::runtime {

/// The platforms of this process, opened once.
[[nodiscard]] const device::Registry& registry();

/// The family that serves an operator.
[[nodiscard]] const kernels::Family& family_of(const Problem& problem);

/// Limits of a device that need not be here: those of its architecture, with its own compute units.
[[nodiscard]] Limits limits_of(const DeviceIdentity& identity);

/// What resolving found, with the cache's own account of it.
struct Resolution {
  Answer answer;
  cache::Answer details;
};

[[nodiscard]] Resolution resolve(const Problem& problem, const DeviceIdentity& device,
                                 const Limits& limits, const LookupOptions& options);

}  // namespace redtune::runtime
