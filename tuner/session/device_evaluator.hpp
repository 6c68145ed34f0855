// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Evaluates configs on a device of this process: compile, verify on two inputs, measure.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "kernel_templates/family.hpp"
#include "runtime/loaded_config.hpp"
#include "search/rng.hpp"
#include "tuner/measure/batch_timer.hpp"
#include "tuner/measure/input_slots.hpp"
#include "tuner/verify/challenge.hpp"
#include "tuner/session/evaluator.hpp"
#include "tuner/verify/custom_reference.hpp"
#include "tuner/verify/guarded_output.hpp"
#include "tuner/verify/reference.hpp"
#include "tuner/worker/compile_pool.hpp"

namespace redtune::tuner {

struct Bench {
  device::Device* device = nullptr;
  const kernels::Family* family = nullptr;
  Problem problem;
  std::uint64_t seed = 0;        ///< of the input data and the order of the final's rounds
  double peak_bytes_per_us = 0;  ///< fastest read of this device, 0 when unknown
  const OperatorProgram* custom = nullptr;  ///< for Op::custom; outlives the evaluator
};

class DeviceEvaluator final : public Evaluator {
 public:
  /// Fills the inputs and computes their exact answers. Throws OutOfMemory.
  DeviceEvaluator(const Bench& bench, CompilePool compiler);

  [[nodiscard]] std::vector<Evaluation> evaluate(std::span<const search::Point> points) override;
  [[nodiscard]] std::vector<std::optional<Outcome>> challenge(
      std::span<const search::Point> points) override;
  [[nodiscard]] Rounds time_rounds(std::span<const search::Point> points,
                                   std::size_t rounds) override;
  [[nodiscard]] std::vector<double> stream_times(std::span<const search::Point> points) override;

 private:
  /// An input with its known answer.
  struct Check {
    std::int64_t offset = 0;  ///< elements skipped at the start of the input
    Problem problem;          ///< with the count that is left
    Reference reference;
    CustomReference custom;  ///< instead, for Op::custom
  };

  [[nodiscard]] SlotContent input() const;
  void compile(std::span<const search::Point> points, std::vector<Evaluation>& evaluations);
  [[nodiscard]] Runnable runnable(const search::Point& point);
  [[nodiscard]] std::vector<Runnable> runnables(std::span<const search::Point> points);
  [[nodiscard]] Outcome judge(const search::Point& point);
  void set_reference(Check& check);
  /// What is wrong with the output that was read.
  [[nodiscard]] std::string why_wrong_output(const Check& check, const Runnable& candidate) const;
  [[nodiscard]] std::string why_wrong_on(const Check& check, const Runnable& candidate);
  /// candidate: any config, to measure with what queueing a launch costs.
  [[nodiscard]] Stage stage(const Runnable& candidate);
  [[nodiscard]] Outcome measure(const Runnable& candidate);
  [[nodiscard]] std::string names_of(const search::Point& point) const;

  Bench bench_;
  CompilePool compiler_;
  Recipe recipe_;
  std::vector<Check> checks_;  // the first is the problem itself
  InputSlots slots_;
  GuardedOutput output_;
  std::optional<Challenge> challenge_;                              // made when it is first needed
  std::map<std::string, UnitResult> compiled_;                      // by the name expressions
  std::map<const void*, std::shared_ptr<device::Module>> modules_;  // by the binary
  std::optional<Runnable> sweeper_;                                 // the default config
  std::optional<double> further_launch_us_;
  double fastest_us_ = 0;  // of all configs so far; 0: none yet
  search::Rng random_;
};

}  // namespace redtune::tuner
