// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include <algorithm>
#include <cstdint>
#include <utility>

#include "bench/compare/neighbours.cuh"

namespace redtune::compare {
namespace {

// As in kernel_templates/probe/surroundings.cpp.
constexpr int small_block = 128;
constexpr int producer_block = 256;
constexpr std::size_t words_per_thread = 4;
constexpr std::size_t producer_blocks_per_unit = 16;

__global__ void touch(unsigned* words) {
  words[blockIdx.x * blockDim.x + threadIdx.x] += 1;
}

__global__ void renew(unsigned* input, std::size_t count, unsigned key) {
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += step) {
    input[i] ^= key;
  }
}

__global__ void consume(unsigned* words, const unsigned* result) {
  words[blockIdx.x * blockDim.x + threadIdx.x] += *result;
}

int units() {
  int count = 1;
  check(gpuDeviceGetAttribute(&count, gpuDevAttrMultiProcessorCount, 0),
        "ask how many multiprocessors there are");
  return count;
}

std::size_t words_of(int units) {
  return static_cast<std::size_t>(units) * small_block;
}

}  // namespace

Neighbours::Neighbours(const void* result, gpuStream_t stream)
    : result_(result),
      stream_(stream),
      units_(units()),
      words_(allocate(2 * words_of(units_) * sizeof(unsigned))),
      second_(make_stream()) {
  check(gpuMemsetAsync(words_.get(), 0, 2 * words_of(units_) * sizeof(unsigned), stream),
        "clear device memory");
}

/// As tuner/measure/two_streams.cpp does.
void Neighbours::keep_two_streams() {
  const int launches = std::exchange(is_first_, false) ? 2000 : 50;
  constexpr int at_a_time = 100;
  auto* const words = static_cast<unsigned*>(words_.get());
  for (gpuStream_t const stream : {stream_, second_.get()}) {
    for (int i = 1; i <= launches; ++i) {
      touch<<<1, small_block, 0, stream>>>(words);
      if (i % at_a_time == 0) check(gpuStreamSynchronize(stream), "finish what was queued");
    }
    check(gpuGetLastError(), "launch a small kernel");
    check(gpuStreamSynchronize(stream), "finish what was queued");
  }
}

void Neighbours::small_kernel() const {
  touch<<<units_, small_block, 0, stream_>>>(static_cast<unsigned*>(words_.get()));
  check(gpuGetLastError(), "launch a small kernel");
}

void Neighbours::producer(const void* input, std::size_t bytes) const {
  const std::size_t skipped = -reinterpret_cast<std::uintptr_t>(input) % sizeof(unsigned);
  const std::size_t words = bytes < skipped ? 0 : (bytes - skipped) / sizeof(unsigned);
  const std::size_t a_block = words_per_thread * producer_block;
  const std::size_t blocks = std::clamp<std::size_t>((words + a_block - 1) / a_block, 1,
                                                     producer_blocks_per_unit * units_);
  auto* const first = static_cast<std::byte*>(const_cast<void*>(input)) + skipped;
  renew<<<static_cast<unsigned>(blocks), producer_block, 0, stream_>>>(
      reinterpret_cast<unsigned*>(first), words, 0);
  check(gpuGetLastError(), "launch a producer");
}

void Neighbours::consumer() const {
  consume<<<units_, small_block, 0, stream_>>>(
      static_cast<unsigned*>(words_.get()) + words_of(units_),
      static_cast<const unsigned*>(result_));
  check(gpuGetLastError(), "launch a consumer");
}

}  // namespace redtune::compare
