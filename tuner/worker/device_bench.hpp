// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A bench on a device of this process: inputs with their known answers, and what is loaded.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "kernel_templates/family/family.hpp"
#include "tuner/measure/batch_timer.hpp"
#include "tuner/measure/input_slots.hpp"
#include "tuner/measure/others_alone.hpp"
#include "tuner/measure/pacer.hpp"
#include "tuner/measure/surroundings.hpp"
#include "tuner/verify/challenge.hpp"
#include "tuner/verify/device_comparison.hpp"
#include "tuner/verify/guarded_output.hpp"
#include "tuner/verify/job.hpp"
#include "tuner/worker/bench.hpp"
#include "tuner/worker/device_guard.hpp"

namespace redtune::tuner {

struct BenchSetup {
  device::Device* device = nullptr;
  const kernels::Family* family = nullptr;
  Problem problem;
  std::uint64_t seed = 0;  ///< of the input data
};

class DeviceBench final : public Bench {
 public:
  /// Fills the inputs and computes their exact answers; of a custom operator, finds out whether it
  /// is one. compiler: for the family's text. Throws OutOfMemory, UsageError.
  DeviceBench(const BenchSetup& setup, const CompilePool& compiler);

  void load(CandidateId id, const Candidate& candidate) override;
  void unload(CandidateId id) override;
  [[nodiscard]] std::string why_wrong(CandidateId id) override;
  [[nodiscard]] std::string why_wrong_when_timed(CandidateId id) override;
  [[nodiscard]] std::string why_wrong_when_challenged(CandidateId id) override;
  [[nodiscard]] Sample sample(const BatchOrder& order) override;
  [[nodiscard]] device::BatchTime empty_batch() override;
  [[nodiscard]] Floor floor(CandidateId like) override;
  [[nodiscard]] std::size_t free_memory() override;
  /// For whoever times something else on the device.
  [[nodiscard]] TwoStreams& two_streams() { return two_streams_; }

 private:
  /// A part of the input with what is expected of it.
  struct Check {
    InputPart part;
    std::unique_ptr<const Expected> expected;
    std::unique_ptr<const DeviceComparison> comparison;  ///< of many results, where it can be made

    [[nodiscard]] bool has_many_results() const {
      return results_of(part.shape) >= least_compared_results;
    }
  };
  /// A candidate that can run, and batches by their executions: the two sizes used last.
  struct Loaded {
    Runnable runnable;
    std::deque<BatchTimer> timers;
    std::deque<BatchTimer> displaced;  ///< of the part off the alignment
    std::vector<Turn> timed;           ///< the first ones of the batch of all timed last
  };
  [[nodiscard]] BatchTimer& timer_of(Loaded& loaded, const BatchOrder& order);

  [[nodiscard]] SlotContent input(const CompilePool& compiler) const;
  void write_offsets(std::span<std::byte* const> places) const;
  /// Of a part of the first copy of the input.
  [[nodiscard]] const void* begin_of(const InputPart& part) const;
  [[nodiscard]] std::vector<Check> make_checks() const;
  [[nodiscard]] Loaded& loaded(CandidateId id);
  void compare_on_device(const CompilePool& compiler);
  /// Brings outputs to the host, unless they are many results; what was written beside them.
  [[nodiscard]] std::string read_outputs(const Check& check);
  /// What is wrong with the output at this place, once outputs are read.
  [[nodiscard]] std::string why_wrong_output(const Check& check, const Runnable& candidate,
                                             std::size_t place = 0);
  /// The numbers of the results there that the host has to look at; nothing for all.
  [[nodiscard]] std::optional<std::vector<std::size_t>> asked_of_host(
      const Check& check, std::size_t place, std::int64_t longest_chain) const;
  [[nodiscard]] std::string why_wrong_on(const Check& check, const Runnable& candidate);
  [[nodiscard]] Stage stage();

  BenchSetup setup_;
  CompilePool compiler_;
  DeviceGuard guard_;
  Job job_;
  InputSlots slots_;
  std::optional<ComparisonKernel> comparison_kernel_;  // where there are many results
  std::vector<Check> checks_;                          // the first is of all of the input
  GuardedOutput output_;
  Surroundings surroundings_;
  TwoStreams two_streams_;
  OthersAlone others_;
  Pacer pacer_;
  std::optional<Challenge> challenge_;  // made when it is first needed
  std::map<CandidateId, Loaded> loaded_;
  std::optional<double> further_launch_us_;
};

}  // namespace redtune::tuner
