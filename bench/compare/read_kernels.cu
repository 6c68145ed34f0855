// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How the platform's prelude knows who compiles it; at run time its compiler is told the same.
#if defined(__HIP__)
#define REDTUNE_HIP 1
#else
#define REDTUNE_CUDA 1
#endif
#include "bench/compare/read_kernels.cuh"
#include "kernel_templates/probe.hip.h"

namespace redtune::compare {
namespace {

constexpr int vector_width = 4;  // words of 16 bytes

template <int block_size, int loads, class Hint>
void launch(const ReadJob& job) {
  probe_read<block_size, loads, vector_width, Hint>
      <<<static_cast<unsigned>(job.blocks), block_size, 0, job.stream>>>(
          job.words, static_cast<i64>(job.count), job.sums, 1, 0);
}

template <int block_size, int loads, class Hint>
ReadKernel kernel(const char* shape, int blocks_per_unit) {
  return {shape, block_size, block_size * loads * vector_width, blocks_per_unit,
          launch<block_size, loads, Hint>};
}

}  // namespace

// The shapes that the probe tries on GPUs.
std::vector<ReadKernel> read_kernels() {
  return {kernel<512, 4, streaming>("512 threads, 4 loads, 4 blocks per unit, streaming", 4),
          kernel<256, 8, cached>("256 threads, 8 loads, 8 blocks per unit", 8),
          kernel<1024, 4, cached>("1024 threads, 4 loads, 32 blocks per unit", 32),
          kernel<256, 4, streaming>("256 threads, 4 loads, 32 blocks per unit, streaming", 32),
          kernel<128, 8, cached>("128 threads, 8 loads, 16 blocks per unit", 16),
          kernel<512, 8, streaming>("512 threads, 8 loads, 2 blocks per unit, streaming", 2)};
}

}  // namespace redtune::compare
