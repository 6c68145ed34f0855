// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include <algorithm>
#include <cstdint>
#include <vector>

#include "bench/compare/gpu.cuh"
#include "bench/compare/measure.cuh"
#include "bench/compare/statistics.hpp"
#include "redtune/error.hpp"

namespace redtune::compare {
namespace {

constexpr std::int64_t most_bytes = std::int64_t{2} << 30;
constexpr int launches = 10;  // of a sample: some milliseconds
constexpr int samples = 7;

/// Blocks read tiles of a buffer from end to end, and write another from end to end while they do:
/// of each tile its share.
template <int block_size, int loads>
__global__ void read_and_write(const uint4* in, std::int64_t reads, uint4* out, std::int64_t writes,
                               std::int64_t tiles) {
  for (std::int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    uint4 words[loads];
#pragma unroll
    for (int i = 0; i < loads; ++i) {
      const std::int64_t at = (tile * loads + i) * block_size + threadIdx.x;
      words[i] = at < reads ? in[at] : uint4{0, 0, 0, 0};
    }
    uint4 all{0, 0, 0, 0};
#pragma unroll
    for (int i = 0; i < loads; ++i) {
      all.x ^= words[i].x;
      all.y ^= words[i].y;
      all.z ^= words[i].z;
      all.w ^= words[i].w;
    }
    const std::int64_t end = writes * (tile + 1) / tiles;
    for (std::int64_t at = writes * tile / tiles + threadIdx.x; at < end; at += block_size) {
      out[at] = all;
    }
  }
}

/// 10^9 bytes per second that a kernel reads and writes; blocks_per_unit 0: a block for each tile.
template <int block_size, int loads>
double gbps_of(std::int64_t read_bytes, std::int64_t written_bytes, int blocks_per_unit,
               const Memory& in, const Memory& out) {
  const std::int64_t vector = sizeof(uint4);
  const std::int64_t reads = read_bytes / vector;
  const std::int64_t writes = written_bytes / vector;
  const std::int64_t tiles = std::max<std::int64_t>(1, reads / (block_size * loads));
  int units = 0;
  check(gpuDeviceGetAttribute(&units, gpuDevAttrMultiProcessorCount, 0),
        "ask how many multiprocessors there are");
  const std::int64_t wanted = std::int64_t{blocks_per_unit} * units;
  const auto blocks =
      static_cast<unsigned>(blocks_per_unit == 0 ? tiles : std::min<std::int64_t>(tiles, wanted));
  const Stream stream = make_stream();
  const Event begin = make_event();
  const Event end = make_event();
  std::vector<double> us;
  for (int sample = 0; sample <= samples; ++sample) {
    check(gpuEventRecord(begin.get(), stream.get()), "record the start of a sample");
    for (int i = 0; i < launches; ++i) {
      read_and_write<block_size, loads>
          <<<blocks, block_size, 0, stream.get()>>>(static_cast<const uint4*>(in.get()), reads,
                                                    static_cast<uint4*>(out.get()), writes, tiles);
    }
    check(gpuGetLastError(), "launch a kernel that reads and writes");
    check(gpuEventRecord(end.get(), stream.get()), "record the end of a sample");
    check(gpuEventSynchronize(end.get()), "finish a sample");
    float milliseconds = 0;
    check(gpuEventElapsedTime(&milliseconds, begin.get(), end.get()), "read the time of a sample");
    if (sample > 0) us.push_back(static_cast<double>(milliseconds) * 1e3 / launches);
  }
  return static_cast<double>((reads + writes) * vector) / median_of(us).median / 1e3;
}

}  // namespace

double measure_mix_peak(double written_share) try {
  const auto written = static_cast<std::int64_t>(written_share * most_bytes);
  const std::int64_t read = most_bytes - written;
  const Memory in = allocate(static_cast<std::size_t>(read));
  const Memory out = allocate(static_cast<std::size_t>(std::max<std::int64_t>(written, 16)));
  check(gpuMemset(in.get(), 1, static_cast<std::size_t>(read)), "fill a buffer");
  check(gpuDeviceSynchronize(), "fill a buffer");
  return std::max(
      {gbps_of<256, 4>(read, written, 0, in, out), gbps_of<512, 4>(read, written, 4, in, out),
       gbps_of<128, 8>(read, written, 0, in, out), gbps_of<256, 8>(read, written, 8, in, out)});
} catch (const OutOfMemory&) {
  (void)gpuGetLastError();  // or the next call would be told of it
  return 0;
}

}  // namespace redtune::compare
