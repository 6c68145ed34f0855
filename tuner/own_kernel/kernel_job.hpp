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
#include <span>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "kernel_templates/description/kernel_plan.hpp"
#include "runtime/compiled_unit.hpp"
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

using kernels::WithReferences;

/// Where each buffer that kernels only read lies in a copy of all of them.
struct InputLayout {
  std::vector<std::size_t> offsets;  ///< of each argument; of no account for others
  std::size_t bytes = 0;             ///< of a copy
};

class KernelJob {
 public:
  /// The device, the description and the caretaker must outlive it. caretaker: spares copies to the
  /// host; null: everything is brought there. Throws UsageError for a scalar that its type does not
  /// hold.
  KernelJob(device::Device& device, KernelProblem problem, Caretaker* caretaker = nullptr);

  [[nodiscard]] kernels::KernelPlan plan(const search::Point& config) const;
  /// Throws DeviceError, UsageError.
  [[nodiscard]] LoadedKernels load(const search::Point& config, const runtime::CompiledUnit& unit,
                                   WithReferences references) const;
  /// Likewise, with the unit's module loaded.
  [[nodiscard]] LoadedKernels load(const search::Point& config, const runtime::CompiledUnit& unit,
                                   std::shared_ptr<const device::Module> module,
                                   WithReferences references) const;

  /// Runs the default on each input, and remembers what other configs are compared with. Empty when
  /// it can be: it writes its outputs, all of them, the same each time, and as references say. Else
  /// one line. Throws OutOfMemory, DeviceError, UsageError.
  [[nodiscard]] std::string why_no_default(const LoadedKernels& loaded);
  /// Runs a config on each input, and on the first one once more. Empty when all results are right,
  /// else one line. After why_no_default().
  [[nodiscard]] std::string why_wrong(const LoadedKernels& loaded);
  /// Runs a config on inputs that no search saw, or on the first one again and again where none of
  /// them is random: what is wrong with what it gives. After why_no_default().
  [[nodiscard]] std::string why_wrong_on_others(const LoadedKernels& the_default,
                                                const LoadedKernels& loaded);
  /// What is wrong with what lies in outputs now, after a config has run on the first input.
  [[nodiscard]] std::string why_wrong_now(const LoadedKernels& loaded);

  /// What is in buffers before an execution on the first input; what the launches of an execution
  /// are. For whoever times them.
  void restore(const LoadedKernels& loaded);
  /// inputs: a copy of all inputs as input_layout() has it; null: those that are checked.
  [[nodiscard]] std::vector<device::Launch> launches(const LoadedKernels& loaded,
                                                     const void* inputs = nullptr) const;
  /// What brings back, before each further execution, what the one before has changed. After
  /// restore(); with a caretaker.
  [[nodiscard]] std::vector<device::Launch> restorations() const;
  [[nodiscard]] InputLayout input_layout() const;
  /// Writes the first input to copies. After restore().
  void write_inputs(std::span<std::byte* const> copies) const;
  /// An output's address; null where there is none.
  [[nodiscard]] const void* first_output() const;
  /// Counts how often buffers have moved: launches of before then are of no use.
  [[nodiscard]] std::size_t generation() const { return generation_; }

  /// Executions on different inputs that a config is checked by.
  [[nodiscard]] std::size_t inputs() const { return inputs_; }

 private:
  using Bytes = std::vector<std::byte>;
  using Results = std::map<std::size_t, Bytes>;  // by the argument

  /// What an input has in a buffer.
  struct Contents {
    Bytes initial;
    std::unique_ptr<GuardedOutput> place;  // where kernels only read it
    device::Buffer pristine;               // of what they may change
    std::optional<std::uint64_t> checksum = {};
  };
  /// A buffer of the description, as large as any config so far has it.
  struct Memory {
    std::int64_t capacity = -1;              // elements
    std::unique_ptr<GuardedOutput> place;    // of what kernels may change
    std::map<std::size_t, Contents> inputs;  // one alone where all are the same
  };
  struct Expected {
    Results results;
    std::map<std::size_t, device::Buffer> copies;  // of results, on the device
  };

  [[nodiscard]] const kernels::KernelDescription& description() const {
    return *problem_.description;
  }
  [[nodiscard]] const Contents& contents(std::size_t argument, std::size_t input) const;
  [[nodiscard]] const GuardedOutput& place(std::size_t argument, std::size_t input) const;
  [[nodiscard]] std::size_t bytes(const LoadedKernels& loaded, std::size_t argument) const;
  void provide(const LoadedKernels& loaded, std::size_t input);
  void fill_in(std::size_t argument, std::size_t input);
  void forget_buffers();
  void restore_all(const LoadedKernels& loaded, std::size_t input, Poison poison);
  [[nodiscard]] device::Launch launch_of(const kernels::PlannedLaunch& planned,
                                         const device::Kernel& kernel,
                                         const kernels::KernelPlan& plan, std::size_t input,
                                         const void* inputs) const;
  [[nodiscard]] std::vector<device::Launch> launches_on(const LoadedKernels& loaded,
                                                        std::size_t input) const;
  /// Runs launches; what they did beside the outputs.
  [[nodiscard]] std::string run(const LoadedKernels& loaded, std::size_t input, Poison poison,
                                const std::vector<device::Launch>& launches);
  [[nodiscard]] std::string why_touched(const LoadedKernels& loaded, std::size_t input);
  [[nodiscard]] std::string why_input_changed(std::size_t argument, std::size_t input) const;
  [[nodiscard]] Bytes result(const LoadedKernels& loaded, std::size_t output) const;
  [[nodiscard]] Results results(const LoadedKernels& loaded) const;
  /// Brings what is expected of an output to the device, where it has room.
  void place_expected(Expected& expected, std::size_t output);
  /// Of what lies in outputs now.
  [[nodiscard]] std::string why_different(const LoadedKernels& loaded, const Expected& expected,
                                          Poison poison);
  [[nodiscard]] std::string why_not_written(const Results& one, const Results& other) const;
  /// changed: outputs that some execution of the default changed.
  [[nodiscard]] std::string why_unchanged(const std::set<std::size_t>& changed) const;
  /// Replaces what the default gave by what references give.
  [[nodiscard]] std::string learn_other(const LoadedKernels& the_default, std::size_t input);
  [[nodiscard]] std::string learn_references(const LoadedKernels& loaded, std::size_t input,
                                             Expected& expected);
  [[nodiscard]] std::string why_no_default_on(const LoadedKernels& loaded, std::size_t input,
                                              std::set<std::size_t>& changed);
  /// "out: ..., on the second input".
  [[nodiscard]] std::string with_input(const std::string& why, std::size_t input) const;

  device::Device& device_;
  KernelProblem problem_;
  Caretaker* caretaker_;
  std::size_t inputs_;
  std::vector<Memory> memory_;                 // of each argument
  std::vector<Expected> expected_;             // of each input
  std::map<std::size_t, Expected> of_others_;  // likewise of inputs that configs see last
  std::size_t generation_ = 0;
};

}  // namespace redtune::tuner
