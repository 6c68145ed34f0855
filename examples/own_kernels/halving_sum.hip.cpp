// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Each launch leaves a part of the numbers: a thread adds WORK of them that lie apart, so that its
// neighbours' loads are beside its own. Four launches leave one number, whatever the work:
// redtune kernels check halving_sum.hip.cpp
//
// redtune: kernel  halving_sum
// redtune: tune    WORK = 8, 16, 32, 64, 128, 256  default 64
// redtune: tune    BLOCK = 64..1024 pow2           default 256
// redtune: require WORK ** 4 >= n
// redtune: size    n = 2^16, 2^24
// redtune: launch  block = BLOCK  grid = ceil(n / (WORK * BLOCK))
// redtune: +       args = once, in, n
// redtune: launch  block = BLOCK  grid = ceil(n / (WORK ** 2 * BLOCK))
// redtune: +       args = twice, once, n_once
// redtune: launch  block = BLOCK  grid = ceil(n / (WORK ** 3 * BLOCK))
// redtune: +       args = thrice, twice, n_twice
// redtune: launch  block = BLOCK  grid = 1
// redtune: +       args = out, thrice, n_thrice
// redtune: arg     float out[1] out
// redtune: arg     float once[ceil(n / WORK)] scratch
// redtune: arg     float twice[ceil(n / WORK ** 2)] scratch
// redtune: arg     float thrice[ceil(n / WORK ** 3)] scratch
// redtune: arg     const float in[n] uniform(0, 1)
// redtune: arg     int n
// redtune: arg     int n_once = ceil(n / WORK)
// redtune: arg     int n_twice = ceil(n / WORK ** 2)
// redtune: arg     int n_thrice = ceil(n / WORK ** 3)
// redtune: check   out within 1e-5 relative
// redtune: traffic n * ELEMENT_in
#include <hip/hip_runtime.h>

/// WORK numbers become one.
__global__ void __launch_bounds__(BLOCK) halving_sum(float* left, const float* in, int n) {
  const int threads = (n + WORK - 1) / WORK;
  const int first = blockIdx.x * BLOCK + threadIdx.x;
  if (first >= threads) return;
  float total = 0;
  for (int i = first; i < n; i += threads) total += in[i];
  left[first] = total;
}
