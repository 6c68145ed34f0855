// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A tuned sum without the library of redtune and without a compiler at run time: kernel text and
// configs were written when this was built (CMakeLists.txt), the compiler of the build did the
// rest.
#include <cstdint>
#include <iostream>
#include <vector>

#if defined(REDTUNE_HIP) || defined(REDTUNE_CUDA)
#include "on_gpu.hpp"
#else
#include "on_host.hpp"
#endif

#include <reduce_kernels.hip.h>  // redtune kernels show --text
#include <tuned_reductions.hpp>  // redtune cache export --format c++

int main() {
  using Sum = tuned_reductions::sum_f32;
  const std::vector<float> values(1'000'000, 1.5F);
  const auto count = static_cast<std::int64_t>(values.size());
  Machine machine(tuned_reductions::compute_units, tuned_reductions::wave_size);
  const auto how = Sum::for_count(count).launch_for(count, machine.compute_units());

  float* in = machine.copy_of(values);
  float* out = machine.zeros<float>(1);
  float* partials = machine.zeros<float>(how.grid);
  auto* slots = machine.zeros<unsigned long long>(how.slot_bytes / 8);
  auto* counter = machine.zeros<unsigned>(1);
  Sum::reduce(machine.launcher(), machine.compute_units(), in, count, out, partials, slots,
              counter);

  std::cout << "sum: " << machine.value_of(out) << '\n'
            << "grid: " << how.grid << " blocks of " << Sum::for_count(count).block << '\n'
            << "configuration: " << Sum::for_count(count).settings << '\n';
  return 0;
}
