// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Kernels that look after the buffers of somebody's kernel: whether they are as they were, and how
// they become that again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "redtune/dtype.hpp"
#include "redtune/limits.hpp"

namespace redtune::kernels {

/// The whole device program, for a run-time compiler.
[[nodiscard]] const std::string& checksum_text();
/// Instantiations as name expressions. Arguments of the first: bytes, how many (64 bits), and a sum
/// (64 bits) for each block; of the second: where to, where from, how many bytes (64 bits); of the
/// third: numbers, those that are expected, how many (64 bits), how far off they may be, absolute
/// and relative (doubles), and a count (64 bits) for each block.
[[nodiscard]] std::string checksum_name(const Limits& limits);
[[nodiscard]] std::string restore_name(const Limits& limits);
[[nodiscard]] std::string far_apart_name(DType type, const Limits& limits);
/// Of all.
[[nodiscard]] int checksum_block(const Limits& limits);
/// For so many bytes.
[[nodiscard]] std::int64_t checksum_grid(std::size_t bytes, const Limits& limits);

}  // namespace redtune::kernels
