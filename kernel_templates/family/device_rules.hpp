// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a device can do for any family: each is why it cannot, empty where it can.
#pragma once

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <string>

#include "redtune/limits.hpp"

namespace redtune::kernels {

[[nodiscard]] constexpr bool is_block_of(int block_size, const Limits& limits) {
  return block_size >= limits.min_block_size && block_size <= limits.max_block_size &&
         block_size % limits.wave_size == 0;
}

[[nodiscard]] inline std::string why_no_block(int block_size, const Limits& limits) {
  if (block_size < limits.min_block_size || block_size > limits.max_block_size) {
    return fmt::format("block_size {} is not within {}..{} of this device", block_size,
                       limits.min_block_size, limits.max_block_size);
  }
  if (block_size % limits.wave_size != 0) {
    return fmt::format("block_size {} is not whole waves of {}", block_size, limits.wave_size);
  }
  return {};
}

[[nodiscard]] inline std::string why_no_load(std::int64_t bytes, bool is_streaming,
                                             const Limits& limits) {
  if (bytes > limits.max_vector_bytes) {
    return fmt::format("{} bytes per load are more than the {} of this device", bytes,
                       limits.max_vector_bytes);
  }
  if (is_streaming && limits.streaming_loads == StreamingLoads::absent) {
    return "this device has no streaming loads";
  }
  return {};
}

[[nodiscard]] inline std::string why_no_early_start(const Limits& limits) {
  if (limits.early_start != EarlyStart::absent) return {};
  return "this device cannot start kernels early: early_start is 'off'";
}

/// Of all devices only AMD's GPUs have instructions that address 256 registers: NVIDIA's address
/// 255.
[[nodiscard]] constexpr bool is_amd(const Limits& limits) {
  return limits.max_registers_per_thread == 256;
}

/// needed: registers of a thread, about.
[[nodiscard]] inline std::string why_no_registers(std::int64_t needed, int block_size,
                                                  const Limits& limits) {
  const std::int64_t available = std::min<std::int64_t>(limits.max_registers_per_thread,
                                                        limits.registers_per_unit / block_size);
  if (needed <= available) return {};
  return fmt::format("needs about {} registers per thread; blocks of {} leave {}", needed,
                     block_size, available);
}

/// Whether elements are multiplied before they are added: a compiler may fuse the two, and in
/// copies of unrolled code not in each alike.
[[nodiscard]] inline bool multiplies_and_adds(Op op) {
  return op == Op::sum_of_squares || op == Op::l2_norm || op == Op::custom ||
         (is_joint(op) && op != Op::min_max);
}

}  // namespace redtune::kernels
