// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Waves add by shuffles, a thread adds the waves of its block, and a second launch of one block
// adds the blocks. With few blocks per compute unit they stride over the array, with 0 each thread
// has one element: redtune kernels check wave_sum.hip.cpp
//
// redtune: kernel  wave_sum
// redtune: tune    BLOCK = 64..1024 pow2                    default 256
// redtune: tune    BLOCKS_PER_UNIT = 0, 1, 2, 4, 8, 16, 32  default 0
// redtune: require BLOCK % WAVE == 0
// redtune: size    n = 2^16, 2^24
// redtune: launch  block = BLOCK  shared = BLOCK // WAVE * ELEMENT_in
// redtune: +       grid = min(ceil(n / BLOCK), UNITS * BLOCKS_PER_UNIT or n)
// redtune: +       args = partials, in, n
// redtune: launch  block = BLOCK  shared = BLOCK // WAVE * ELEMENT_in
// redtune: +       grid = 1
// redtune: +       args = out, partials, blocks
// redtune: arg     float out[1] out
// redtune: arg     float partials[min(ceil(n / BLOCK), UNITS * BLOCKS_PER_UNIT or n)] scratch
// redtune: arg     const float in[n] uniform(0, 1)
// redtune: arg     int n
// redtune: arg     int blocks = min(ceil(n / BLOCK), UNITS * BLOCKS_PER_UNIT or n)
// redtune: check   out within 1e-5 relative
// redtune: traffic n * ELEMENT_in
#include <hip/hip_runtime.h>

/// What the lane so far behind holds. Compilers for NVIDIA's GPUs want to hear who takes part.
__device__ float from_lane_behind(float value, int distance) {
#ifdef __CUDACC__
  return __shfl_down_sync(0xffffffffu, value, distance);
#else
  return __shfl_down(value, distance);
#endif
}

__global__ void __launch_bounds__(BLOCK) wave_sum(float* out, const float* in, int n) {
  extern __shared__ float of_waves[];
  float total = 0;
  for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK) total += in[i];

  for (int half = warpSize / 2; half > 0; half /= 2) total += from_lane_behind(total, half);
  if (threadIdx.x % warpSize == 0) of_waves[threadIdx.x / warpSize] = total;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int wave = 1; wave < BLOCK / warpSize; ++wave) total += of_waves[wave];
  out[blockIdx.x] = total;
}
