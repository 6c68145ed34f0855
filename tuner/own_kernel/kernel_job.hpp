// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A described kernel as those see it who run and check its configs: what is expected of each, and
// why its results are wrong.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "kernel_templates/description/kernel_plan.hpp"
#include "runtime/compiled_unit.hpp"
#include "tuner/own_kernel/kernel_buffers.hpp"

namespace redtune::tuner {

using kernels::WithReferences;

class KernelJob {
 public:
  /// The device, the description and the caretaker must outlive it. caretaker: spares copies to the
  /// host; null: everything is brought there. Throws UsageError for a scalar that its type does not
  /// hold.
  KernelJob(device::Device& device, KernelProblem problem, Caretaker* caretaker = nullptr);

  // What is expected of it lies beside what it gave.
  KernelJob(const KernelJob&) = delete;
  KernelJob& operator=(const KernelJob&) = delete;

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

  /// For whoever times executions on the first input. After why_no_default().
  [[nodiscard]] KernelBuffers& buffers() { return buffers_; }
  [[nodiscard]] const KernelBuffers& buffers() const { return buffers_; }
  /// An output's address; null where there is none.
  [[nodiscard]] const void* first_output() const;

  /// Executions on different inputs that a config is checked by.
  [[nodiscard]] std::size_t inputs() const { return buffers_.inputs(); }

 private:
  using Bytes = KernelBuffers::Bytes;
  using Results = std::map<std::size_t, Bytes>;  // by the argument

  struct Expected {
    Results results;
    std::map<std::size_t, device::Buffer> copies;  // of results, on the device
  };

  [[nodiscard]] const kernels::KernelDescription& description() const {
    return *problem_.description;
  }
  /// Runs launches; what they did beside the outputs.
  [[nodiscard]] std::string run(const LoadedKernels& loaded, std::size_t input, Poison poison,
                                const std::vector<device::Launch>& launches);
  [[nodiscard]] Results results(const LoadedKernels& loaded) const;
  /// Brings what is expected of an output to the device, where it has room.
  void place_expected(Expected& expected, std::size_t output);
  /// Of what lies in outputs now.
  [[nodiscard]] std::string why_different(const LoadedKernels& loaded, const Expected& expected,
                                          Poison poison);
  [[nodiscard]] std::string why_not_written(const Results& one, const Results& other) const;
  /// changed: outputs that some execution of the default changed.
  [[nodiscard]] std::string why_unchanged(const std::set<std::size_t>& changed) const;
  [[nodiscard]] std::string learn_other(const LoadedKernels& the_default, std::size_t input);
  /// Replaces what the default gave by what references give, where that is near enough.
  [[nodiscard]] std::string learn_references(const LoadedKernels& loaded, std::size_t input,
                                             Expected& expected);
  [[nodiscard]] std::string why_no_default_on(const LoadedKernels& loaded, std::size_t input,
                                              std::set<std::size_t>& changed);
  /// "out: ..., on the second input".
  [[nodiscard]] std::string with_input(const std::string& why, std::size_t input) const;

  device::Device& device_;
  KernelProblem problem_;
  Caretaker* caretaker_;
  KernelBuffers buffers_;
  std::vector<Expected> expected_;             // of each input
  std::map<std::size_t, Expected> of_others_;  // likewise of inputs that configs see last
};

}  // namespace redtune::tuner
