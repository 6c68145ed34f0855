// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The sum of an array by trees in shared memory, in two launches:
// redtune kernels check tree_sum.hip.cpp
//
// redtune: kernel  tree_sum
// redtune: tune    BLOCK = 64..1024 pow2  default 256
// redtune: tune    ITEMS = 1, 2, 4, 8     default 4
// redtune: require BLOCK % WAVE == 0
// redtune: size    n = 100000, 2^24
// redtune: launch  tree_sum<BLOCK, ITEMS>  block = BLOCK  grid = ceil(n / (BLOCK * ITEMS))
// redtune: +       args = partials, in, n
// redtune: launch  sum_of_partials<BLOCK>  block = BLOCK  grid = 1  args = out, partials, blocks
// redtune: arg     float out[1] out
// redtune: arg     float partials[ceil(n / (BLOCK * ITEMS))] scratch
// redtune: arg     const float in[n] uniform(0, 1)
// redtune: arg     int n
// redtune: arg     int blocks = ceil(n / (BLOCK * ITEMS))
// redtune: check   out within 1e-5 relative of default
// redtune: traffic n * ELEMENT_in
#include <hip/hip_runtime.h>

/// The first thread gets the sum of the values of all.
template <int BLOCK>
__device__ float sum_of_block(float value) {
  __shared__ float shared[BLOCK];
  shared[threadIdx.x] = value;
  __syncthreads();
  for (int half = BLOCK / 2; half > 0; half /= 2) {
    if (int(threadIdx.x) < half) shared[threadIdx.x] += shared[threadIdx.x + half];
    __syncthreads();
  }
  return shared[0];
}

template <int BLOCK, int ITEMS>
__global__ void __launch_bounds__(BLOCK) tree_sum(float* partials, const float* in, int n) {
  float total = 0;
  for (int item = 0; item < ITEMS; ++item) {
    const int i = (blockIdx.x * ITEMS + item) * BLOCK + threadIdx.x;
    if (i < n) total += in[i];
  }
  total = sum_of_block<BLOCK>(total);
  if (threadIdx.x == 0) partials[blockIdx.x] = total;
}

template <int BLOCK>
__global__ void __launch_bounds__(BLOCK)
    sum_of_partials(float* out, const float* partials, int blocks) {
  float total = 0;
  for (int i = threadIdx.x; i < blocks; i += BLOCK) total += partials[i];
  total = sum_of_block<BLOCK>(total);
  if (threadIdx.x == 0) *out = total;
}
