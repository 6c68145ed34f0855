// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The softmax of each row, a block a row: redtune kernels check row_softmax.hip.cpp
//
// redtune: kernel    row_softmax<BLOCK, ITEMS>
// redtune: tune      BLOCK = 64..1024 pow2  default 256
// redtune: tune      ITEMS = 1, 2, 4, 8     default 4
// redtune: require   BLOCK % WAVE == 0 and BLOCK * ITEMS <= 4096
// redtune: size      rows = 64
// redtune: size      columns = 1000, 4096
// redtune: launch    block = BLOCK  grid = rows
// redtune: arg       float out[rows * columns] out
// redtune: arg       const float in[rows * columns] uniform(-8, 8)
// redtune: arg       int columns
// redtune: reference plain_softmax  block = WAVE  grid = rows
// redtune: check     out within 1e-5 relative of kernel plain_softmax
// redtune: traffic   2 * rows * columns * ELEMENT_in
#include <hip/hip_runtime.h>

/// All threads of a block get what their values come to.
template <int BLOCK, class Combine>
__device__ float combined(float value, float* shared, Combine combine) {
  shared[threadIdx.x] = value;
  __syncthreads();
  for (int half = BLOCK / 2; half > 0; half /= 2) {
    if (int(threadIdx.x) < half) {
      shared[threadIdx.x] = combine(shared[threadIdx.x], shared[threadIdx.x + half]);
    }
    __syncthreads();
  }
  const float all = shared[0];
  __syncthreads();
  return all;
}

struct larger {
  __device__ float operator()(float a, float b) const { return a < b ? b : a; }
};
struct sum {
  __device__ float operator()(float a, float b) const { return a + b; }
};

template <int BLOCK, int ITEMS>
__global__ void __launch_bounds__(BLOCK) row_softmax(float* out, const float* in, int columns) {
  __shared__ float shared[BLOCK];
  const float* const row = in + long(blockIdx.x) * columns;
  float* const result = out + long(blockIdx.x) * columns;

  // A thread takes ITEMS elements at a time, a block apart, so that their loads are on their way
  // together.
  float largest = row[0];
  for (int begin = threadIdx.x; begin < columns; begin += BLOCK * ITEMS) {
    for (int item = 0; item < ITEMS; ++item) {
      const int i = begin + item * BLOCK;
      if (i < columns) largest = largest < row[i] ? row[i] : largest;
    }
  }
  largest = combined<BLOCK>(largest, shared, larger());

  float total = 0;
  for (int begin = threadIdx.x; begin < columns; begin += BLOCK * ITEMS) {
    for (int item = 0; item < ITEMS; ++item) {
      const int i = begin + item * BLOCK;
      if (i < columns) total += expf(row[i] - largest);
    }
  }
  total = combined<BLOCK>(total, shared, sum());

  for (int i = threadIdx.x; i < columns; i += BLOCK) result[i] = expf(row[i] - largest) / total;
}

/// One thread does a row, as it is defined.
__global__ void plain_softmax(float* out, const float* in, int columns) {
  if (threadIdx.x > 0) return;
  const float* const row = in + long(blockIdx.x) * columns;
  float largest = row[0];
  for (int i = 1; i < columns; ++i) largest = largest < row[i] ? row[i] : largest;
  double total = 0;
  for (int i = 0; i < columns; ++i) total += double(expf(row[i] - largest));
  for (int i = 0; i < columns; ++i) {
    out[long(blockIdx.x) * columns + i] = float(double(expf(row[i] - largest)) / total);
  }
}
