// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How much an entry of a file may hold that somebody else wrote, in any format. More is nobody's
// result.
#pragma once

#include <cstddef>

namespace redtune::cache {

inline constexpr std::size_t most_settings = 64;
/// Of every text that is no program.
inline constexpr std::size_t most_name_bytes = 1024;
/// Of an operator's program, and of what is told at length.
inline constexpr std::size_t most_text_bytes = std::size_t{1} << 20;

}  // namespace redtune::cache
