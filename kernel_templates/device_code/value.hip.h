// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What an element is worth: 16-bit floats are storage, and computed with as floats.
#pragma once

#include "prelude_cuda.hip.h"
#include "prelude_hip.hip.h"
#include "prelude_host.hip.h"

namespace redtune {

template <class In>
REDTUNE_DEVICE In value_of(In x) {
  return x;
}
REDTUNE_DEVICE float value_of(f16 x) {
  return float_of_f16(x.bits);
}
REDTUNE_DEVICE float value_of(bf16 x) {
  return __builtin_bit_cast(float, u32(x.bits) << 16);
}

}  // namespace redtune
