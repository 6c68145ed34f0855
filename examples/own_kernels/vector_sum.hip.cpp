// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The sum of 2^24 floats with 2376 configs, as examples of tuners have it: macros for the size and
// the number of blocks, the width of loads, how many of them are under way, and shuffles or none:
// redtune kernels check vector_sum.hip.cpp
//
// redtune: kernel  vector_sum
// redtune: tune    BLOCK = 32..1024 pow2        default 256
// redtune: tune    BLOCKS = 32..32768 pow2      default 512
// redtune: tune    VECTOR = 1, 2, 4             default 1
// redtune: tune    UNROLL = 1, 2, 4, 8, 16, 32  default 1
// redtune: tune    USE_SHUFFLES = 0, 1          default 1
// redtune: size    n = 2^16, 2^24
// redtune: launch  vector_sum  block = BLOCK  grid = min(ceil(n / (BLOCK * VECTOR)), BLOCKS)
// redtune: +       args = partials, in, n
// redtune: launch  sum_of_partials  block = BLOCK  grid = 1  args = out, partials, blocks
// redtune: arg     float out[1] out
// redtune: arg     float partials[BLOCKS] scratch
// redtune: arg     const float in[n] uniform(0, 1)
// redtune: arg     int n
// redtune: arg     int blocks = min(ceil(n / (BLOCK * VECTOR)), BLOCKS)
// redtune: check   out within 1e-5 relative
// redtune: traffic n * ELEMENT_in
#include <hip/hip_runtime.h>

#if VECTOR == 1
typedef float vector;
__device__ float sum_of_vector(vector v) {
  return v;
}
#elif VECTOR == 2
typedef float2 vector;
__device__ float sum_of_vector(vector v) {
  return v.x + v.y;
}
#else
typedef float4 vector;
__device__ float sum_of_vector(vector v) {
  return (v.x + v.y) + (v.z + v.w);
}
#endif

/// The first thread gets the sum of the values of all.
__device__ float sum_of_block(float value) {
  __shared__ float shared[BLOCK];
#if USE_SHUFFLES
  // A block may be less than a wave.
  const int lanes = BLOCK < warpSize ? BLOCK : warpSize;
  for (int half = lanes / 2; half > 0; half /= 2) {
#ifdef __CUDACC__
    value += __shfl_down_sync(0xffffffffu, value, half);
#else
    value += __shfl_down(value, half);
#endif
  }
  if (threadIdx.x % lanes == 0) shared[threadIdx.x / lanes] = value;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int wave = 1; wave < BLOCK / lanes; ++wave) value += shared[wave];
  }
  return value;
#else
  shared[threadIdx.x] = value;
  __syncthreads();
  for (int half = BLOCK / 2; half > 0; half /= 2) {
    if (int(threadIdx.x) < half) shared[threadIdx.x] += shared[threadIdx.x + half];
    __syncthreads();
  }
  return shared[0];
#endif
}

__global__ void __launch_bounds__(BLOCK) vector_sum(float* partials, const float* in, int n) {
  const vector* const vectors = reinterpret_cast<const vector*>(in);
  const int count = n / VECTOR;
  const int first = blockIdx.x * BLOCK + threadIdx.x;
  const int stride = gridDim.x * BLOCK;
  float total = 0;
  int i = first;
  for (; i + (UNROLL - 1) * stride < count; i += UNROLL * stride) {
    vector several[UNROLL];
    for (int step = 0; step < UNROLL; ++step) several[step] = vectors[i + step * stride];
    for (int step = 0; step < UNROLL; ++step) total += sum_of_vector(several[step]);
  }
  for (; i < count; i += stride) total += sum_of_vector(vectors[i]);
  for (int rest = count * VECTOR + first; rest < n; rest += stride) total += in[rest];
  total = sum_of_block(total);
  if (threadIdx.x == 0) partials[blockIdx.x] = total;
}

__global__ void __launch_bounds__(BLOCK) sum_of_partials(float* out, const float* partials, int n) {
  float total = 0;
  for (int i = threadIdx.x; i < n; i += BLOCK) total += partials[i];
  total = sum_of_block(total);
  if (threadIdx.x == 0) *out = total;
}
