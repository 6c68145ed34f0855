// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Finalists on inputs made to find mistakes, at every count where a config changes its ways, from
// aligned addresses and others. A few milliseconds each: too much for every trial.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "device/device.hpp"
#include "tuner/verify/adversary.hpp"
#include "tuner/verify/custom_reference.hpp"
#include "tuner/verify/guarded_output.hpp"
#include "tuner/verify/reference.hpp"
#include "tuner/verify/runnable.hpp"

namespace redtune::tuner {

class Challenge {
 public:
  /// problem: of which only the count is of no account. custom: for Op::custom.
  Challenge(device::Device& device, const Problem& problem, const OperatorProgram* custom);

  /// What is wrong with the first result that is; empty for a config that is always right. Throws
  /// DeviceError.
  [[nodiscard]] std::string why_wrong(const Runnable& candidate);

 private:
  [[nodiscard]] std::string why_wrong_on(const Runnable& candidate, const Problem& problem,
                                         const Adversary& adversary);
  /// Of an input of so many elements on the device.
  [[nodiscard]] const CustomReference& custom_reference_of(const Adversary& adversary,
                                                           const void* in, std::int64_t count);
  void place(std::span<const std::byte> input, std::size_t offset);

  device::Device& device_;
  Problem problem_;
  GuardedOutput output_;
  device::Buffer memory_;  // as large as the largest input so far, and its surroundings
  const OperatorProgram* custom_;
  std::map<std::pair<Adversary, std::int64_t>, Reference> references_;
  std::map<std::pair<Adversary, std::int64_t>, CustomReference> custom_references_;
};

}  // namespace redtune::tuner
