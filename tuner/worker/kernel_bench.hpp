// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A bench for a kernel that somebody described, on a device of this process: its buffers, what the
// default gives, and what is loaded.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "kernel_templates/description/described_family.hpp"
#include "tuner/measure/batch_timer.hpp"
#include "tuner/measure/pacer.hpp"
#include "tuner/measure/surroundings.hpp"
#include "tuner/own_kernel/caretaker.hpp"
#include "tuner/own_kernel/kernel_job.hpp"
#include "tuner/worker/bench.hpp"
#include "tuner/worker/device_guard.hpp"

namespace redtune::tuner {

struct KernelBenchSetup {
  device::Device* device = nullptr;
  kernels::DescriptionSource source;
  Problem problem;
  std::uint64_t seed = 0;  ///< of random fills
};

class KernelBench final : public Bench {
 public:
  /// compiler: for any text. Throws OutOfMemory, UsageError.
  KernelBench(KernelBenchSetup setup, const CompilePool& compiler);

  void load(CandidateId id, const Candidate& candidate) override;
  void unload(CandidateId id) override;
  [[nodiscard]] std::string why_wrong(CandidateId id) override;
  [[nodiscard]] std::string why_wrong_when_timed(CandidateId id) override;
  [[nodiscard]] std::string why_wrong_when_challenged(CandidateId id) override;
  [[nodiscard]] Sample sample(const BatchOrder& order) override;
  [[nodiscard]] device::BatchTime empty_batch() override;
  [[nodiscard]] std::size_t free_memory() override;

 private:
  /// What all samples share while buffers stay where they are.
  struct Scenery {
    std::size_t generation = 0;
    InputSlots slots;
    Surroundings surroundings;
    TwoStreams two_streams;
    OthersAlone others;

    Scenery(const KernelBenchSetup& setup, const CompilePool& compiler, const KernelJob& job);
  };
  struct Loaded {
    LoadedKernels kernels;
    std::deque<BatchTimer> timers;  // by executions: the two sizes used last
  };

  [[nodiscard]] Loaded& loaded(CandidateId id);
  /// What is wrong with the default, asked once.
  [[nodiscard]] const std::string& why_no_default();
  /// Buffers are as before an execution of a config, or of one of its batches.
  void make_ready(CandidateId id);
  /// What the host pays for each launch behind the first.
  [[nodiscard]] double further_launch_us(const Loaded& one);
  [[nodiscard]] BatchTimer& timer_of(Loaded& one, std::size_t executions);

  KernelBenchSetup setup_;
  CompilePool compiler_;
  kernels::DescribedFamily family_;
  DeviceGuard guard_;
  Caretaker caretaker_;
  KernelJob job_;
  Pacer pacer_;
  std::map<CandidateId, Loaded> loaded_;
  std::optional<CandidateId> default_;
  std::optional<std::string> why_no_default_;
  std::optional<CandidateId> ready_;  // whose buffers are ready
  std::optional<Scenery> scenery_;
  std::optional<double> further_launch_us_;
};

}  // namespace redtune::tuner
