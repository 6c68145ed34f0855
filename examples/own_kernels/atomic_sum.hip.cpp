// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// All blocks add to one number: a thread loads a float or a float4, waves add by a butterfly of
// shuffles, the first wave adds the waves, and one atomic addition per block does the rest:
// redtune kernels check atomic_sum.hip.cpp
//
// redtune: kernel  atomic_sum<BLOCK, VECTOR>
// redtune: tune    BLOCK = 64, 128, 256, 512, 1024  default 256
// redtune: tune    VECTOR = 1, 4                    default 1
// redtune: require BLOCK % WAVE == 0
// redtune: size    n = 2^16, 2^22, 2^24
// redtune: launch  block = BLOCK  grid = ceil(n / (BLOCK * VECTOR))
// redtune: +       shared = BLOCK // WAVE * ELEMENT_in
// redtune: arg     float out[1] inout zero
// redtune: arg     const float in[n] uniform(0, 1)
// redtune: arg     int n
// redtune: check   out within 1e-4 relative
// redtune: traffic n * ELEMENT_in
#include <hip/hip_runtime.h>

/// All lanes get the sum of their values.
__device__ float sum_of_wave(float value) {
  for (int mask = warpSize / 2; mask > 0; mask /= 2) {
#ifdef __CUDACC__
    value += __shfl_xor_sync(0xffffffffu, value, mask);
#else
    value += __shfl_xor(value, mask);
#endif
  }
  return value;
}

template <int VECTOR>
__device__ float sum_at(const float* in, int first, int n) {
  if (VECTOR == 4 && first + 4 <= n) {
    const float4 four = *reinterpret_cast<const float4*>(in + first);
    return (four.x + four.y) + (four.z + four.w);
  }
  float total = 0;
  for (int i = first; i < n && i < first + VECTOR; ++i) total += in[i];
  return total;
}

template <int BLOCK, int VECTOR>
__global__ void __launch_bounds__(BLOCK) atomic_sum(float* out, const float* in, int n) {
  extern __shared__ float of_waves[];
  const int lane = threadIdx.x % warpSize;
  const int wave = threadIdx.x / warpSize;
  const int first = (blockIdx.x * BLOCK + threadIdx.x) * VECTOR;
  const float mine = sum_of_wave(sum_at<VECTOR>(in, first, n));
  if (lane == 0) of_waves[wave] = mine;
  __syncthreads();
  if (wave > 0) return;
  float total = 0;
  for (int i = lane; i < BLOCK / warpSize; i += warpSize) total += of_waves[i];
  total = sum_of_wave(total);
  if (lane == 0) atomicAdd(out, total);
}
