// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The result of a step whose blocks add to it begins at zero: one store, in the same stream,
// part of what is timed.
#pragma once

#include "../device_code/prelude.hip.h"

namespace redtune::ladder {

template <class Acc, int block_size>
REDTUNE_KERNEL(block_size)
set_zero(Acc* out) {
  wait_for_previous();
  if (thread_index() == 0) *out = 0;
}

}  // namespace redtune::ladder
