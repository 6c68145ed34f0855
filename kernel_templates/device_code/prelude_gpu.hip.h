// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What hipRTC and NVRTC have in common: how kernels are declared, and where a thread stands.
#pragma once

#include "base.hip.h"

#if defined(REDTUNE_HIP) || defined(REDTUNE_CUDA)

#define REDTUNE_DEVICE __device__ __forceinline__
#define REDTUNE_KERNEL(block_size) __global__ void __launch_bounds__(block_size)
#define REDTUNE_SHARED __shared__
#define REDTUNE_UNROLL _Pragma("unroll")

namespace redtune {

REDTUNE_DEVICE i32 thread_index() {
  return i32(threadIdx.x);
}
REDTUNE_DEVICE i32 block_index() {
  return i32(blockIdx.x);
}
REDTUNE_DEVICE i32 grid_size() {
  return i32(gridDim.x);
}
REDTUNE_DEVICE void block_barrier() {
  __syncthreads();
}

}  // namespace redtune

#endif
