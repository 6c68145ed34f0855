// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The buffers of a described kernel: typed, as large as any config so far has them, with what is in
// them at first. They are guarded on both sides, and are restored before each execution, apart from
// it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "kernel_templates/description/kernel_plan.hpp"
#include "tuner/own_kernel/caretaker.hpp"
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

/// Two bytes that outputs are full of before executions: what is there after both was not written.
inline constexpr Poison usual_poison{std::byte{0xa5}};
inline constexpr Poison other_poison{std::byte{0x5a}};

/// Nothing of the problem is in it before an execution.
[[nodiscard]] bool is_poisoned(const kernels::KernelArgument& argument);

/// Where each buffer that kernels only read lies in a copy of all of them.
struct InputLayout {
  std::vector<std::size_t> offsets;  ///< of each argument; of no account for others
  std::size_t bytes = 0;             ///< of a copy
};

/// What launches read: the buffers of an input, or a copy of them as input_layout() has it.
struct ReadFrom {
  std::size_t input = 0;
  const void* copy = nullptr;
};

class KernelBuffers {
 public:
  using Bytes = std::vector<std::byte>;

  /// The device, the problem's description and the caretaker must outlive it. caretaker: spares
  /// copies to the host; null: everything is brought there.
  KernelBuffers(device::Device& device, const KernelProblem& problem, Caretaker* caretaker);
  // Launches and copies know where they are.
  KernelBuffers(const KernelBuffers&) = delete;
  KernelBuffers& operator=(const KernelBuffers&) = delete;

  /// Executions on different inputs that a config is checked by; further ones are for those that no
  /// search may have seen.
  [[nodiscard]] std::size_t inputs() const { return inputs_; }

  /// Makes room for a config, and for an input's contents. Throws OutOfMemory, DeviceError,
  /// UsageError.
  void provide(const LoadedKernels& loaded, std::size_t input);
  /// Likewise; then all is in them as before an execution, and poison where nothing is.
  void restore(const LoadedKernels& loaded, std::size_t input = 0, Poison poison = usual_poison);
  /// Of an execution. After provide().
  [[nodiscard]] std::vector<device::Launch> launches(const LoadedKernels& loaded,
                                                     ReadFrom from = {}) const;
  /// One of them, or one of a reference.
  [[nodiscard]] device::Launch launch(const kernels::PlannedLaunch& planned,
                                      const device::Kernel& kernel, const LoadedKernels& loaded,
                                      ReadFrom from) const;
  /// What brings back, before each further execution on the first input, what the one before has
  /// changed. After restore(); with a caretaker.
  [[nodiscard]] std::vector<device::Launch> restorations() const;
  [[nodiscard]] InputLayout input_layout() const;
  /// Writes the first input to copies. After restore().
  void write_inputs(std::span<std::byte* const> copies) const;

  /// What an execution did beside the outputs: one line, or nothing.
  [[nodiscard]] std::string why_touched(const LoadedKernels& loaded, std::size_t input) const;
  /// What lies in an output now.
  [[nodiscard]] Bytes result(const LoadedKernels& loaded, std::size_t output) const;
  /// What is in a buffer before an execution, up to its capacity. After provide().
  [[nodiscard]] const Bytes& initial(std::size_t argument, std::size_t input) const;
  /// Of a buffer as a config has it.
  [[nodiscard]] std::size_t bytes(const LoadedKernels& loaded, std::size_t argument) const;
  /// Of an output; null where there is no room for it yet.
  [[nodiscard]] const void* address(std::size_t output) const;

  /// Whatever is in them is of no use any more: the next execution gets others.
  void forget();
  /// Counts how often buffers have moved: launches of before then are of no use.
  [[nodiscard]] std::size_t generation() const { return generation_; }

 private:
  /// What an input has in a buffer.
  struct Contents {
    Bytes initial;
    std::unique_ptr<GuardedOutput> place;  // where kernels only read it
    device::Buffer pristine;               // of what they may change
    std::optional<std::uint64_t> checksum = {};
  };
  struct Memory {
    std::int64_t capacity = -1;              // elements
    std::unique_ptr<GuardedOutput> place;    // of what kernels may change
    std::map<std::size_t, Contents> inputs;  // one alone where all are the same
  };

  [[nodiscard]] const Contents& contents(std::size_t argument, std::size_t input) const;
  [[nodiscard]] const GuardedOutput& place(std::size_t argument, std::size_t input) const;
  /// As large as it is.
  [[nodiscard]] std::size_t capacity_bytes(std::size_t argument) const;
  void fill_in(std::size_t argument, std::size_t input);
  void write_constant(const LoadedKernels& loaded, std::size_t argument, std::size_t input);
  [[nodiscard]] std::string why_input_changed(std::size_t argument, std::size_t input) const;

  device::Device& device_;
  const kernels::KernelDescription& description_;
  std::uint64_t seed_;
  Caretaker* caretaker_;
  std::size_t inputs_;
  std::vector<Memory> memory_;  // of each argument
  std::size_t generation_ = 0;
};

}  // namespace redtune::tuner
