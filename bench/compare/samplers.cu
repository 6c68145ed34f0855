// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <limits>
#include <vector>

#include "bench/compare/samplers.cuh"
#include "bench/compare/statistics.hpp"
#include "redtune/error.hpp"

namespace redtune::compare {
namespace {

using Clock = std::chrono::steady_clock;

double microseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

/// What stands around an execution in a mode, and the execution; none: what the others do alone.
class Step {
 public:
  Step(Mode mode, Contestant* contestant, const Track& track)
      : mode_(mode), contestant_(contestant), track_(track) {}

  [[nodiscard]] const Track& track() const { return track_; }
  [[nodiscard]] bool waits() const {
    return contestant_ != nullptr && contestant_->returns() == Returns::with_the_value;
  }
  void queue(const Turn& turn) const {
    const void* const in = track_.inputs().at(turn);
    if (mode_ == Mode::behind) {
      track_.neighbours().producer(in, track_.inputs().bytes());
    } else if (mode_ != Mode::row) {
      track_.neighbours().small_kernel();
    }
    if (contestant_ != nullptr) contestant_->reduce(in, turn);
    if (mode_ != Mode::row) track_.neighbours().consumer();
  }

 private:
  Mode mode_;
  Contestant* contestant_;
  const Track& track_;
};

void queue_all(const Step& step, int steps) {
  Turn turn{.executions = static_cast<std::size_t>(steps)};
  for (; turn.i < turn.executions; ++turn.i) step.queue(turn);
}

/// Steps captured into a graph.
Executable capture(const Step& step, int steps) {
  const gpuStream_t stream = step.track().stream();
  gpuGraph_t captured = nullptr;
  check(gpuStreamBeginCapture(stream, gpuStreamCaptureModeGlobal), "begin to capture a graph");
  try {
    queue_all(step, steps);
  } catch (const Error&) {  // the stream takes no other work before its capture has ended
    if (gpuStreamEndCapture(stream, &captured) == gpuSuccess) Graph abandoned(captured);
    throw;
  }
  check(gpuStreamEndCapture(stream, &captured), "capture a graph");
  const Graph graph(captured);
  gpuGraphExec_t executable = nullptr;
  check(instantiate(&executable, captured), "make a graph ready to run");
  return Executable(executable);
}

class GraphSampler final : public Sampler {
 public:
  GraphSampler(const Step& step, int steps)
      : track_(step.track()), steps_(steps), executable_(capture(step, steps)) {}

  /// The second of two replays: graphs of others may have taken its place on the device, and the
  /// first brings it back.
  [[nodiscard]] Sample take() override {
    replay();
    return track_.time([this] { replay(); }, steps_);
  }

 private:
  void replay() const {
    check(gpuGraphLaunch(executable_.get(), track_.stream()), "launch a graph");
  }

  const Track& track_;
  int steps_;
  Executable executable_;
};

class StreamSampler final : public Sampler {
 public:
  StreamSampler(const Step& step, int steps) : step_(step), steps_(steps) {}

  [[nodiscard]] Sample take() override {
    const Sample sample = step_.track().time([this] { queue_all(step_, steps_); }, steps_);
    // Between two events on the stream of one who waits lies the host's work, too.
    if (!step_.waits()) return sample;
    return {.us = sample.host_us, .host_us = sample.host_us};
  }

 private:
  Step step_;
  int steps_;
};

std::unique_ptr<Sampler> make_sampler(const Step& step, Mode mode, int steps) {
  if (mode == Mode::stream) return std::make_unique<StreamSampler>(step, steps);
  return std::make_unique<GraphSampler>(step, steps);
}

/// What is left of the steps without what the others take alone: the median of the last few times
/// of theirs, taken in turn, since a device's speed moves and one may be disturbed.
class OwnShare final : public Sampler {
 public:
  OwnShare(Mode mode, Contestant& contestant, const Track& track, int steps)
      : whole_(make_sampler(Step(mode, &contestant, track), mode, steps)),
        others_(make_sampler(Step(mode, nullptr, track), mode, steps)) {}

  [[nodiscard]] Sample take() override {
    do {
      alone_.push_back(others_->take());
    } while (alone_.size() < most_alone);
    if (alone_.size() > most_alone) alone_.pop_front();
    // Last, so that the value of this execution stays.
    const Sample whole = whole_->take();
    return {.us = whole.us - median_alone(&Sample::us),
            .host_us = whole.host_us - median_alone(&Sample::host_us)};
  }

 private:
  static constexpr std::size_t most_alone = 5;
  [[nodiscard]] double median_alone(double Sample::*member) const {
    std::vector<double> values;
    for (const Sample& sample : alone_) values.push_back(sample.*member);
    return median_of(values).median;
  }

  std::unique_ptr<Sampler> whole_;
  std::unique_ptr<Sampler> others_;
  std::deque<Sample> alone_;
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
  return mode == Mode::stream ? Length{2000, 10, 1000}
                              : Length{1000, 4, static_cast<int>(most_copies)};
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
  if (mode == Mode::row) {
    return std::make_unique<GraphSampler>(Step(mode, &contestant, track), executions);
  }
  return std::make_unique<OwnShare>(mode, contestant, track, executions);
}

int executions_for(Mode mode, const std::vector<Contestant*>& contestants, const Track& track) {
  double fastest = std::numeric_limits<double>::infinity();
  for (Contestant* contestant : contestants) {
    const Step step(mode, contestant, track);
    double us = roughly(StreamSampler(step, 4));
    // What the host can queue no faster a graph can run faster.
    if (mode != Mode::stream && us < 100) us = roughly(GraphSampler(step, 32));
    fastest = std::min(fastest, us);
  }
  const Length length = length_of(mode, contestants.front()->returns());
  const double wanted = std::ceil(length.us / std::max(fastest, 1e-3));
  return static_cast<int>(std::clamp<double>(wanted, length.least, length.most));
}

}  // namespace redtune::compare
