// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A bench in a worker process. Whatever a candidate does there is a BenchMishap here.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tuner/worker/bench.hpp"
#include "tuner/worker/device_worker.hpp"

namespace redtune::tuner {

/// What each step of the default took, the longest in microseconds. Benches of one problem share
/// it, so that one whose worker is new knows what is too long.
using DefaultTimes = std::map<std::string, double, std::less<>>;

class RemoteBench final : public Bench {
 public:
  /// Sets a worker up for a problem. Throws as DeviceBench and DeviceWorker.
  RemoteBench(std::shared_ptr<DeviceWorker> worker, const BenchOrder& order,
              const Timeouts& timeouts, std::shared_ptr<DefaultTimes> took);

  void load(CandidateId id, const Candidate& candidate) override;
  void unload(CandidateId id) override;
  [[nodiscard]] std::string why_wrong(CandidateId id) override;
  [[nodiscard]] std::string why_wrong_when_timed(CandidateId id) override;
  [[nodiscard]] std::string why_wrong_when_challenged(CandidateId id) override;
  [[nodiscard]] Sample sample(const BatchOrder& order) override;
  [[nodiscard]] device::BatchTime empty_batch() override;
  [[nodiscard]] Floor floor(CandidateId like) override;
  [[nodiscard]] std::size_t free_memory() override;

 private:
  using Clock = std::chrono::steady_clock;

  /// One step of a trial, with the time it may take.
  [[nodiscard]] nlohmann::json step(std::string_view request, CandidateId id,
                                    nlohmann::json document, double expected_us = 0);
  /// What is wrong with a candidate; of one that writes anything its worker is not sure.
  [[nodiscard]] std::string verdict(std::string_view request, CandidateId id);
  [[nodiscard]] std::chrono::milliseconds timeout_for(std::string_view request,
                                                      double expected_us) const;

  std::shared_ptr<DeviceWorker> worker_;
  Timeouts timeouts_;
  std::map<std::shared_ptr<const std::vector<std::byte>>, std::size_t> sent_;  // binaries
  std::optional<CandidateId> default_;
  std::shared_ptr<DefaultTimes> took_us_;
  std::map<CandidateId, double> execution_us_;  // as sampled last
};

}  // namespace redtune::tuner
