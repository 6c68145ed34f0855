// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A kernel that a command line names by its file, with the sizes it names.
#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/names.hpp"
#include "device/device.hpp"
#include "kernel_templates/description/described_family.hpp"
#include "tuner/workload/workload.hpp"

namespace redtune::cli {

/// The file of a kernel that stands in the place of an operator, a type and a count; empty: none
/// does. Throws UsageError where others are named as well, or --size stands alone.
[[nodiscard]] std::string kernel_file(const Options& options);

/// Of one problem: the first value of each size, or what --size says of it. Throws UsageError.
[[nodiscard]] kernels::SizeValues sizes_asked(const Options& options,
                                              const kernels::KernelDescription& description);

/// The problem of --size, on a device of these limits. Throws UsageError.
[[nodiscard]] Problem kernel_problem_of(const Options& options, std::string_view platform,
                                        const Limits& limits);

/// All problems of a description's sizes, where --size names no others. Throws UsageError.
[[nodiscard]] Workload kernel_workload(const Options& options, std::string_view platform,
                                       const Limits& limits);

}  // namespace redtune::cli
