// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Limits of devices of every kind, for what a family offers on them.
#pragma once

#include <vector>

#include "redtune/limits.hpp"

namespace redtune::kernels {

/// A processor, GPUs of both wave sizes, and a device that starts blocks in any order.
[[nodiscard]] inline std::vector<Limits> family_devices() {
  Limits processor{.min_block_size = 1, .max_vector_bytes = 64, .wave_size = 1, .compute_units = 2};
  processor.registers_per_unit = 1 << 24;
  processor.max_registers_per_thread = 1 << 12;
  processor.streaming_loads = StreamingLoads::absent;
  Limits nvidia{.min_block_size = 32, .wave_size = 32, .compute_units = 132};
  nvidia.early_start = EarlyStart::present;
  Limits amd{.min_block_size = 64, .wave_size = 64, .compute_units = 104};
  amd.registers_per_unit = 131072;
  amd.max_registers_per_thread = 256;
  Limits any_order = nvidia;
  any_order.block_order = BlockOrder::any;
  return {processor, nvidia, amd, any_order};
}

}  // namespace redtune::kernels
