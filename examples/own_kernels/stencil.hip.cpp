// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Each pixel becomes a weighted sum of itself and its eight neighbours; beyond the border the
// nearest pixel counts: redtune kernels check stencil.hip.cpp
//
// redtune: kernel  stencil
// redtune: tune    BLOCK_X = 16, 32, 64  default 32
// redtune: tune    BLOCK_Y = 2, 4, 8, 16 default 8
// redtune: tune    IN_TILES = 0, 1       default 1
// redtune: require BLOCK_X * BLOCK_Y % WAVE == 0
// redtune: size    width = 250
// redtune: size    height = 120
// redtune: launch  block = BLOCK_X, BLOCK_Y
// redtune: +       grid = ceil(width / BLOCK_X), ceil(height / BLOCK_Y)
// redtune: +       shared = IN_TILES * (BLOCK_X + 2) * (BLOCK_Y + 2) * ELEMENT_in
// redtune: arg     float out[width * height] out
// redtune: arg     const float in[width * height] uniform(0, 1)
// redtune: arg     constant float weights[9] uniform(-1, 1)
// redtune: arg     int width
// redtune: arg     int height
// redtune: check   out within 1e-5 of default
// redtune: traffic 2 * width * height * ELEMENT_in
#include <hip/hip_runtime.h>

__constant__ float weights[9];

__device__ float pixel(const float* in, int x, int y, int width, int height) {
  x = x < 0 ? 0 : x < width ? x : width - 1;
  y = y < 0 ? 0 : y < height ? y : height - 1;
  return in[y * width + x];
}

__global__ void stencil(float* out, const float* in, int width, int height) {
  const int x = blockIdx.x * BLOCK_X + threadIdx.x;
  const int y = blockIdx.y * BLOCK_Y + threadIdx.y;
#if IN_TILES
  // The block's pixels with their neighbours, read once.
  constexpr int pitch = BLOCK_X + 2;
  extern __shared__ float tile[];
  for (int row = threadIdx.y; row < BLOCK_Y + 2; row += BLOCK_Y) {
    for (int column = threadIdx.x; column < pitch; column += BLOCK_X) {
      tile[row * pitch + column] = pixel(in, int(blockIdx.x) * BLOCK_X + column - 1,
                                         int(blockIdx.y) * BLOCK_Y + row - 1, width, height);
    }
  }
  __syncthreads();
#endif
  if (x >= width || y >= height) return;
  float total = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
#if IN_TILES
      const float value = tile[(int(threadIdx.y) + 1 + dy) * pitch + int(threadIdx.x) + 1 + dx];
#else
      const float value = pixel(in, x + dx, y + dy, width, height);
#endif
      total += weights[(dy + 1) * 3 + dx + 1] * value;
    }
  }
  out[y * width + x] = total;
}
