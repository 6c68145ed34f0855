// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How often each of 256 values occurs: redtune kernels check histogram.hip.cpp
//
// redtune: kernel    histogram<BLOCK, COPIES>
// redtune: tune      BLOCK = 64, 128, 256, 512, 1024  default 256
// redtune: tune      COPIES = 1, 2, 4, 8              default 2
// redtune: tune      BLOCKS_PER_UNIT = 1, 2, 4, 8     default 4
// redtune: require   BLOCK % WAVE == 0 and COPIES <= BLOCK // 32
// redtune: size      n = 100000
// redtune: launch    block = BLOCK  grid = min(ceil(n / BLOCK), UNITS * BLOCKS_PER_UNIT)
// redtune: arg       unsigned bins[256] inout zero
// redtune: arg       const unsigned char in[n] uniform(0, 255)
// redtune: arg       int n
// redtune: reference plain_histogram  block = 256  grid = 1
// redtune: check     bins exact of kernel plain_histogram
// redtune: traffic   n
#include <hip/hip_runtime.h>

/// Threads of a block count in COPIES histograms of its own, so that fewer of them meet.
template <int BLOCK, int COPIES>
__global__ void __launch_bounds__(BLOCK) histogram(unsigned* bins, const unsigned char* in, int n) {
  __shared__ unsigned counts[COPIES][256];
  for (int i = threadIdx.x; i < COPIES * 256; i += BLOCK) counts[i / 256][i % 256] = 0;
  __syncthreads();
  unsigned* const own = counts[threadIdx.x % COPIES];
  for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK) {
    atomicAdd(&own[in[i]], 1u);
  }
  __syncthreads();
  for (int value = threadIdx.x; value < 256; value += BLOCK) {
    unsigned total = 0;
    for (int copy = 0; copy < COPIES; ++copy) total += counts[copy][value];
    atomicAdd(&bins[value], total);
  }
}

/// Each of 256 threads looks for one value.
__global__ void plain_histogram(unsigned* bins, const unsigned char* in, int n) {
  unsigned total = 0;
  for (int i = 0; i < n; ++i) total += in[i] == threadIdx.x ? 1u : 0u;
  bins[threadIdx.x] = total;
}
