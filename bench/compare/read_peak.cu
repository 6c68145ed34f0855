// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "bench/compare/gpu.cuh"
#include "bench/compare/measure.cuh"
#include "bench/compare/read_kernels.cuh"
#include "bench/compare/statistics.hpp"
#include "redtune/error.hpp"

namespace redtune::compare {
namespace {

constexpr std::int64_t least_bytes = std::int64_t{2} << 30;
constexpr int launches = 20;  // of a sample: about 10 ms
constexpr int samples = 9;
constexpr int pattern = 0x5a;
constexpr std::uint32_t pattern_word = 0x5a5a5a5a;

class Reading {
 public:
  Reading(const ReadKernel& kernel, std::int64_t bytes, const Memory& buffer)
      : kernel_(kernel), bytes_(bytes), stream_(make_stream()), sums_(nullptr) {
    int units = 0;
    check(gpuDeviceGetAttribute(&units, gpuDevAttrMultiProcessorCount, 0),
          "ask how many multiprocessors there are");
    const std::int64_t tiles = bytes / 4 / kernel.tile_words;
    const std::int64_t wanted = std::int64_t{kernel.blocks_per_unit} * units;
    job_ = {.words = static_cast<const std::uint32_t*>(buffer.get()),
            .count = bytes / 4,
            .blocks = static_cast<int>(std::clamp<std::int64_t>(tiles, 1, wanted)),
            .stream = stream_.get()};
    sums_ = allocate(threads() * sizeof(std::uint32_t));
    job_.sums = static_cast<std::uint32_t*>(sums_.get());
  }

  /// 10^9 bytes per second.
  [[nodiscard]] double gbps() {
    const Executable graph = captured();
    std::vector<double> us;
    for (int i = 0; i <= samples; ++i) {
      const double sample = time(graph);
      if (i > 0) us.push_back(sample);
    }
    check_sums();
    return static_cast<double>(bytes_) / median_of(us).median / 1e3;
  }

 private:
  [[nodiscard]] std::size_t threads() const {
    return static_cast<std::size_t>(job_.blocks) * static_cast<std::size_t>(kernel_.block_size);
  }

  [[nodiscard]] Executable captured() const {
    check(gpuStreamBeginCapture(stream_.get(), gpuStreamCaptureModeGlobal),
          "begin to capture a graph");
    for (int i = 0; i < launches; ++i) kernel_.launch(job_);
    const gpuError_t launched = gpuGetLastError();
    gpuGraph_t graph = nullptr;
    check(gpuStreamEndCapture(stream_.get(), &graph), "capture a graph");
    const Graph owned(graph);
    check(launched, "launch a kernel that reads");
    gpuGraphExec_t executable = nullptr;
    check(instantiate(&executable, graph), "make a graph ready to run");
    return Executable(executable);
  }

  /// Microseconds of one launch.
  [[nodiscard]] double time(const Executable& graph) const {
    check(gpuEventRecord(begin_.get(), stream_.get()), "record the start of a sample");
    check(gpuGraphLaunch(graph.get(), stream_.get()), "launch a graph");
    check(gpuEventRecord(end_.get(), stream_.get()), "record the end of a sample");
    check(gpuEventSynchronize(end_.get()), "finish a sample");
    float milliseconds = 0;
    check(gpuEventElapsedTime(&milliseconds, begin_.get(), end_.get()),
          "read the time of a sample");
    return static_cast<double>(milliseconds) * 1e3 / launches;
  }

  void check_sums() const {
    std::vector<std::uint32_t> sums(threads());
    check(gpuMemcpy(sums.data(), job_.sums, sums.size() * sizeof sums[0], gpuMemcpyDefault),
          "copy sums to the host");
    const std::uint32_t got = std::accumulate(sums.begin(), sums.end(), std::uint32_t{0});
    if (got == static_cast<std::uint32_t>(job_.count) * pattern_word) return;
    throw DeviceError("a kernel that reads found something else than what was written");
  }

  const ReadKernel& kernel_;
  std::int64_t bytes_;
  Stream stream_;
  Memory sums_;
  ReadJob job_;
  Event begin_ = make_event();
  Event end_ = make_event();
};

}  // namespace

ReadPeak measure_read_peak(std::int64_t cache_bytes) try {
  ReadPeak peak{.bytes = std::max(least_bytes, 8 * cache_bytes)};
  const Memory buffer = allocate(static_cast<std::size_t>(peak.bytes));
  check(gpuMemset(buffer.get(), pattern, static_cast<std::size_t>(peak.bytes)), "fill a buffer");
  check(gpuDeviceSynchronize(), "fill a buffer");
  for (const ReadKernel& kernel : read_kernels()) {
    const double gbps = Reading(kernel, peak.bytes, buffer).gbps();
    if (gbps <= peak.gbps) continue;
    peak.gbps = gbps;
    peak.shape = kernel.shape;
  }
  return peak;
} catch (const OutOfMemory&) {
  (void)gpuGetLastError();  // or the next call would be told of it
  return {.shape = "no memory is free for it"};
}

}  // namespace redtune::compare
