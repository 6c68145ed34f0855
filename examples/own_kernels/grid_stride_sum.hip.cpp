// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A fixed number of blocks strides over the array, by floats or by float4; what is left when fours
// are through, and the partial sums, are added one by one:
// redtune kernels check grid_stride_sum.hip.cpp
//
// redtune: kernel  grid_stride_sum
// redtune: tune    BLOCK = 128, 256, 512, 1024                         default 256
// redtune: tune    BLOCKS = 64, 128, 256, 512, 1024, 1536, 2048, 3072  default 512
// redtune: tune    VECTOR = 1, 4                                       default 1
// redtune: size    n = 2^16, 2^24
// redtune: launch  grid_stride_sum<BLOCK, VECTOR>  block = BLOCK  grid = BLOCKS
// redtune: +       args = partials, in, n
// redtune: launch  grid_stride_sum<BLOCK, 1>  block = BLOCK  grid = 1  args = out, partials, blocks
// redtune: arg     float out[1] out
// redtune: arg     float partials[BLOCKS] scratch
// redtune: arg     const float in[n] uniform(0, 1)
// redtune: arg     int n
// redtune: arg     int blocks = BLOCKS
// redtune: check   out within 1e-5 relative
// redtune: traffic n * ELEMENT_in
#include <hip/hip_runtime.h>

template <int BLOCK, int VECTOR>
__global__ void __launch_bounds__(BLOCK) grid_stride_sum(float* out, const float* in, int n) {
  const int first = blockIdx.x * BLOCK + threadIdx.x;
  const int stride = gridDim.x * BLOCK;
  float total = 0;
  int done = 0;
  if (VECTOR == 4) {
    const float4* const fours = reinterpret_cast<const float4*>(in);
    for (int i = first; i < n / 4; i += stride) {
      const float4 four = fours[i];
      total += (four.x + four.y) + (four.z + four.w);
    }
    done = n / 4 * 4;
  }
  for (int i = done + first; i < n; i += stride) total += in[i];

  __shared__ float shared[BLOCK];
  shared[threadIdx.x] = total;
  __syncthreads();
  for (int half = BLOCK / 2; half > 0; half /= 2) {
    if (int(threadIdx.x) < half) shared[threadIdx.x] += shared[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = shared[0];
}
