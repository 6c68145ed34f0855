// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Many results are compared where they lie: to bring them to the host takes longer than anything
// else of a trial. The device only tells those that are certainly right from others, and is asked
// for proof that it can; what is wrong with the others is the host's verdict.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "device/device.hpp"
#include "kernel_templates/probe/compare.hpp"
#include "tuner/compile/compile_pool.hpp"
#include "tuner/verify/acceptable.hpp"
#include "tuner/verify/oracle.hpp"

namespace redtune::tuner {

/// From so many on it is worth a kernel.
inline constexpr std::int64_t least_compared_results = std::int64_t{1} << 14;

/// Whether the results of a problem round, so that a device compares them with NearValues.
[[nodiscard]] bool is_compared_as_near(const Problem& problem);
[[nodiscard]] kernels::NearValue near_value(const Near& near);

/// The kernel that compares, for a problem's operator and types.
class ComparisonKernel {
 public:
  /// compiler: for kernels::compare_text(). A problem whose results the host knows in other words,
  /// a compiler that refuses the text, and a device that does, leave it unable.
  ComparisonKernel(device::Device& device, const Problem& problem, const CompilePool& compiler);

  /// What it compiles.
  [[nodiscard]] static CompileUnit unit(const Problem& problem, const Limits& limits);
  [[nodiscard]] bool is_able() const { return kernel_.has_value(); }

 private:
  friend class DeviceComparison;
  /// Bytes of what is expected of a result.
  [[nodiscard]] std::size_t expected_bytes() const;

  device::Device& device_;
  Problem problem_;
  bool rounds_;  // floats that are not elements
  std::unique_ptr<device::Module> module_;
  std::optional<device::Kernel> kernel_;
};

/// What is expected of all results of one input, on the device.
class DeviceComparison {
 public:
  /// Brings it there, if at most half of the free memory is needed, and makes the kernel find wrong
  /// results among right ones. place: of all results, is overwritten. Nothing where any of that
  /// fails: the host is to compare then.
  [[nodiscard]] static std::unique_ptr<const DeviceComparison> make(const ComparisonKernel& kernel,
                                                                    const Expected& expected,
                                                                    const Shape& shape,
                                                                    void* place);

  /// The numbers of the results that are not certainly right, in their order. Nothing when they are
  /// many, or the kernel did not look at all. longest_chain: as Expected takes it. Throws
  /// DeviceError.
  [[nodiscard]] std::optional<std::vector<std::size_t>> uncertain(const void* results,
                                                                  std::int64_t longest_chain) const;

 private:
  DeviceComparison(const ComparisonKernel& kernel, const Shape& shape);
  void bring(const Expected& expected, void* right_results) const;
  [[nodiscard]] bool finds_wrong_results(void* right_results) const;

  const ComparisonKernel& kernel_;
  Shape shape_;
  std::size_t results_;
  device::Buffer expected_;
  device::Buffer report_;
};

}  // namespace redtune::tuner
