// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The kernels of group_by_key.hip.h, which find groups of equal neighbouring keys.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "redtune/limits.hpp"

namespace redtune::kernels {

[[nodiscard]] const std::string& group_text();
/// Name expressions of mark_heads and place_heads, for keys and offsets of 32 or 64 bits.
[[nodiscard]] std::vector<std::string> group_kernels(int key_bits, std::int64_t offset_bits,
                                                     const Limits& limits);
[[nodiscard]] int group_block(const Limits& limits);
/// Blocks of both launches for so many keys.
[[nodiscard]] std::int64_t group_grid(std::int64_t keys, const Limits& limits);

/// What lies between the launches, in bytes.
struct GroupBytes {
  std::int64_t marks = 0;    ///< a bit for each key, in whole words
  std::int64_t counts = 0;   ///< one for each block
  std::int64_t offsets = 0;  ///< of as many groups as there are keys, and one more
};
[[nodiscard]] GroupBytes group_bytes(std::int64_t keys, std::int64_t offset_bits,
                                     const Limits& limits);

}  // namespace redtune::kernels
