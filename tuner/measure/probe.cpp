// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/measure/probe.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "kernel_templates/probe/probe.hpp"
#include "redtune/error.hpp"
#include "tuner/measure/plausible.hpp"
#include "tuner/measure/probe_buffer.hpp"
#include "tuner/measure/statistics.hpp"
#include "tuner/measure/untrustworthy.hpp"

namespace redtune::tuner {
namespace {

using Clock = std::chrono::steady_clock;
using kernels::ProbeKind;
using kernels::ProbeShape;

/// How much is spent on one figure.
struct Effort {
  std::size_t shapes;
  std::size_t samples;
  double batch_us;
  double seconds;  ///< then what there is must do: at least one shape and three samples
};

Effort effort_of(ProbeLevel level) {
  if (level == ProbeLevel::quick) return {3, 5, 3000, 0.2};
  return {8, 9, 10000, 1.0};
}

constexpr std::size_t least_probe_samples = 3;
constexpr std::size_t most_probe_launches = 16384;
constexpr int most_probe_attempts = 3;
/// A shape whose first sample takes so many times the best median has lost.
constexpr double hopeless = 1.3;

/// Launches that the host queues one by one, as a batch.
class StreamBatch final : public device::Batch {
 public:
  StreamBatch(device::Device& device, std::vector<device::Launch> launches)
      : device_(device), launches_(std::move(launches)) {}
  [[nodiscard]] device::BatchTime time() override { return device_.time(launches_); }

 private:
  device::Device& device_;
  std::vector<device::Launch> launches_;
};

std::vector<ProbeShape> shapes_of(ProbeKind kind, ProbeLevel level, const Limits& limits) {
  auto shapes = kernels::probe_shapes(kind, limits);
  shapes.resize(std::min(shapes.size(), effort_of(level).shapes));
  return shapes;
}

class ProbeKernels {
 public:
  ProbeKernels(device::Device& device, const CompilePool& compiler, ProbeLevel level)
      : limits_(device.limits()), level_(level) {
    const CompileUnit names = probe_unit(level, limits_);
    const auto results = compiler.with_text(kernels::probe_text()).compile({&names, 1});
    if (const auto* failure = std::get_if<device::CompileFailure>(&results[0])) {
      throw DeviceError(fmt::format("the probe's kernels do not compile:\n{}", failure->log));
    }
    if (const auto* crash = std::get_if<CompileCrash>(&results[0])) throw DeviceError(crash->why);
    const auto& unit = std::get<CompiledUnit>(results[0]);
    module_ = device.load(*unit.binary);
    for (std::size_t i = 0; i < names.size(); ++i) {
      kernels_[names[i]] = module_->kernel(unit.kernels[i].symbol);
    }
  }

  [[nodiscard]] std::vector<ProbeShape> shapes(ProbeKind kind) const {
    return shapes_of(kind, level_, limits_);
  }
  [[nodiscard]] device::Kernel kernel(ProbeKind kind, const ProbeShape& shape) const {
    return kernels_.at(kernels::probe_name(kind, shape, limits_));
  }
  [[nodiscard]] device::Kernel empty() const {
    return kernels_.at(kernels::empty_probe_name(limits_));
  }

 private:
  Limits limits_;
  ProbeLevel level_;
  std::unique_ptr<device::Module> module_;
  std::map<std::string, device::Kernel> kernels_;  // by the name expression
};

enum class Queue { graph, stream };

class Prober {
 public:
  Prober(device::Device& device, const CompilePool& compiler, ProbeLevel level)
      : device_(device),
        effort_(effort_of(level)),
        level_(level),
        kernels_(device, compiler, level),
        buffer_(device, level) {}

  Probe run() {
    Probe probe;
    probe.read = best_of(ProbeKind::read, buffer_.bytes(), 1);
    if (const std::int64_t bytes = buffer_.cached_bytes(); bytes > 0) {
      // As much is read in one launch as there is buffer, so that launching costs nothing.
      const std::int64_t passes = std::clamp<std::int64_t>(buffer_.bytes() / bytes, 1, 1 << 16);
      probe.cached_read = best_of(ProbeKind::cached_read, bytes, static_cast<int>(passes));
    }
    if (level_ == ProbeLevel::full) {
      probe.copy = best_of(ProbeKind::copy, buffer_.bytes(), 1);
      probe.graph_launch_us = launch_us(Queue::graph);
      probe.stream_launch_us = launch_us(Queue::stream);
    }
    probe.has_own_clock = has_own_clock_;
    return probe;
  }

