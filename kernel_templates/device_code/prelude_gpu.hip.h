// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What hipRTC and NVRTC have in common: how kernels are declared, and where a thread stands.
#pragma once

#include "base.hip.h"

#if defined(REDTUNE_HIP) || defined(REDTUNE_CUDA)

#define REDTUNE_DEVICE __device__ __forceinline__
#define REDTUNE_KERNEL(block_size) __global__ void __launch_bounds__(block_size)
// A kernel that takes whole tiles. NVIDIA's compiler seems to want room for 1024 threads or more on
// a multiprocessor, and keeps registers in memory for it. Where a kernel is given all registers
// that its block leaves, room for one block will do; 0: as the compiler likes. On AMD GPUs the
// second bound means something else.
#if defined(REDTUNE_CUDA)
#define REDTUNE_TILE_KERNEL(block_size, all_registers) \
  __global__ void __launch_bounds__(block_size, all_registers ? 1 : 0)
#else
#define REDTUNE_TILE_KERNEL(block_size, all_registers) REDTUNE_KERNEL(block_size)
#endif
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
