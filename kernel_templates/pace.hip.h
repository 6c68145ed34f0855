// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A piece of arithmetic whose time tells how fast a device's clock runs: one wave, each step of
// which waits for the one before.
#pragma once

#include "device_code/prelude.hip.h"

namespace redtune {

template <int block_size>
REDTUNE_KERNEL(block_size)
pace(u32* out, i32 turns) {
  u32 value = u32(thread_index());
  REDTUNE_ROLLED
  for (i32 turn = 0; turn < turns; ++turn) value = value * 1664525u + 1013904223u;
  out[thread_index()] = value;
}

}  // namespace redtune
