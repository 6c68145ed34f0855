// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The other kernels around a reduction, as docs/explanation/measurement.md says: a small one or
// a producer of the input before it, a consumer of its result behind it.
#pragma once

#include <cstddef>

#include "bench/compare/gpu.cuh"

namespace redtune::compare {

class Neighbours {
 public:
  /// result: 4 bytes at least.
  Neighbours(const void* result, gpuStream_t stream);

  void small_kernel() const;
  /// Writes the whole words of the input anew, which stay as they are.
  void producer(const void* input, std::size_t bytes) const;
  void consumer() const;
  /// Keeps the process as programs with two streams are; for before each sample.
  void keep_two_streams();

 private:
  const void* result_;
  gpuStream_t stream_;
  int units_;
  Memory words_;
  Stream second_;
  bool is_first_ = true;
};

}  // namespace redtune::compare
