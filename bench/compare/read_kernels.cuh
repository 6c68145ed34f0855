// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The kernels of `redtune probe` that read, compiled with this program. Without a header of
// redtune: device text has types of the same names.
#pragma once

#include <cstdint>
#include <vector>

#include "bench/compare/gpu_names.cuh"

namespace redtune::compare {

/// One reading of a buffer. Each thread leaves the sum of its words, modulo 2^32.
struct ReadJob {
  const std::uint32_t* words = nullptr;
  std::int64_t count = 0;
  std::uint32_t* sums = nullptr;
  int blocks = 0;
  gpuStream_t stream = nullptr;
};

struct ReadKernel {
  const char* shape;  ///< for people
  int block_size;
  int tile_words;  ///< words of 4 bytes that a block reads at a time
  int blocks_per_unit;
  void (*launch)(const ReadJob&);
};

[[nodiscard]] std::vector<ReadKernel> read_kernels();

}  // namespace redtune::compare
