// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A device set up for one problem: what can be done there with a config. Implemented in the process
// that owns the device (device_bench.hpp) and by a worker process that can die of it
// (remote_bench.hpp).
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "redtune/error.hpp"
#include "redtune/settings.hpp"
#include "tuner/compile/compile_pool.hpp"
#include "tuner/measure/sampler.hpp"
#include "tuner/measure/terms.hpp"

namespace redtune::tuner {

/// What a candidate did to the device, or to the process that owns it.
enum class Mishap {
  refused,        ///< a launch was not taken; the device works on
  out_of_memory,  ///< the device's
  fault,          ///< the device does nothing any more for this process
  stale_fault,    ///< the same, found before this candidate ran: an earlier one did it
  died,           ///< the process ended
  hung,           ///< no answer within its time; the process was killed
  unreapable,     ///< killed, and does not end: the device is stuck in its driver
  not_ready,      ///< no bench can be had, before any candidate came to it
};

/// Whether the bench can still be used.
[[nodiscard]] constexpr bool is_survived(Mishap mishap) {
  return mishap == Mishap::refused || mishap == Mishap::out_of_memory;
}

class BenchMishap : public DeviceError {
 public:
  BenchMishap(Mishap mishap, const std::string& what) : DeviceError(what), mishap_(mishap) {}
  [[nodiscard]] Mishap mishap() const { return mishap_; }

 private:
  Mishap mishap_;
};

/// A config with its kernels.
struct Candidate {
  Settings settings;
  CompiledUnit unit;
  /// The default, which is also used to read all copies of the input where a cold replay needs it.
  bool is_default = false;
};

/// Every call may throw BenchMishap; after one that is not survived there are no more calls.
class Bench {
 public:
  virtual ~Bench() = default;
  /// Makes a candidate ready to run, under a number of the caller's.
  virtual void load(CandidateId id, const Candidate& candidate) = 0;
  virtual void unload(CandidateId id) = 0;
  /// Runs it once on each of the problem's two inputs: what is wrong with a result; empty: nothing.
  [[nodiscard]] virtual std::string why_wrong(CandidateId id) = 0;
  /// What is wrong with the output of what was timed last, a batch of this candidate.
  [[nodiscard]] virtual std::string why_wrong_when_timed(CandidateId id) = 0;
  /// Runs it on inputs made to find mistakes.
  [[nodiscard]] virtual std::string why_wrong_when_challenged(CandidateId id) = 0;
  [[nodiscard]] virtual Sample sample(const BatchOrder& order) = 0;
  [[nodiscard]] virtual device::BatchTime empty_batch() = 0;
  /// What no config is faster than, tried in the shape of a loaded one as well; a bench that cannot
  /// tell does not know.
  [[nodiscard]] virtual Floor floor(CandidateId) { return {}; }
  /// Bytes of the device's memory that are free.
  [[nodiscard]] virtual std::size_t free_memory() = 0;
};

}  // namespace redtune::tuner
