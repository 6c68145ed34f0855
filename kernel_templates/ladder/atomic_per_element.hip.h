// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Every thread adds its element to one address. Right at once, and as slow as one address is: all
// additions of the device wait for each other.
#pragma once

#include "../device_code/atomic.hip.h"

namespace redtune::ladder {

template <class In, class Acc, int block_size>
REDTUNE_KERNEL(block_size)
atomic_per_element(const In* in, i64 count, Acc* out) {
  const i64 i = i64(block_index()) * block_size + thread_index();
  wait_for_previous();
  if (i < count) atomic_add(out, Acc(in[i]));
}

}  // namespace redtune::ladder
