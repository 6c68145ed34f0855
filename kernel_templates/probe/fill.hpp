// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The kernel that writes generated inputs where they lie: its text and how it is launched.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "redtune/dtype.hpp"
#include "redtune/limits.hpp"

namespace redtune::kernels {

/// The whole device program, for a run-time compiler.
[[nodiscard]] const std::string& fill_text();
/// The instantiation for elements of a type made by a pattern of generate.hip.h, as a name
/// expression. Its arguments: address, count, seed, index of the decisive element, index of the
/// first, and the members of result_places; all 64 bits.
[[nodiscard]] std::string fill_name(DType type, std::string_view pattern, const Limits& limits);

/// Threads per block, and blocks for so many elements; at least 1.
[[nodiscard]] int fill_block(const Limits& limits);
[[nodiscard]] std::int64_t fill_grid(std::int64_t count, const Limits& limits);

}  // namespace redtune::kernels
