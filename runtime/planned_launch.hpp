// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// From what a description plans to what a device is asked for.
#pragma once

#include <cstdint>

#include "device/device.hpp"
#include "kernel_templates/description/kernel_plan.hpp"

namespace redtune::runtime {

/// Throws UsageError for a kernel of more arguments than a launch has.
void require_few_arguments(const kernels::KernelDescription& description);

/// A launch without its arguments.
[[nodiscard]] device::Launch launch_of(const kernels::PlannedLaunch& planned,
                                       const device::Kernel& kernel);

/// A number that the description gives, in the first bytes. whole: as a plan has it. Throws
/// UsageError where its type does not hold it.
[[nodiscard]] std::uint64_t scalar_bits(const kernels::KernelArgument& argument,
                                        std::int64_t whole);

/// Lets a kernel have the shared memory that a planned launch of it asks for. Throws DeviceError.
void allow_shared(const device::Module& module, const device::Kernel& kernel,
                  const kernels::PlannedLaunch& planned);

}  // namespace redtune::runtime
