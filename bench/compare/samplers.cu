// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "bench/compare/samplers.cuh"
#include "redtune/error.hpp"

namespace redtune::compare {
namespace {

using Clock = std::chrono::steady_clock;

double microseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

/// Launches captured into a graph.
Executable capture(Contestant& contestant, const Track& track, int executions) {
  gpuGraph_t captured = nullptr;
  check(gpuStreamBeginCapture(track.stream(), gpuStreamCaptureModeGlobal),
        "begin to capture a graph");
  try {
    for (int i = 0; i < executions; ++i) contestant.reduce(track.inputs().next());
  } catch (const Error&) {  // the stream takes no other work before its capture has ended
    if (gpuStreamEndCapture(track.stream(), &captured) == gpuSuccess) Graph abandoned(captured);
    throw;
  }
  check(gpuStreamEndCapture(track.stream(), &captured), "capture a graph");
  const Graph graph(captured);
  gpuGraphExec_t executable = nullptr;
  check(instantiate(&executable, captured), "make a graph ready to run");
  return Executable(executable);
}

class GraphSampler final : public Sampler {
 public:
  GraphSampler(Contestant& contestant, const Track& track, int executions)
      : track_(track),
        executions_(executions),
        executable_(capture(contestant, track, executions)) {}

  [[nodiscard]] Sample take() override {
    return track_.time(
        [this] { check(gpuGraphLaunch(executable_.get(), track_.stream()), "launch a graph"); },
        executions_);
  }

 private:
  const Track& track_;
  int executions_;
  Executable executable_;
};

class StreamSampler final : public Sampler {
 public:
  StreamSampler(Contestant& contestant, const Track& track, int executions)
      : contestant_(contestant), track_(track), executions_(executions) {}

  [[nodiscard]] Sample take() override {
    const Sample sample = track_.time(
        [this] {
          for (int i = 0; i < executions_; ++i) contestant_.reduce(track_.inputs().next());
        },
        executions_);
    // Between two events on the stream of one who waits lies the host's work, too.
    if (contestant_.returns() == Returns::at_once) return sample;
    return {.us = sample.host_us, .host_us = sample.host_us};
  }

 private:
  Contestant& contestant_;
  const Track& track_;
  int executions_;
};

/// How long a sample shall be, and how few and how many executions it may have.
struct Length {
  double us;
  int least;
  int most;
};

/// A graph of most executions of the shortest reductions lasts 1 ms; the resolution of an event is
/// half a microsecond. A stream needs enough launches to be limited by what limits an application.
Length length_of(Mode mode, Returns returns) {
  if (returns == Returns::with_the_value) return {2000, 3, 200};
  return mode == Mode::graph ? Length{1000, 4, static_cast<int>(most_copies)}
                             : Length{2000, 10, 1000};
}

/// A first idea of how long one execution takes, after one sample that is not counted.
double roughly(Sampler&& sampler) {
  (void)sampler.take();
  return sampler.take().us;
}

}  // namespace

Sample Track::time(const std::function<void()>& work, int executions) const {
  inputs_.evict();
  check(gpuStreamSynchronize(stream_), "finish what was queued");
  const auto before = Clock::now();
  check(gpuEventRecord(begin_.get(), stream_), "record the start of a sample");
  work();
  check(gpuEventRecord(end_.get(), stream_), "record the end of a sample");
  check(gpuEventSynchronize(end_.get()), "finish a sample");
  const double host_us = microseconds_since(before);
  float milliseconds = 0;
  check(gpuEventElapsedTime(&milliseconds, begin_.get(), end_.get()), "read the time of a sample");
  return {.us = static_cast<double>(milliseconds) * 1e3 / executions,
          .host_us = host_us / executions};
}

std::unique_ptr<Sampler> make_sampler(Mode mode, Contestant& contestant, const Track& track,
                                      int executions) {
  if (mode == Mode::graph) return std::make_unique<GraphSampler>(contestant, track, executions);
  return std::make_unique<StreamSampler>(contestant, track, executions);
}

int executions_for(Mode mode, const std::vector<Contestant*>& contestants, const Track& track) {
  double fastest = std::numeric_limits<double>::infinity();
  for (Contestant* contestant : contestants) {
    double us = roughly(StreamSampler(*contestant, track, 4));
    // What the host can queue no faster a graph can run faster.
    if (mode == Mode::graph && us < 100) us = roughly(GraphSampler(*contestant, track, 32));
    fastest = std::min(fastest, us);
  }
  const Length length = length_of(mode, contestants.front()->returns());
  const double wanted = std::ceil(length.us / std::max(fastest, 1e-3));
  return static_cast<int>(std::clamp<double>(wanted, length.least, length.most));
}

}  // namespace redtune::compare
