// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A custom operator's check kernels, compiled and loaded: how it is asked what it does.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "device/device.hpp"
#include "kernel_templates/family/family.hpp"
#include "kernel_templates/reduce/custom_operator.hpp"
#include "redtune/problem.hpp"
#include "tuner/compile/compile_pool.hpp"

namespace redtune::tuner {

/// The unit of a result. Throws what a failure means: UsageError, in the words of
/// explain_operator_log(), where it is the operator's; else DeviceError.
[[nodiscard]] const CompiledUnit& require_compiled(const Problem& problem,
                                                   const UnitResult& result);

class OperatorProgram {
 public:
  /// Compiles the check kernels together with the family's default config, so that what is wrong
  /// with the operator's text is known before anything else is done. Throws as require_compiled().
  OperatorProgram(device::Device& device, const kernels::Family& family, const Problem& problem,
                  const CompilePool& compiler);

  [[nodiscard]] const Problem& problem() const { return problem_; }
  [[nodiscard]] device::Device& device() const { return *device_; }

  /// Launches a check kernel and waits. Throws DeviceError.
  void run(kernels::CheckKernel kernel, std::int64_t threads,
           const device::Arguments& arguments) const;

 private:
  device::Device* device_;
  Problem problem_;
  std::unique_ptr<device::Module> module_;
  std::vector<device::Kernel> kernels_;
};

}  // namespace redtune::tuner
