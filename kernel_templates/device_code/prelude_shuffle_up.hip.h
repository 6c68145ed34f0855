// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Values from lower lanes of a wave, for scans, and kernels of so many blocks: apart from the other
// preludes, which all kernels are made of. Lanes below the distance have their own.
#pragma once

#include "wave_reduce.hip.h"

// A kernel of which so many blocks shall have room on a multiprocessor of NVIDIA's; on AMD GPUs the
// second bound means something else.
#if defined(REDTUNE_CUDA)
#define REDTUNE_KERNEL_OF_BLOCKS(block_size, blocks) \
  __global__ void __launch_bounds__(block_size, blocks)
#else
#define REDTUNE_KERNEL_OF_BLOCKS(block_size, blocks) REDTUNE_KERNEL(block_size)
#endif

namespace redtune {

template <int wave_size>
REDTUNE_DEVICE u32 shuffle_up_word(u32 value, i32 distance) {
#if defined(REDTUNE_CUDA)
  return __shfl_up_sync(0xffffffffu, value, u32(distance), wave_size);
#elif defined(REDTUNE_HIP) && HIP_VERSION_MAJOR >= 7
  return __shfl_up_sync(~0ull, value, distance, wave_size);
#elif defined(REDTUNE_HIP)
  return u32(__shfl_up(i32(value), distance, wave_size));
#else
  u32 other = value;
  const bool is_there = thread_index() % wave_size >= distance;
  redtune_host_exchange(&value, &other, sizeof(value), is_there ? -distance : 0);
  return other;
#endif
}

template <int wave_size, class T>
REDTUNE_DEVICE T shuffle_up(T value, i32 distance) {
  return exchanged_by_words(value,
                            [=](u32 word) { return shuffle_up_word<wave_size>(word, distance); });
}

}  // namespace redtune
