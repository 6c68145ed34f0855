// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Ways to time many executions of a contestant: its own share between other kernels, as a
// replayed graph or launch after launch on a stream, or a replayed row of nothing else.
#pragma once

#include <functional>
#include <memory>

#include "bench/compare/contestants.cuh"
#include "bench/compare/inputs.cuh"
#include "bench/compare/neighbours.cuh"

namespace redtune::compare {

/// Microseconds of one execution, on average over the sample.
struct Sample {
  double us = 0;
  double host_us = 0;  ///< by the host's clock, until the last one has run
};

/// The stream, a pair of events on it, the input, and the other kernels.
class Track {
 public:
  Track(Inputs& inputs, Neighbours& neighbours, gpuStream_t stream)
      : inputs_(inputs),
        neighbours_(neighbours),
        stream_(stream),
        begin_(make_event()),
        end_(make_event()) {}

  [[nodiscard]] Inputs& inputs() const { return inputs_; }
  [[nodiscard]] Neighbours& neighbours() const { return neighbours_; }
  [[nodiscard]] gpuStream_t stream() const { return stream_; }

  /// Evicts the input where that is asked for, waits until the device is idle, then times what
  /// the work queues.
  [[nodiscard]] Sample time(const std::function<void()>& work, int executions) const;

 private:
  Inputs& inputs_;
  Neighbours& neighbours_;
  gpuStream_t stream_;
  Event begin_;
  Event end_;
};

class Sampler {
 public:
  Sampler() = default;
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;
  virtual ~Sampler() = default;
  [[nodiscard]] virtual Sample take() = 0;
};

/// The mode, and for a contestant who waits the host's clock, decide how. The contestant and the
/// track must outlive the sampler.
[[nodiscard]] std::unique_ptr<Sampler> make_sampler(Mode mode, Contestant& contestant,
                                                    const Track& track, int executions);

/// How many executions a sample of these contestants needs to be long enough: the same number for
/// all, by the fastest.
[[nodiscard]] int executions_for(Mode mode, const std::vector<Contestant*>& contestants,
                                 const Track& track);

}  // namespace redtune::compare
