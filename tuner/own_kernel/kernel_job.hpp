// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A described kernel as those see it who run and check its configs: typed buffers with what is in
// them at first, launches, and why results are wrong. Buffers are guarded on both sides, and are
// restored before each execution, apart from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "kernel_templates/description/kernel_plan.hpp"
#include "runtime/compiled_unit.hpp"
#include "tuner/own_kernel/compare_elements.hpp"
#include "tuner/verify/guarded_output.hpp"

namespace redtune::tuner {

/// One problem of a description.
struct KernelProblem {
  const kernels::KernelDescription* description = nullptr;
  kernels::SizeValues sizes;
  std::uint64_t seed = 1;  ///< of random fills
};

/// A config that can run.
struct LoadedKernels {
  search::Point config;
  kernels::KernelPlan plan;
  std::shared_ptr<const device::Module> module;
  std::vector<device::Kernel> launches;
  std::vector<device::Kernel> references;  ///< of the default only
};

/// The instantiations that a config needs. Those of references are for the default.
enum class WithReferences { no, yes };
[[nodiscard]] runtime::CompileUnit unit_of(const kernels::KernelPlan& plan,
                                           WithReferences references);

class KernelJob {
 public:
  /// The device and the description must outlive it. Throws UsageError for a scalar that its type
  /// does not hold.
  KernelJob(device::Device& device, KernelProblem problem);

  [[nodiscard]] kernels::KernelPlan plan(const search::Point& config) const;
  /// Throws DeviceError, UsageError.
  [[nodiscard]] LoadedKernels load(const search::Point& config, const runtime::CompiledUnit& unit,
                                   WithReferences references) const;

  /// Runs the default on each input, and remembers what other configs are compared with. Empty when
  /// it can be: it writes its outputs, all of them, the same each time, and as references say. Else
  /// one line. Throws OutOfMemory, DeviceError, UsageError.
  [[nodiscard]] std::string why_no_default(const LoadedKernels& loaded);
  /// Runs a config on each input, and on the first one once more. Empty when all results are right,
  /// else one line. After why_no_default().
  [[nodiscard]] std::string why_wrong(const LoadedKernels& loaded);

  /// What is in buffers before an execution on the first input; what the launches of an execution
  /// are. For whoever times them.
  void restore(const LoadedKernels& loaded);
  [[nodiscard]] std::vector<device::Launch> launches(const LoadedKernels& loaded) const;

  /// Executions on different inputs that a config is checked by.
  [[nodiscard]] std::size_t inputs() const { return inputs_; }

 private:
  using Bytes = std::vector<std::byte>;
  using Results = std::map<std::size_t, Bytes>;  // by the argument

  /// A buffer of the description, as large as some config has it.
  struct Memory {
    std::int64_t elements = -1;
    std::unique_ptr<GuardedOutput> place;
    device::Buffer pristine;  // of what kernels may change: its contents at first
    Bytes initial;            // likewise, of each buffer
    std::size_t input = 0;    // that the contents are of
  };
  struct Execution {
    Results results;
    std::set<std::size_t> changed;  // outputs that are not what they were
    std::string why_wrong;          // beside the outputs
  };
  enum class Kernels { of_config, of_reference };

  [[nodiscard]] const kernels::KernelDescription& description() const {
    return *problem_.description;
  }
  void provide(const LoadedKernels& loaded, std::size_t input);
  void restore_all(const LoadedKernels& loaded, std::size_t input, Poison poison);
  [[nodiscard]] device::Launch launch_of(const kernels::PlannedLaunch& planned,
                                         const device::Kernel& kernel,
                                         const kernels::KernelPlan& plan) const;
  [[nodiscard]] Execution execute(const LoadedKernels& loaded, std::size_t input, Poison poison,
                                  const std::vector<device::Launch>& launches);
  [[nodiscard]] std::string why_touched(std::size_t argument);
  [[nodiscard]] std::string why_different(const Results& expected, const Results& got,
                                          Poison poison) const;
  [[nodiscard]] std::string why_not_written(const Execution& one, const Execution& other) const;
  [[nodiscard]] std::string why_unchanged(const std::vector<Execution>& executions) const;
  /// Replaces what the default gave by what references give.
  [[nodiscard]] std::string learn_references(const LoadedKernels& loaded, std::size_t input,
                                             Results& expected);
  /// "out: ..., on the second input".
  [[nodiscard]] std::string with_input(const std::string& why, std::size_t input) const;

  device::Device& device_;
  KernelProblem problem_;
  std::size_t inputs_;
  std::vector<Memory> memory_;     // of each argument
  std::vector<Results> expected_;  // of each input
};

}  // namespace redtune::tuner
