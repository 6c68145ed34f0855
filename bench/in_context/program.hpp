// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A made-up program around a reduction: its kernels, its memory, and the patterns of kernels in
// which programs have a reduction.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.hpp"
#include "redtune/problem.hpp"
#include "tuner/compile/compile_pool.hpp"
#include "tuner/verify/guarded_output.hpp"
#include "tuner/verify/input.hpp"

namespace redtune::bench {

/// How a program queues its steps.
enum class Queueing { graph, by_host };

/// What stands around the reduction in each step.
struct Pattern {
  std::string_view name;
  Queueing queueing = Queueing::graph;
  std::vector<device::Launch> before;
  std::vector<device::Launch> after;
};

/// Its kernels on a device of these limits, as name expressions for a run-time compiler.
[[nodiscard]] std::vector<std::string> program_kernels(const Limits& limits);

class Program {
 public:
  /// Takes memory for three arrays as large as the input. compiler: for any text. Throws
  /// OutOfMemory, DeviceError.
  Program(device::Device& device, const tuner::CompilePool& compiler, const Problem& problem,
          const tuner::Recipe& recipe);

  /// Made of the recipe; the patterns write the same again.
  [[nodiscard]] const void* input() const { return input_.data(); }
  /// Where the reduction writes its result, and the patterns read it.
  [[nodiscard]] tuner::GuardedOutput& output() { return output_; }

  [[nodiscard]] const std::vector<Pattern>& patterns() const { return patterns_; }

 private:
  void load(const tuner::CompilePool& compiler);
  void fill(const tuner::CompilePool& compiler, const Problem& problem,
            const tuner::Recipe& recipe);
  void make_patterns();

  device::Device& device_;
  std::size_t bytes_;  // of the input, in whole vectors
  std::unique_ptr<device::Module> module_;
  std::vector<device::Kernel> kernels_;
  device::Buffer input_;
  device::Buffer source_;  // what the input is computed from
  device::Buffer scaled_;
  device::Buffer matrices_;
  tuner::GuardedOutput output_;
  std::vector<Pattern> patterns_;
};

/// What one step of a pattern takes.
struct StepTime {
  double step_us = 0;  ///< with all kernels
  /// Of the reduction alone, where a launch is over when it returns and it can be timed by itself.
  std::optional<double> own_us;
};

using Reductions = std::vector<std::vector<device::Launch>>;

/// Batches of a pattern's steps, with a reduction or without.
class StepTimer {
 public:
  /// reductions: the launches of one, for each place that the steps go through
  /// (tuner/verify/places.hpp); none: the pattern's other kernels alone. Throws DeviceError.
  StepTimer(device::Device& device, const Pattern& pattern, Reductions reductions,
            std::size_t steps);

  /// One batch. Throws DeviceError.
  [[nodiscard]] StepTime time();

 private:
  [[nodiscard]] StepTime time_in_steps();
  [[nodiscard]] const std::vector<device::Launch>& reduction(std::size_t step) const;

  device::Device& device_;
  const Pattern& pattern_;
  Reductions reductions_;
  std::size_t steps_;
  std::vector<device::Launch> launches_;  // of all steps, where the host queues them
  std::unique_ptr<device::Batch> batch_;
};

}  // namespace redtune::bench
