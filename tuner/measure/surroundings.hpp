// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The other kernels between which executions are timed (docs/explanation/measurement.md): what
// they are for a problem, and what they take without the executions.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <vector>

#include "device/device.hpp"
#include "kernel_templates/probe/surroundings.hpp"
#include "redtune/problem.hpp"
#include "tuner/compile/compile_pool.hpp"
#include "tuner/measure/sampler.hpp"
#include "tuner/verify/places.hpp"

namespace redtune::tuner {

/// What executions of a problem stand between.
struct Neighbourhood {
  std::size_t input_bytes = 0;
  CacheMode cache_mode = CacheMode::cold;
  std::vector<const void*> results;  ///< the places they go through; 4 bytes at least
  /// What makes memory what it was before each execution, where one changes what the next begins
  /// with: no part of what is measured.
  std::vector<device::Launch> restorations = {};
};

/// The kernels on a device, and what keeps them loaded.
struct SurroundingKernels {
  std::map<kernels::SurroundingKernel, device::Kernel> kernels;
  std::vector<std::unique_ptr<device::Module>> modules;
};

/// All kernels of kernels::surroundings_text().
[[nodiscard]] std::vector<CompileUnit> surrounding_units(const Limits& limits);
/// compiler: for any text. Throws DeviceError.
[[nodiscard]] SurroundingKernels load_surroundings(device::Device& device,
                                                   const CompilePool& compiler);

class Surroundings {
 public:
  /// Throws OutOfMemory, DeviceError.
  Surroundings(device::Device& device, SurroundingKernels kernels, const Neighbourhood& around);

  /// A kernel that is nobody's reduction.
  [[nodiscard]] const device::Launch& small_kernel() const { return small_; }
  /// Those in which the problem is measured. A cold input was not just written.
  [[nodiscard]] const std::vector<Surrounding>& all() const { return all_; }
  /// Appends what stands before an execution that reads this input.
  void append_before(std::vector<device::Launch>& launches, Surrounding surrounding,
                     const void* input) const;
  /// Appends what stands behind an execution, and reads its result.
  void append_after(std::vector<device::Launch>& launches, Surrounding surrounding,
                    const Turn& turn) const;
  /// Whether nothing stands around an execution.
  [[nodiscard]] bool are_empty(Surrounding surrounding) const {
    return surrounding == Surrounding::itself && restorations_.empty();
  }
  /// Where the input is cold and batches are graphs: reads memory that is nobody's, so that caches
  /// keep nothing else, and waits for it. Throws DeviceError.
  void sweep() const;

 private:
  [[nodiscard]] device::Launch launch_of(kernels::SurroundingKernel kernel,
                                         std::int64_t words) const;

  device::Device& device_;
  std::int64_t words_;  // of the input
  std::vector<Surrounding> all_;
  std::vector<device::Launch> restorations_;
  SurroundingKernels kernels_;
  device::Buffer own_;      // of the small kernel and of the consumer
  device::Buffer nobodys_;  // twice the last-level cache, or as much as memory has; none elsewhere
  device::Launch small_;
  std::vector<device::Launch> after_;  // for each place of a result
};

}  // namespace redtune::tuner
