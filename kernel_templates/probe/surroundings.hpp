// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The kernels that stand around a reduction while it is timed: their text, names and grids.
#pragma once

#include <cstdint>
#include <string>

#include "redtune/limits.hpp"

namespace redtune::kernels {

enum class SurroundingKernel {
  touch,    ///< arguments: one 32-bit word for each thread
  renew,    ///< the input, its whole 32-bit words (64 bits), 0 (32 bits)
  sweep,    ///< memory to read, its whole 32-bit words (64 bits), 0 (32 bits), a word of its own
  consume,  ///< one 32-bit word for each thread, a result of at least 32 bits
};

/// The whole device program, for a run-time compiler.
[[nodiscard]] const std::string& surroundings_text();
/// An instantiation for a device, as a name expression.
[[nodiscard]] std::string surrounding_name(SurroundingKernel kernel, const Limits& limits);
[[nodiscard]] int surrounding_block(SurroundingKernel kernel, const Limits& limits);
/// words: that renew writes or sweep reads; nobody asks for those of the others.
[[nodiscard]] std::int64_t surrounding_grid(SurroundingKernel kernel, std::int64_t words,
                                            const Limits& limits);

}  // namespace redtune::kernels
