// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The largest of an array, in two passes. FOLD is how a block comes to one value: from the tree one
// writes first to the one that needs the fewest barriers:
// redtune kernels check maximum.hip.cpp
//
// redtune: kernel  maximum
// redtune: tune    BLOCK = 64..1024 pow2                     default 256
// redtune: tune    ITEMS = 1, 2, 4, 8, 16                    default 1
// redtune: tune    FOLD = scattered, packed, halves, waves   default scattered
// redtune: tune    BLOCKS = 64, 256, 1024                    default 256
// redtune: require BLOCK % WAVE == 0
// redtune: size    n = 2^16, 2^24
// redtune: launch  maximum<BLOCK, ITEMS>  block = BLOCK
// redtune: +       grid = min(ceil(n / (BLOCK * ITEMS)), BLOCKS)  args = partials, in, n
// redtune: launch  maximum<BLOCK, ITEMS>  block = BLOCK  grid = 1
// redtune: +       args = out, partials, blocks
// redtune: arg     int out[1] out
// redtune: arg     int partials[min(ceil(n / (BLOCK * ITEMS)), BLOCKS)] scratch
// redtune: arg     const int in[n] uniform(-1000000000, 1000000000)
// redtune: arg     int n
// redtune: arg     int blocks = min(ceil(n / (BLOCK * ITEMS)), BLOCKS)
// redtune: traffic n * ELEMENT_in
#include <hip/hip_runtime.h>

enum {
  scattered,  // threads far from each other go on: divergence
  packed,     // the first threads go on, with elements far apart: conflicts between banks
  halves,     // the first threads go on, with elements side by side
  waves,      // within waves by shuffles; shared memory is for what waves have come to
};

__device__ int larger(int a, int b) {
  return a < b ? b : a;
}

__device__ int largest_of_wave(int value) {
  for (int half = warpSize / 2; half > 0; half /= 2) {
#ifdef __CUDACC__
    value = larger(value, __shfl_down_sync(0xffffffffu, value, half));
#else
    value = larger(value, __shfl_down(value, half));
#endif
  }
  return value;
}

/// The first thread gets the largest value of all.
template <int BLOCK>
__device__ int largest_of_block(int value) {
  __shared__ int shared[BLOCK];
  const int thread = threadIdx.x;
  if (FOLD == waves) {
    value = largest_of_wave(value);
    if (thread % warpSize == 0) shared[thread / warpSize] = value;
    __syncthreads();
    if (thread >= warpSize) return value;
    for (int i = thread; i < BLOCK / warpSize; i += warpSize) value = larger(value, shared[i]);
    return largest_of_wave(value);
  }
  shared[thread] = value;
  __syncthreads();
  for (int step = 1; step < BLOCK; step *= 2) {
    if (FOLD == scattered && thread % (2 * step) == 0) {
      shared[thread] = larger(shared[thread], shared[thread + step]);
    }
    const int place = 2 * step * thread;
    if (FOLD == packed && place < BLOCK) {
      shared[place] = larger(shared[place], shared[place + step]);
    }
    const int half = BLOCK / 2 / step;
    if (FOLD == halves && thread < half) {
      shared[thread] = larger(shared[thread], shared[thread + half]);
    }
    __syncthreads();
  }
  return shared[0];
}

template <int BLOCK, int ITEMS>
__global__ void __launch_bounds__(BLOCK) maximum(int* out, const int* in, int n) {
  int largest = in[0];
  const int stride = gridDim.x * BLOCK * ITEMS;
  // Elements side by side, which compilers load together.
  for (int first = (blockIdx.x * BLOCK + threadIdx.x) * ITEMS; first < n; first += stride) {
    if (first + ITEMS <= n) {
      for (int item = 0; item < ITEMS; ++item) largest = larger(largest, in[first + item]);
    } else {
      for (int i = first; i < n; ++i) largest = larger(largest, in[i]);
    }
  }
  largest = largest_of_block<BLOCK>(largest);
  if (threadIdx.x == 0) out[blockIdx.x] = largest;
}
