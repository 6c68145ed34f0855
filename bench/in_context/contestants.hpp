// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The configs that are compared: which ones, each proved right, and ready to be timed by the
// tuner's own bench as well as in a program.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "bench/in_context/findings.hpp"
#include "bench/in_context/options.hpp"
#include "kernel_templates/family/family.hpp"
#include "search/rng.hpp"
#include "tuner/measure/batches.hpp"
#include "tuner/worker/device_bench.hpp"

namespace redtune::bench {

/// Where everything happens.
struct Ground {
  device::Device* device = nullptr;
  const kernels::Family* family = nullptr;
  Problem problem;
  const tuner::CompilePool* compiler = nullptr;  ///< for the family's text
};

/// The tuner's bench, in this process.
class BenchSampler final : public tuner::Sampler {
 public:
  explicit BenchSampler(tuner::Bench& bench) : bench_(bench) {}

  [[nodiscard]] tuner::Sample sample(const tuner::BatchOrder& order) override {
    return bench_.sample(order);
  }
  [[nodiscard]] device::BatchTime empty_batch() override { return bench_.empty_batch(); }
  [[nodiscard]] tuner::Seconds now() const override {
    return std::chrono::steady_clock::now().time_since_epoch();
  }
  void wait(tuner::Seconds seconds) override;

 private:
  tuner::Bench& bench_;
};

/// A config that takes part.
struct Contestant {
  Settings settings;
  std::string origin;
  tuner::CandidateId id{};
  tuner::Runnable runnable;  ///< in a program; the tuner's bench has loaded its own
  tuner::Batches score;      ///< batches of protocol 2
  tuner::Batches row;        ///< and of protocol 1
};

class Contestants {
 public:
  /// The default, what is stored, the family's known shapes, and random ones until there are as
  /// many as options say. Those that are wrong, refused, or far slower than another stay out.
  /// Throws DeviceError, also where the default is wrong.
  Contestants(const Ground& ground, const Options& options);
  Contestants(const Contestants&) = delete;
  Contestants& operator=(const Contestants&) = delete;

  [[nodiscard]] std::vector<Contestant>& all() { return all_; }
  [[nodiscard]] const tuner::Calibration& calibration() const { return calibration_; }
  /// As the bench does before each of its batches.
  void keep_two_streams() { bench_.two_streams().keep(); }
  [[nodiscard]] std::size_t left_out_as_slow() const { return slow_; }
  /// For other reasons, a line each.
  [[nodiscard]] const std::vector<std::string>& left_out() const { return left_out_; }

 private:
  struct Proposal {
    Settings settings;
    std::string origin;
  };
  void propose_known(std::vector<Proposal>& proposals, const Options& options);
  [[nodiscard]] std::vector<Proposal> random(const search::Space& space, std::size_t count);
  void add(std::vector<Proposal>& proposals, Proposal proposal);
  void take(const std::vector<Proposal>& proposals);
  void take(const Proposal& proposal, const tuner::UnitResult& result);
  void leave_out(const Proposal& proposal, const std::string& why);
  [[nodiscard]] std::string why_not(tuner::CandidateId id, const tuner::Candidate& candidate);
  [[nodiscard]] tuner::Runnable runnable_of(const tuner::Candidate& candidate) const;
  /// In batches of a common size, as in the tuner's final: what stands around a config takes the
  /// same only in those.
  void align();

  Ground ground_;
  std::size_t wanted_;
  search::Rng rng_;
  tuner::DeviceBench bench_;
  BenchSampler sampler_;
  tuner::MeasureTask task_;
  tuner::Calibration calibration_;
  tuner::ClockGuard guard_;
  std::vector<search::Point> proposed_;
  std::size_t next_id_ = 0;
  double fastest_us_ = 0;
  std::vector<Contestant> all_;
  std::size_t slow_ = 0;
  std::vector<std::string> left_out_;
};

/// Times all configs of a problem by the tuner's scores and in a program, in rounds. Throws
/// DeviceError, OutOfMemory, UntrustworthySession.
[[nodiscard]] ProblemFindings measure(const Ground& ground, const Options& options);

}  // namespace redtune::bench