 private:
  [[nodiscard]] device::Launch launch_of(ProbeKind kind, const ProbeShape& shape,
                                         std::int64_t bytes, int passes) {
    const bool is_copy = kind == ProbeKind::copy;
    const std::int64_t words = bytes / (is_copy ? 8 : 4);
    device::Launch launch{.kernel = kernels_.kernel(kind, shape),
                          .grid = kernels::probe_grid(shape, words, device_.limits()),
                          .block = shape.block_size};
    const std::int32_t chunked = shape.tile_order == kernels::TileOrder::chunked ? 1 : 0;
    launch.arguments.append(buffer_.words());
    launch.arguments.append(words);
    if (is_copy) {
      launch.arguments.append(buffer_.words() + words);
    } else {
      launch.arguments.append(buffer_.sums_of(launch.grid * launch.block));
      launch.arguments.append(std::int32_t{passes});
    }
    launch.arguments.append(chunked);
    return launch;
  }

  Bandwidth best_of(ProbeKind kind, std::int64_t bytes, int passes) {
    deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                   std::chrono::duration<double>(effort_.seconds));
    Bandwidth best{.bytes = bytes, .passes = passes};
    double best_us = 0;
    for (const ProbeShape& shape : kernels_.shapes(kind)) {
      if (best_us > 0 && Clock::now() > deadline_) break;
      ++best.shapes;
      const auto times = samples(launch_of(kind, shape, bytes, passes), Queue::graph, best_us);
      const double us = median(times);
      if (kind != ProbeKind::copy) buffer_.check_sums(bytes, passes);
      const double kilobytes = static_cast<double>(bytes) * passes / 1e3;
      best.fastest_gbps = std::max(best.fastest_gbps, kilobytes / *std::ranges::min_element(times));
      if (best_us > 0 && us >= best_us) continue;
      best_us = us;
      best.gbps = kilobytes / us;
      best.samples = times.size();
      best.shape = to_string(shape);
    }
    return best;
  }

  double launch_us(Queue queue) {
    deadline_ = Clock::now() + std::chrono::seconds(1);
    const device::Launch nothing{.kernel = kernels_.empty(),
                                 .block = device_.limits().min_block_size};
    return median(samples(nothing, queue, 0));
  }

  [[nodiscard]] std::unique_ptr<device::Batch> batch_of(const device::Launch& launch, Queue queue,
                                                        std::size_t count) {
    std::vector<device::Launch> launches(count, launch);
    if (queue == Queue::graph) return device_.prepare(launches);
    return std::make_unique<StreamBatch>(device_, std::move(launches));
  }

  /// Microseconds of one launch, in batches of as many as fill their time. Just one sample when it
  /// is hopelessly behind the best so far (0: there is none).
  std::vector<double> samples(const device::Launch& launch, Queue queue, double best_us) {
    std::size_t count = 1;
    auto batch = batch_of(launch, queue, count);
    (void)batch->time();  // warm-up
    double us = time(*batch);
    while (us < effort_.batch_us && count < most_probe_launches) {
      const double wanted = std::ceil(1.1 * effort_.batch_us * static_cast<double>(count) / us);
      count = std::clamp(static_cast<std::size_t>(std::min<double>(wanted, most_probe_launches)),
                         count + 1, most_probe_launches);
      batch = batch_of(launch, queue, count);
      (void)batch->time();
      us = time(*batch);
    }
    std::vector<double> times{us / static_cast<double>(count)};
    if (best_us > 0 && times[0] > hopeless * best_us) return times;
    while (times.size() < effort_.samples &&
           (times.size() < least_probe_samples || Clock::now() < deadline_)) {
      times.push_back(time(*batch) / static_cast<double>(count));
    }
    return times;
  }

  double time(device::Batch& batch) {
    std::string why;
    for (int attempt = 0; attempt < most_probe_attempts; ++attempt) {
      const device::BatchTime time = batch.time();
      why = why_implausible(time);
      if (!why.empty()) continue;
      has_own_clock_ = has_own_clock_ || time.device_us != time.host_us;
      return time.device_us;
    }
    throw ImplausibleSample(fmt::format("{} cannot be measured: {}", device_.identity().name, why));
  }

  device::Device& device_;
  Effort effort_;
  ProbeLevel level_;
  ProbeKernels kernels_;
  ProbeBuffer buffer_;          // after the kernels: without them it need not be filled
  Clock::time_point deadline_;  // of the figure at work
  bool has_own_clock_ = false;
};

}  // namespace

CompileUnit probe_unit(ProbeLevel level, const Limits& limits) {
  std::set<std::string> distinct{kernels::empty_probe_name(limits)};
  std::vector kinds{ProbeKind::read, ProbeKind::cached_read};
  if (level == ProbeLevel::full) kinds.push_back(ProbeKind::copy);
  for (const ProbeKind kind : kinds) {
    for (const ProbeShape& shape : shapes_of(kind, level, limits)) {
      distinct.insert(kernels::probe_name(kind, shape, limits));
    }
  }
  return {distinct.begin(), distinct.end()};
}

Probe probe(device::Device& device, const CompilePool& compiler, ProbeLevel level) {
  const auto begin = Clock::now();
  Probe found = Prober(device, compiler, level).run();
  found.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return found;
}

}  // namespace redtune::tuner
