// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The default of a described kernel, compiled, run and checked: whether there is anything to tune.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "device/device.hpp"
#include "kernel_templates/description/kernel_text.hpp"
#include "tuner/compile/compile_pool.hpp"
#include "tuner/own_kernel/kernel_job.hpp"

namespace redtune::tuner {

struct CheckedKernel {
  kernels::KernelPlan plan;            ///< of the default
  double combinations = 0;             ///< of the tunables' values
  std::optional<std::size_t> configs;  ///< that may run; nothing where they are too many to count
  std::size_t inputs = 1;
  double time_us = 0;  ///< of one execution of the default
};

/// Compiles in a process of its own and runs in this one. Throws UsageError where the description
/// is at fault, and Error where the kernel is: that it does not compile, stops, or is wrong.
[[nodiscard]] CheckedKernel check_kernel(device::Device& device, const KernelProblem& problem,
                                         const CompilePool& compiler, kernels::KernelWords words);

/// The first line of a compiler's log that tells of an error; the log's first line where none does.
[[nodiscard]] std::string first_error(const std::string& log);

}  // namespace redtune::tuner
